/** Takes requests for letters. They are durable before the answer; a letter sender sends them afterwards. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { pause } from '../../../projections/core/pause.ts'
import { Problem } from '../../http/problem.ts'
import { RecordsFull } from '../../records/bounded.ts'
import { mailBounds } from '../../records/bounds.ts'
import type { LetterBox, NewLetter } from './letter-record.ts'

interface Settings {
  /** Notices that wait in memory for the records. */
  readonly maxWaiting: number
  /** The delays before the next tries to store a notice. */
  readonly pausesMs: readonly number[]
}

const defaults: Settings = { maxWaiting: mailBounds.waiting.max, pausesMs: [2_000, 10_000, 60_000] }

export class PostOffice {
  readonly #closing = new AbortController()
  readonly #waiting = new Set<Promise<void>>()
  readonly #settings: Settings

  constructor(
    private readonly letters: LetterBox,
    private readonly log: Logger,
    settings: Partial<Settings> = {},
  ) {
    this.#settings = { ...defaults, ...settings }
  }

  /** Settles when the letter is stored. @throws Problem 503 when no more are kept; StoreUnavailable */
  async send(letter: NewLetter): Promise<void> {
    try {
      await this.letters.enqueue(letter)
    } catch (error) {
      if (!(error instanceof RecordsFull)) throw error
      const sentence = 'This server has a lot of email to send at this moment. Please try again in a minute.'
      throw new Problem(503, 'busy', sentence, { 'Retry-After': '60' }, error)
    }
  }

  /**
   * For a notice about something that is done, whether or not it can be mailed. Settles after the first try to store
   * it; while the records are away, it is tried again.
   */
  async tell(letter: NewLetter): Promise<void> {
    if (await this.#isStored(letter)) return
    if (this.#waiting.size >= this.#settings.maxWaiting) return this.log.error(lost)
    const waiting: Promise<void> = this.#retry(letter).finally(() => this.#waiting.delete(waiting))
    this.#waiting.add(waiting)
  }

  /** Tries every waiting notice once more. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#waiting)
  }

  async #retry(letter: NewLetter): Promise<void> {
    for (const ms of this.#settings.pausesMs) {
      await pause(ms, this.#closing.signal)
      if (await this.#isStored(letter)) return
      if (this.#closing.signal.aborted) break
    }
    this.log.error(lost)
  }

  async #isStored(letter: NewLetter): Promise<boolean> {
    try {
      await this.letters.enqueue(letter)
      return true
    } catch (error) {
      // Any error, such as one of a store, may quote data that must not be logged.
      const reason = error instanceof Error ? error.name : 'unknown'
      this.log.warn({ reason }, 'Could not store the mail about an account change')
      return !(error instanceof StoreUnavailable)
    }
  }
}

const lost = 'The mail about an account change is lost: the records were away for too long'
