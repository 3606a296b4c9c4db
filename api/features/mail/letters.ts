/**
 * The outbox in the records: a letter is there before the request is answered, and leaves after it was sent. A process
 * may die at any moment: what is queued is sent by the next one. One that dies between sending and recording it has the
 * letter sent once more.
 */
import { randomUUID } from 'node:crypto'

import { later, type Clock } from '../../core/clock.ts'
import { VaultError, type TokenCipher } from '../../networks/token-cipher.ts'
import type { Records, RecordTable } from '../../records/port.ts'
import {
  storedContent,
  type LetterBox,
  type LetterContent,
  type LetterRecord,
  type LetterState,
  type NewLetter,
} from './letter-record.ts'
import { allLetters, digestOfAddress, letterTable } from './letter-table.ts'
import { endLetter, queueAgain, queueAllAgain, type QueuedAgain } from './letters-again.ts'
import type { Message } from './port.ts'

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** The delays before the second to the eighth try: a day in all. */
export const retryAfterMs = [
  10 * second,
  minute,
  10 * minute,
  hour,
  3 * hour,
  7 * hour,
  12 * hour,
] as const satisfies readonly number[]
/** The lease of a try: longer than sending takes at most. */
export const tryMs = minute
/** How long an outcome is shown. */
export const keptMs = 7 * 24 * hour
/** A message is written anew for a later try: the link of the earlier one may be over. */
const freshMs = 30 * minute
/** Of a letter's content, in characters. */
export const maxLetterLength = 32_000

/** A try that this process owns until its lease is over. */
export interface Claimed {
  readonly record: LetterRecord
  readonly content: LetterContent
}

export class Letters implements LetterBox {
  readonly #listeners = new Set<() => void>()

  private constructor(
    private readonly records: RecordTable<LetterRecord>,
    private readonly cipher: TokenCipher,
    private readonly clock: Clock,
  ) {}

  static async open(records: Records, cipher: TokenCipher, clock: Clock): Promise<Letters> {
    return new Letters(await letterTable(records), cipher, clock)
  }

  idOf(kind: string, about: readonly string[]): string {
    return this.cipher.digest('letter', [kind, ...about].join('\0'))
  }

  /** One write in every case: an answer takes as long for an address with an account as for another. */
  async enqueue({ kind, about, userId, to, content, again = false, notBefore }: NewLetter): Promise<string> {
    const id = this.idOf(kind, about)
    const now = this.clock.now()
    const letter: LetterRecord = {
      id,
      userId: userId ?? null,
      ...(to === undefined ? {} : { to: digestOfAddress(to) }),
      kind,
      status: 'queued',
      at: now,
      tries: 0,
      claim: null,
      nextAt: notBefore !== undefined && notBefore > now ? notBefore : now,
      doneAt: null,
      reason: null,
      ...this.#sealed(id, { request: null, message: null, composedAt: null, ...content }),
    }
    if (again) await this.records.put(letter)
    else await this.records.insert(letter)
    for (const listener of this.#listeners) listener()
    return id
  }

  async statesOf(ids: readonly string[]): Promise<ReadonlyMap<string, LetterState>> {
    const states = new Map<string, LetterState>()
    for (const id of ids) {
      const status = (await this.records.get(id))?.record.status
      if (status === undefined) continue
      states.set(id, status === 'kept' ? 'queued' : status === 'not needed' ? 'failed' : status)
    }
    return states
  }

  /** Calls the listener when a letter was enqueued by this process. */
  onQueued(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Whose next try is due, the longest waiting first. */
  async due(limit: number): Promise<readonly LetterRecord[]> {
    return this.records.first('nextAt', limit, { from: '', below: later(this.clock.now(), 1) })
  }

  /**
   * Takes the try that is due, so that no other process makes it. Null when another one did, or the content can't be
   * decrypted, which is recorded. With the last try, the next is due once its lease is over: it only gives up.
   */
  async claim({ id }: LetterRecord): Promise<Claimed | null> {
    const found = await this.records.get(id)
    const now = this.clock.now()
    if (found === null || found.record.nextAt === null || found.record.nextAt > now) return null
    const { record, version } = found
    const isOver = record.tries > retryAfterMs.length
    const claimed: LetterRecord = {
      ...record,
      tries: record.tries + 1,
      claim: randomUUID(),
      nextAt: later(now, tryMs),
      reason: 'interrupted',
    }
    if (isOver || record.sealed === null) {
      await this.records.replace({ ...record, status: 'failed', claim: null, nextAt: null, doneAt: now }, version)
      return null
    }
    if (!(await this.records.replace(claimed, version))) return null
    const content = this.#opened(claimed)
    if (content !== null) return { record: claimed, content }
    await this.#settle(claimed, { status: 'failed', reason: VaultError.name, nextAt: null, doneAt: now })
    return null
  }

  /** The message to send; null when it has to be composed (again). */
  messageOf({ content: { request, message, composedAt } }: Claimed): Message | null {
    const isFresh = composedAt !== null && later(composedAt, freshMs) > this.clock.now()
    return request === null || isFresh ? message : null
  }

  /** Kept for the next tries, which send the same text. False when the try is no longer this process's. */
  composed({ record, content: { request } }: Claimed, message: Message): Promise<boolean> {
    return this.#settle(record, {
      claim: record.claim,
      ...this.#sealed(record.id, { request, message, composedAt: this.clock.now() }),
    })
  }

