/**
 * Stores mail without an SMTP server: a folder with one file per letter, which any mail program opens. Only the newest
 * are kept.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { mailBounds } from '../../records/bounds.ts'
import { addressed, ofEvery } from './addressed.ts'
import { MailFailed, type Mail, type Message } from './port.ts'

const from = 'SocialAI <no-reply@localhost>'

export function outbox(folder: string, maxMails: number = mailBounds.outbox.max): Mail {
  const place = resolve(folder)
  let swept: Promise<void> | null = null
  const stamps = new Stamps()
  return {
    place,
    async send(message) {
      const letter = fileOf(message)
      try {
        await mkdir(place, { recursive: true, mode: 0o700 })
        // Shared by all first senders, so that the sweep deletes none of their letters.
        await (swept ??= sweep(place, stamps).catch((error: unknown) => {
          swept = null
          throw error
        }))
        await put(place, letter, stamps.next())
        const names = await lettersIn(place)
        for (const name of names.slice(0, Math.max(0, names.length - maxMails)))
          await rm(join(place, name), { force: true })
      } catch (error) {
        throw new MailFailed(error instanceof Error && 'code' in error ? String(error.code) : 'unknown', true)
      }
    },
    close: async () => undefined,
  }
}

/** Lines are not wrapped, so that a link can be copied from the file. */
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

/**
 * Deletes every letter: which addresses a user had before is unknown. The folder stays, because the server may write
 * another letter meanwhile.
 */
export async function emptyOutbox(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })))
}

/**
 * File names in the order of writing, even within a millisecond or when the clock was set back: the oldest are deleted
 * first.
 */
class Stamps {
  #newest = 0
  #counted = 0

  /** @param name an existing letter's file name */
  after(name: string): void {
    const [, date = '', time = ''] = /^(.{10})T(.{12}Z)-/.exec(name) ?? []
    const at = Date.parse(`${date}T${time.replaceAll('-', ':')}`)
    if (at >= this.#newest) this.#newest = at + 1
  }

  next(): string {
    this.#newest = Math.max(this.#newest, Date.now())
    this.#counted += 1
    return `${new Date(this.#newest).toISOString().replaceAll(':', '-')}-${String(this.#counted).padStart(6, '0')}`
  }
}

/** Written to a temporary name, so that no half letter is ever listed. */
async function put(folder: string, letter: string, stamp: string): Promise<void> {
  const name = join(folder, stamp)
  const file = await open(`${name}.part`, 'wx', 0o600)
  try {
    await file.writeFile(letter).finally(() => file.close())
    await rename(`${name}.part`, `${name}.eml`)
  } catch (error) {
    await rm(`${name}.part`, { force: true })
    throw error
  }
}

/**
 * Deletes the half-written letters of a process that died: they are not counted, and they contain an address and a
 * link.
 */
async function sweep(folder: string, stamps: Stamps): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.endsWith('.part')) await rm(join(folder, name), { force: true })
    else stamps.after(name)
  }
}

/** Oldest first. */
async function lettersIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.eml')).sort()
}
