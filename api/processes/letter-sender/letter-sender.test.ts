/** Sending the letters of the outbox in the background, on real servers, folders and records. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { gate } from '../../../domain/test/gate.ts'
import { patience } from '../../../domain/test/patience.ts'
import { pause } from '../../../projections/core/pause.ts'
import { MovableClock } from '../../core/clock.ts'
import type { Composers, LetterRecord, NewLetter } from '../../features/mail/letter-record.ts'
import { Letters, retryAfterMs, tryMs } from '../../features/mail/letters.ts'
import { outbox } from '../../features/mail/outbox.ts'
import type { Mail } from '../../features/mail/port.ts'
import { smtpMail } from '../../features/mail/smtp.ts'
import { serverAt, startSilentServer, startSmtpServer } from '../../features/mail/test/fake-smtp.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { wholeWork, type WorkShares } from '../work-shares.ts'
import { createLetterSender } from './letter-sender.ts'

const soon = { ...patience, interval: 5 }
const key = Buffer.alloc(32, 7)
const from = { name: 'SocialAI', address: 'no-reply@social.example' }
const message = { to: 'ada@example.com', subject: 'A subject', text: 'https://social.example/#a-token\n' }
const written: NewLetter = { kind: 'invitation', about: ['1'], content: { message } }
const asked: NewLetter = { kind: 'asked', about: ['1'], content: { request: {} } }

let folder: string
let records: Records
let clock: MovableClock
let letters: Letters
let lines: { readonly msg: string; readonly level: number; readonly [name: string]: unknown }[]
const ends: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await temporaryFolder('letters')
  clock = new MovableClock()
  lines = []
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await removeFolder(folder)
})
const closing = <T extends { close(): Promise<unknown> }>(server: T): T => {
  ends.push(() => server.close())
  return server
}

beforeEach(async () => {
  records = closing(await openEmbeddedRecords(join(folder, 'records.db')))
  letters = await Letters.open(records, new TokenCipher({ current: key }), clock)
})

interface Given {
  readonly mail?: Mail | null
  readonly composers?: Composers
  readonly shares?: WorkShares
  readonly among?: Letters
  readonly stopWithinMs?: number
  readonly pollMs?: number
}

/** The outbox is a folder unless there is another one. */
function start({
  mail = outbox(join(folder, 'outbox')),
  composers = {},
  shares = wholeWork,
  among = letters,
  stopWithinMs = 100,
  pollMs = 10,
}: Given) {
  const log = pino({ level: 'debug' }, { write: (text: string) => void lines.push(JSON.parse(text)) })
  const config = { pollMs, delayMs: 1, stopWithinMs }
  const sender = createLetterSender({ letters: among, mail, composers, shares, log, config })
  sender.start()
  ends.push(() => sender.stop())
  return sender
}
const smtp = (port: number, silenceMs = 5_000) => smtpMail({ server: serverAt(port), from }, { silenceMs })
const files = async () => (await readdir(join(folder, 'outbox')).catch(() => [])).length
const logged = (msg: string) => expect.poll(() => lines.filter((line) => line.msg === msg).length, soon)
const retrying = 'Could not send a mail; retrying'
async function theLetter(): Promise<LetterRecord | undefined> {
  for await (const letter of letters.all()) return letter
  return undefined
}
const status = () => expect.poll(async () => (await theLetter())?.status, soon)