  async sent({ record }: Claimed): Promise<void> {
    await this.#done(record, { status: 'sent', keyId: null, sealed: null })
  }

  async notNeeded({ record }: Claimed): Promise<void> {
    await this.#done(record, { status: 'not needed', keyId: null, sealed: null })
  }

  /** For an operator to read, on a server that sends no mail. */
  async kept({ record }: Claimed): Promise<void> {
    await this.#done(record, { status: 'kept' })
  }

  /** Returns whether another try follows. */
  async failed({ record }: Claimed, reason: string, isTemporary: boolean): Promise<boolean> {
    const afterMs = isTemporary ? retryAfterMs[record.tries - 1] : undefined
    if (afterMs === undefined)
      await this.#settle(record, { status: 'failed', reason, nextAt: null, doneAt: this.clock.now() })
    else await this.#settle(record, { reason, nextAt: later(this.clock.now(), afterMs) })
    return afterMs !== undefined
  }

  end(kind: string, about: readonly string[]): Promise<void> {
    return endLetter(this.records, this.idOf(kind, about), this.clock.now())
  }

  /** See `queueAgain`. */
  retry(id: string): Promise<QueuedAgain> {
    return queueAgain(this.records, id, this.clock.now())
  }

  /** Returns how many. */
  retryAll(status: 'failed' | 'kept'): Promise<number> {
    return queueAllAgain(this.records, status, this.clock.now())
  }

  /** In the order of their requests. */
  all(): AsyncIterable<LetterRecord> {
    return allLetters(this.records)
  }

  /** Null for an unknown letter; a content of null for one without, or whose key is missing. */
  async read(id: string): Promise<{ readonly record: LetterRecord; readonly content: LetterContent | null } | null> {
    const found = await this.records.get(id)
    return found && { record: found.record, content: this.#opened(found.record) }
  }

  /** Removes letters whose outcome is old. */
  async sweep(): Promise<void> {
    await this.records.removeBefore('doneAt', later(this.clock.now(), -keptMs))
  }

  /** Encrypts the content with the current key; what no key decrypts is removed. */
  async rotate(): Promise<void> {
    for (const keyId of this.cipher.earlierIds) {
      for (
        let found = await this.records.find('keyId', keyId);
        found.length > 0;
        found = await this.records.find('keyId', keyId)
      )
        for (const { id } of found) await this.#renew(id)
    }
  }

  async #renew(id: string): Promise<void> {
    const found = await this.records.get(id)
    if (found === null) return
    const content = this.#opened(found.record)
    if (content === null) await this.records.remove(id, found.version)
    else await this.records.replace({ ...found.record, ...this.#sealed(id, content) }, found.version)
  }

  #done(record: LetterRecord, change: Partial<LetterRecord>): Promise<boolean> {
    return this.#settle(record, { reason: null, nextAt: null, doneAt: this.clock.now(), ...change })
  }

  /** False when the letter was replaced, or another process has taken the next try. */
  async #settle({ id, claim }: LetterRecord, change: Partial<LetterRecord>): Promise<boolean> {
    const found = await this.records.get(id)
    if (found === null || found.record.claim !== claim) return false
    return this.records.replace({ ...found.record, claim: null, ...change }, found.version)
  }

  #sealed(id: string, content: LetterContent): Pick<LetterRecord, 'keyId' | 'sealed'> {
    const text = JSON.stringify(content)
    if (text.length > maxLetterLength) throw new RangeError('A letter is too long')
    const sealed = this.cipher.encrypt(placeOf(id), text)
    return { keyId: sealed.keyId, sealed }
  }

  #opened({ id, sealed }: LetterRecord): LetterContent | null {
    const text = sealed && this.cipher.openOrNull(placeOf(id), sealed)
    return text === null ? null : storedContent.parse(JSON.parse(text))
  }
}

const placeOf = (id: string) => `letters/${id}`
