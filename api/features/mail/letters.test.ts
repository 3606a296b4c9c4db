/** The outbox in the records, on files. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { later, MovableClock } from '../../core/clock.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { boundedRecords } from '../../records/bounded.ts'
import { bounds } from '../../records/bounds.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import type { LetterRecord, NewLetter } from './letter-record.ts'
import { eraseLetters } from './letter-table.ts'
import { keptMs, Letters, maxLetterLength, retryAfterMs, tryMs, type Claimed } from './letters.ts'
import { PostOffice } from './post-office.ts'

const key = randomBytes(32)
const hour = 3_600_000
const message = { to: 'ada@example.com', subject: 'A subject', text: 'https://social.example/#a-secret-token\n' }
const asked: NewLetter = {
  kind: 'reset-password',
  about: ['ada@example.com'],
  content: { request: { email: message.to } },
}

let folder: string
let records: Records
let clock: MovableClock
let letters: Letters
beforeEach(async () => {
  folder = await temporaryFolder('letters')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  clock = new MovableClock('2026-01-31T09:00:00.000Z')
  letters = await Letters.open(records, new TokenCipher({ current: key }), clock)
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

const everyLetter = async () => {
  const all: LetterRecord[] = []
  for await (const letter of letters.all()) all.push(letter)
  return all
}
const stateOf = async (id: string) => (await letters.statesOf([id])).get(id)
async function claimNext(): Promise<Claimed> {
  const [due] = await letters.due(10)
  const claimed = due && (await letters.claim(due))
  if (!claimed) throw new Error('No letter is due')
  return claimed
}

describe('A letter that was given up or kept', () => {
  it('is queued again by its id for eight more tries, and one that was sent is not', async () => {
    const id = await letters.enqueue(asked)
    await letters.failed(await claimNext(), 'EAUTH 535', false)
    expect([await stateOf(id), await letters.retry(id), await stateOf(id)]).toEqual(['failed', 'again', 'queued'])
    await letters.sent(await claimNext())
    expect([await letters.retry(id), await letters.retry('none')]).toEqual(['sent', 'none'])
  })
  it('is queued again with all others of its kind', async () => {
    for (const [name, settle] of [
      ['a', 'failed'],
      ['b', 'failed'],
      ['c', 'kept'],
    ] as const) {
      await letters.enqueue({ ...asked, about: [name] })
      const claimed = await claimNext()
      await (settle === 'kept' ? letters.kept(claimed) : letters.failed(claimed, 'EAUTH 535', false))
    }
    expect([await letters.retryAll('failed'), await letters.retryAll('failed')]).toEqual([2, 0])
    expect((await everyLetter()).map(({ status, tries }) => `${status} ${tries}`).toSorted()).toEqual([
      'kept 1',
      'queued 0',
      'queued 0',
    ])
    expect(await letters.retryAll('kept')).toBe(1)
  })
})

describe('A letter', () => {
  it('that is no longer wanted does not leave, and keeps no content', async () => {
    const id = await letters.enqueue(asked)
    const claimed = await claimNext()
    await letters.end(asked.kind, asked.about)
    expect(await letters.failed(claimed, 'EAUTH 535', true)).toBe(true)
    expect((await letters.read(id))?.record).toMatchObject({ status: 'not needed', nextAt: null, sealed: null })
    expect(await letters.due(10)).toEqual([])
    await letters.end('unknown', [])
  })
  it('that is asked for twice is one letter, also when it was sent meanwhile', async () => {
    const id = await letters.enqueue(asked)
    await letters.sent(await claimNext())
    expect(await letters.enqueue(asked)).toBe(id)
    expect(await letters.due(10)).toEqual([])
    expect([await everyLetter(), await stateOf(id)]).toEqual([[expect.objectContaining({ id, tries: 1 })], 'sent'])
  })

  it('that is asked for again is queued once more', async () => {
    const id = await letters.enqueue({ ...asked, again: true })
    await letters.sent(await claimNext())
    await letters.enqueue({ ...asked, again: true })
    await letters.enqueue({ ...asked, again: true })
    expect(await letters.due(10)).toEqual([expect.objectContaining({ id, status: 'queued', tries: 0 })])
  })

  it('is claimed by one of two senders', async () => {
    await letters.enqueue(asked)
    const [due] = await letters.due(1)
    if (!due) throw new Error('No letter is due')
    const claims = await Promise.all([letters.claim(due), letters.claim(due)])
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1)
  })

  it('whose sender died is due again after the lease of its try', async () => {
    await letters.enqueue(asked)
    const lost = await claimNext()
    clock.advance(tryMs - 5_000)
    expect(await letters.due(1)).toEqual([])
    clock.advance(5_000)
    const second = await claimNext()
    await letters.sent(lost)
    expect((await everyLetter())[0]).toMatchObject({ status: 'queued', tries: 2, reason: 'interrupted' })
    await letters.sent(second)
    expect((await everyLetter())[0]).toMatchObject({ status: 'sent', tries: 2, reason: null })
  })

  it.each(['failing', 'interrupted'])('is given up after eight %s tries within about a day', async (how) => {
    const id = await letters.enqueue(asked)
    const began = clock.now()
    for (let tries = 1; tries <= 8; tries += 1) {
      expect(await stateOf(id)).toBe('queued')
      const claimed = await claimNext()
      if (how === 'failing') expect(await letters.failed(claimed, 'ECONNECTION', true)).toBe(tries < 8)
      clock.advance(how === 'failing' ? (retryAfterMs[tries - 1] ?? 0) : tryMs)
    }
    for (const due of await letters.due(1)) expect(await letters.claim(due)).toBeNull()
    expect(await letters.due(1)).toEqual([])
    expect([await stateOf(id), (await everyLetter())[0]?.tries]).toEqual(['failed', 8])
    expect(clock.now() <= later(began, 24 * hour)).toBe(true)
  })

  it('that is refused for good is given up at once, and stays to be read', async () => {
    const id = await letters.enqueue({ ...asked, content: { message } })
    expect(await letters.failed(await claimNext(), 'EENVELOPE 550', false)).toBe(false)
    expect(await letters.read(id)).toMatchObject({
      record: { status: 'failed', reason: 'EENVELOPE 550' },
      content: { message },
    })
  })

  it('is sent with the text of its first try, and written anew once its link may be over', async () => {
    await letters.enqueue(asked)
    const first = await claimNext()
    expect(letters.messageOf(first)).toBeNull()
    await letters.composed(first, message)
    await letters.failed(first, 'ECONNECTION', true)
    clock.advance(10_000)
    const second = await claimNext()
    expect(letters.messageOf(second)).toEqual(message)
    await letters.failed(second, 'ECONNECTION', true)
    clock.advance(hour)
    expect(letters.messageOf(await claimNext())).toBeNull()
  })

  it('is not readable in the table, and has no text any more once it was sent [S100]', async () => {
    const id = await letters.enqueue(asked)
    const claimed = await claimNext()
    await letters.composed(claimed, message)
    const bytes = async () =>
      (await Promise.all(['records.db', 'records.db-wal'].map((name) => readFile(join(folder, name), 'latin1')))).join()
    expect(await bytes()).not.toMatch(/ada@|example\.com|secret-token|A subject/)
    expect((await letters.read(id))?.content?.message).toEqual(message)
    await letters.sent(claimed)
    expect(await letters.read(id)).toMatchObject({ record: { keyId: null, sealed: null }, content: null })
  })

  it('is read with the new key after a change of the key, and given up where the key is lost', async () => {
    const id = await letters.enqueue({ ...asked, content: { message } })
    const next = randomBytes(32)
    await (await Letters.open(records, new TokenCipher({ current: next, others: [key] }), clock)).rotate()
    letters = await Letters.open(records, new TokenCipher({ current: next }), clock)
    expect((await letters.read(id))?.content).toMatchObject({ message })
    letters = await Letters.open(records, new TokenCipher({ current: randomBytes(32) }), clock)
    const [due] = await letters.due(1)
    expect(due && (await letters.claim(due))).toBeNull()
    expect((await everyLetter())[0]).toMatchObject({ status: 'failed', reason: 'VaultError', nextAt: null })
  })

  it('is removed a week after it was sent', async () => {
    await letters.enqueue(asked)
    await letters.enqueue({ ...asked, about: ['waits'] })
    await letters.sent(await claimNext())
    clock.advance(keptMs - 5_000)
    await letters.sweep()
    expect(await everyLetter()).toHaveLength(2)
    clock.advance(5_001)
    await letters.sweep()
    expect(await everyLetter()).toEqual([expect.objectContaining({ status: 'queued' })])
  })

  it('of an erased user is removed, by the user or by the address, and no other', async () => {
    const mine = await letters.enqueue({ ...asked, about: ['mine'], userId: 'me' })
    await letters.enqueue({ ...asked, to: 'Ada@example.com' })
    const theirs = [
      await letters.enqueue({ ...asked, about: ['theirs'], userId: 'other' }),
      await letters.enqueue({ ...asked, about: ['an invitation'], to: 'ben@example.com' }),
    ]
    // Of an earlier version, which noted no address.
    await letters.enqueue({ ...asked, about: ['earlier'] })
    await eraseLetters(records, 'me', 'ada@example.com')
    expect((await everyLetter()).map(({ id }) => id).toSorted()).toEqual(theirs.toSorted())
    expect(await stateOf(mine)).toBeUndefined()
    // A repeated erasure no longer knows the address.
    await eraseLetters(records, 'me', undefined)
    expect(await everyLetter()).toHaveLength(2)
  })

  it('is listed once, however many were asked for at the same instant', async () => {
    for (let n = 0; n < 450; n += 1) {
      await letters.enqueue({ ...asked, about: [String(n)] })
      if (n === 10 || n === 440) clock.advance(1)
    }
    const ids = (await everyLetter()).map(({ id }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([450, 450])
  })

  it('is never longer than its bound', async () => {
    const text = 'x'.repeat(maxLetterLength)
    await expect(letters.enqueue({ ...asked, content: { message: { ...message, text } } })).rejects.toThrow(RangeError)
  })
})

describe('More letters than are kept', () => {
  it('take the place of those sent, and are refused with a time to retry once all of them wait', async () => {
    const small = boundedRecords(records, { bounds: { ...bounds, letters: { ...bounds.letters, inAll: 3 } }, elapsed })
    letters = await Letters.open(small, new TokenCipher({ current: key }), clock)
    const office = new PostOffice(letters, pino({ level: 'silent' }))
    const send = (n: number) => office.send({ ...asked, about: [String(n)] })
    for (const n of [1, 2, 3]) await send(n)
    await letters.sent(await claimNext())
    await send(4)
    expect((await everyLetter()).map(({ status }) => status)).toEqual(['queued', 'queued', 'queued'])
    await expect(send(5)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '60' } })
  })
  let passed = 0
  /** Each look is a minute after the last: the table is counted anew. */
  const elapsed = () => (passed += 61_000)
})

describe('A notice', () => {
  it('is stored once the records answer again, and the answer does not wait for that', async () => {
    const enqueue = vi.spyOn(letters, 'enqueue').mockRejectedValueOnce(new StoreUnavailable('away'))
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const office = new PostOffice(letters, log, { pausesMs: [1] })
    await office.tell(asked)
    await vi.waitFor(async () => expect(await everyLetter()).toHaveLength(1), patience)
    expect([enqueue.mock.calls.length, lines.length]).toEqual([2, 1])
    expect(lines.join()).not.toContain('ada@')
    await office.close()
  })

  it('is tried once more when the server stops, and counted as lost in the log', async () => {
    vi.spyOn(letters, 'enqueue').mockRejectedValue(new StoreUnavailable('away'))
    const lines: string[] = []
    const office = new PostOffice(letters, pino({}, { write: (line: string) => void lines.push(line) }))
    await office.tell(asked)
    await office.close()
    expect(lines.join()).toContain('is lost')
  })
})