describe('A letter', () => {
  it('is composed and sent after it was asked for', async () => {
    const { until, open: compose } = gate()
    start({ composers: { asked: () => until.then(() => message) } })
    await letters.enqueue(asked)
    expect(await files()).toBe(0)
    compose()
    await status().toBe('sent')
    expect(await files()).toBe(1)
  })
  it('without a recipient is not sent', async () => {
    start({ composers: { asked: async () => null } })
    await letters.enqueue(asked)
    await status().toBe('not needed')
    expect({ files: await files(), lines }).toEqual({ files: 0, lines: [] })
  })
  it('that could not be sent is tried again with the same text', async () => {
    await writeFile(join(folder, 'outbox'), 'in the way')
    let timesAsked = 0
    start({ composers: { asked: async () => ({ ...message, subject: `Try ${(timesAsked += 1)}` }) } })
    await letters.enqueue(asked)
    await logged(retrying).toBe(1)
    await rm(join(folder, 'outbox'))
    clock.advance(retryAfterMs[0])
    await status().toBe('sent')
    expect([timesAsked, await files()]).toEqual([1, 1])
  })
  it(
    'that fails temporarily is given up after eight tries, and the log quotes nothing of it',
    { tags: 'long' },
    async () => {
      const server = closing(await startSmtpServer({ recipients: { code: 451, sentence: 'later, ada@example.com' } }))
      start({ mail: smtp(server.port) })
      const letter = await letters.enqueue(written)
      for (const [tries, ms] of retryAfterMs.entries()) {
        await logged(retrying).toBe(tries + 1)
        clock.advance(ms)
      }
      await logged('Could not send a mail').toBe(1)
      expect(lines.at(-1)).toMatchObject({ level: 50, letter, kind: 'invitation', reason: 'EENVELOPE 451', tries: 8 })
      expect([server.recipients.length, (await theLetter())?.status]).toEqual([8, 'failed'])
      expect(JSON.stringify(lines)).not.toMatch(/ada@|token|A subject/)
    },
  )
  it('that is rejected permanently is tried once', async () => {
    const server = closing(await startSmtpServer({ recipients: { code: 550, sentence: 'nobody, ada@example.com' } }))
    start({ mail: smtp(server.port) })
    await letters.enqueue(written)
    await status().toBe('failed')
    expect(lines).toEqual([expect.objectContaining({ reason: 'EENVELOPE 550', tries: 1 })])
    expect(server.recipients).toHaveLength(1)
  })
  it('that cannot be composed is tried again, and the log quotes nothing of the error', async () => {
    let fails = true
    const compose = async () => {
      if (!fails) return message
      fails = false
      throw new TypeError('ada@example.com has no a-token')
    }
    start({ composers: { asked: compose } })
    await letters.enqueue(asked)
    await logged(retrying).toBe(1)
    clock.advance(retryAfterMs[0])
    await status().toBe('sent')
    expect(JSON.stringify(lines)).toMatch(/TypeError/)
    expect(JSON.stringify(lines)).not.toMatch(/ada@|token/)
  })
  it('of a kind that this version does not know is given up', async () => {
    start({})
    await letters.enqueue(asked)
    await status().toBe('failed')
    expect(lines).toEqual([expect.objectContaining({ reason: 'unknown kind' })])
  })
  it('is composed and kept for an operator where no mail is sent', async () => {
    start({ mail: null, composers: { asked: async () => message } })
    const id = await letters.enqueue(asked)
    await status().toBe('kept')
    expect([(await letters.read(id))?.content?.message, (await letters.statesOf([id])).get(id)]).toEqual([
      message,
      'queued',
    ])
  })
  it('that was kept is sent by the first process with mail', async () => {
    const without = start({ mail: null, composers: { asked: async () => message } })
    await letters.enqueue(asked)
    await status().toBe('kept')
    await without.stop()
    start({ composers: { asked: async () => message } })
    await status().toBe('sent')
    expect(await files()).toBe(1)
  })
  it('waits where another process leads', async () => {
    let leads = false
    let rounds = 0
    start({ shares: { ...wholeWork, leads: () => ++rounds > 0 && leads } })
    await letters.enqueue(written)
    const before = rounds
    await expect.poll(() => rounds).toBeGreaterThan(before + 2)
    expect((await theLetter())?.status).toBe('queued')
    leads = true
    await status().toBe('sent')
  })
  it('is sent once by two senders that both believe to lead', { tags: 'long' }, async () => {
    const server = closing(await startSmtpServer())
    start({ mail: smtp(server.port) })
    start({ mail: smtp(server.port), among: await Letters.open(records, new TokenCipher({ current: key }), clock) })
    const count = 12
    for (let n = 0; n < count; n += 1) await letters.enqueue({ ...written, about: [String(n)] })
    const sent = async () => {
      let all = 0
      for await (const letter of letters.all()) all += letter.status === 'sent' ? 1 : 0
      return all
    }
    await expect.poll(sent, soon).toBe(count)
    expect(server.received).toHaveLength(count)
  })
  it('whose try the records refuse is tried again with the next poll, not at once', async () => {
    const claim = vi.spyOn(letters, 'claim').mockImplementation(async () => {
      await pause(1)
      throw new StoreUnavailable('The disk is full')
    })
    start({ pollMs: 60_000 })
    await letters.enqueue(written)
    await expect.poll(() => claim.mock.calls.length, soon).toBe(1)
    await pause(200)
    expect(claim.mock.calls).toHaveLength(1)
  })
  it('that is being sent when the server stops is waited for within a limit, and sent again later', async () => {
    const silent = closing(await startSilentServer())
    const sender = start({ mail: smtp(silent.port, 600_000) })
    await letters.enqueue(written)
    await expect.poll(async () => (await theLetter())?.tries, soon).toBe(1)
    await sender.stop()
    expect(lines).toContainEqual(expect.objectContaining({ mails: 1, level: 40 }))
    clock.advance(tryMs)
    start({})
    await status().toBe('sent')
  })
})
