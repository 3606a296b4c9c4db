/** Sending mail in the background, on real servers and folders. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { outbox } from './outbox.ts'
import type { Mail } from './port.ts'
import { PostOffice } from './post-office.ts'
import { smtpMail } from './smtp.ts'
import { serverAt, startSilentServer, startSmtpServer } from './test/fake-smtp.ts'

const from = { name: 'SocialAI', address: 'no-reply@social.example' }
const letter = { to: 'ada@example.com', subject: 'A subject', text: 'https://social.example/#a-token\n' }
const quick = { delayMs: 1, pausesMs: [20, 20, 20], closeWithinMs: 400 }

let folder: string
let lines: { readonly msg: string; readonly level: number; readonly [name: string]: unknown }[]
const ends: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = join(await temporaryFolder('post'), 'outbox')
  lines = []
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await removeFolder(join(folder, '..'))
})
const office = (mail: Mail, settings: ConstructorParameters<typeof PostOffice>[2] = quick) => {
  const opened = new PostOffice(
    mail,
    pino({ level: 'debug' }, { write: (text: string) => void lines.push(JSON.parse(text)) }),
    settings,
  )
  ends.push(() => opened.close())
  return opened
}
const smtp = (port: number, silenceMs = 5_000) => smtpMail({ server: serverAt(port), from }, { silenceMs })
const closing = <T extends { close(): Promise<void> }>(server: T): T => {
  ends.push(() => server.close())
  return server
}
const letters = async () => (await readdir(folder).catch(() => [])).length
const logged = (msg: string) => expect.poll(() => lines.filter((line) => line.msg === msg).length, { timeout: 5_000 })

describe('mail', () => {
  it('is composed and sent after the request was answered', async () => {
    let isFoundOut = false
    office(outbox(folder)).send(async () => {
      isFoundOut = true
      return letter
    })
    expect(isFoundOut).toBe(false)
    await expect.poll(letters).toBe(1)
  })
  it('without a recipient is not sent', async () => {
    const post = office(outbox(folder))
    post.send(async () => null)
    await post.close()
    expect({ letters: await letters(), lines }).toEqual({ letters: 0, lines: [] })
  })
  it('that could not be sent is retried with the same text', async () => {
    await writeFile(folder, 'in the way')
    let timesAsked = 0
    office(outbox(folder)).send(async () => {
      timesAsked += 1
      return letter
    })
    await logged('Could not send a mail; retrying').toBeGreaterThan(0)
    await rm(folder)
    await expect.poll(letters).toBe(1)
    expect(timesAsked).toBe(1)
  })
  it('that fails temporarily is given up after some retries', async () => {
    const server = closing(await startSmtpServer({ recipients: { code: 451, sentence: 'later, ada@example.com' } }))
    office(smtp(server.port)).send(async () => letter)
    await logged('Could not send a mail').toBe(1)
    expect(lines.at(-1)).toMatchObject({ level: 50, reason: 'EENVELOPE 451', tries: 4 })
    expect(JSON.stringify(lines)).not.toMatch(/ada@|token|A subject/)
  })
  it('that is rejected permanently is tried once', async () => {
    const server = closing(await startSmtpServer({ recipients: { code: 550, sentence: 'nobody, ada@example.com' } }))
    office(smtp(server.port)).send(async () => letter)
    await logged('Could not send a mail').toBe(1)
    expect(lines).toEqual([expect.objectContaining({ reason: 'EENVELOPE 550', tries: 1 })])
    expect(server.recipients).toHaveLength(1)
  })
  it('that cannot be composed is retried, and the log quotes nothing of the error', async () => {
    let fails = true
    office(outbox(folder)).send(async () => {
      if (!fails) return letter
      fails = false
      throw new TypeError('ada@example.com has no a-token')
    })
    await expect.poll(letters).toBe(1)
    expect(JSON.stringify(lines)).toMatch(/TypeError/)
    expect(JSON.stringify(lines)).not.toMatch(/ada@|token/)
  })
})

describe('when the server stops', () => {
  it('waiting mail is retried at once', async () => {
    await writeFile(folder, 'in the way')
    const post = office(outbox(folder), { ...quick, pausesMs: [60_000] })
    post.send(async () => letter)
    await logged('Could not send a mail; retrying').toBe(1)
    await rm(folder)
    await post.close()
    expect(await letters()).toBe(1)
  })
  it('undeliverable mail is given up within the time limit, and counted', async () => {
    const server = closing(await startSilentServer())
    // The sending itself would go on for longer than a test may take.
    const post = office(smtp(server.port, 600_000))
    post.send(async () => letter)
    post.send(async () => letter)
    await post.close()
    expect(lines).toContainEqual(
      expect.objectContaining({ mails: 2, msg: 'The server stopped before all mails were sent' }),
    )
  })
  it('no further mail is accepted', async () => {
    const post = office(outbox(folder))
    await post.close()
    expect(() => post.send(async () => letter)).toThrow(expect.objectContaining({ status: 503 }))
  })
})

describe('more mail than can be sent', () => {
  it('is refused with a time to retry', async () => {
    const server = closing(await startSilentServer())
    const post = office(smtp(server.port), { ...quick, maxMessages: 3 })
    for (let one = 0; one < 3; one++) post.send(async () => letter)
    expect(() => post.send(async () => letter)).toThrow(
      expect.objectContaining({ status: 503, headers: { 'Retry-After': '60' } }),
    )
  })
})
