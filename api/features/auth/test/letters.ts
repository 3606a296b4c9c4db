/** The mailboxes of test users. Browser tests, which Vitest does not run, use them too. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { patience } from '../../../../domain/test/patience.ts'
import type { Running } from '../../../composition/embedded.ts'
import type { ApiClient } from '../../../http/client.ts'
import { headersAndText } from '../../mail/test/headers-and-text.ts'

interface Letter {
  readonly subject: string
  readonly text: string
}

/** The letters to an address in the outbox, oldest first. */
export async function lettersTo(server: Running, email: string): Promise<Letter[]> {
  const folder = join(server.dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort()
  const letters = await Promise.all(
    names.map(async (name) => headersAndText(await readFile(join(folder, name), 'utf8'))),
  )
  return letters
    .filter(({ headers }) => headers['to'] === email)
    .map(({ headers, text }) => ({ subject: headers['subject'] ?? '', text }))
}

/** Waits for the nth letter about a subject. */
export async function letter(server: Running, email: string, about: RegExp, nth = 1): Promise<string> {
  const timeout = AbortSignal.timeout(patience.timeout)
  for (;;) {
    const letters = await lettersTo(server, email)
    const found = letters.filter(({ subject }) => about.test(subject))[nth - 1]
    if (found) return found.text
    if (timeout.aborted) throw new Error(`No letter ${nth} to ${email} about ${about}, only ${JSON.stringify(letters)}`)
    await setTimeout(25)
  }
}

export const tokenIn = (text: string): string => /#([\w-]{43})$/m.exec(text)?.[1] ?? 'no token'

/** Confirms a person's address, and returns it. */
export async function confirmedAddress(server: Running, caller: ApiClient): Promise<string> {
  const { email } = await caller.callOrThrow('getUser')
  await caller.callOrThrow('askAddressLink')
  await caller.callOrThrow('confirmAddress', { body: { token: tokenIn(await letter(server, email, /confirm/i)) } })
  return email
}
