/** Mail where no server takes it: a folder with a file for each, which any mail program opens. The newest stay. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { addressed, ofEvery } from './addressed.ts'
import { MailFailed, type Mail, type Message } from './port.ts'

const from = 'SocialAI <no-reply@localhost>'

export function outbox(folder: string, most = 200): Mail {
  const place = resolve(folder)
  let swept: Promise<void> | null = null
  return {
    place,
    async send(message) {
      const letter = fileOf(message)
      try {
        await mkdir(place, { recursive: true, mode: 0o700 })
        // By all who send at first together: no letter of theirs is to be swept.
        await (swept ??= sweep(place).catch((error: unknown) => {
          swept = null
          throw error
        }))
        await put(place, letter)
        const names = await lettersIn(place)
        for (const name of names.slice(0, Math.max(0, names.length - most))) await rm(join(place, name), { force: true })
      } catch (error) {
        throw new MailFailed(error instanceof Error && 'code' in error ? String(error.code) : 'unknown', true)
      }
    },
    close: async () => undefined,
  }
}

/** Its lines as they are, so that a link can be read off the file too. */
function fileOf(message: Message): string {
  const { to, subject } = addressed(message)
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${randomBytes(16).toString('hex')}@localhost>`,
    ...Object.entries(ofEvery).map(([name, value]) => `${name}: ${value}`),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ]
  return `${headers.join('\n')}\n\n${message.text}`
}

/** Removes every letter: nobody knows any more which addresses a person had before. */
export const emptyOutbox = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

/** In the order in which they were written, also within a millisecond. */
let counted = 0

/** Half a letter is no letter. */
async function put(folder: string, letter: string): Promise<void> {
  counted += 1
  const name = join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${String(counted).padStart(6, '0')}`)
  const file = await open(`${name}.part`, 'wx', 0o600)
  try {
    await file.writeFile(letter).finally(() => file.close())
    await rename(`${name}.part`, `${name}.eml`)
  } catch (error) {
    await rm(`${name}.part`, { force: true })
    throw error
  }
}

/** What a process left that died in the middle of a letter: nobody counts it, and it has an address and a link in it. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (name.endsWith('.part')) await rm(join(folder, name), { force: true })
}

/** The oldest first. */
async function lettersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.eml')).sort()
}
