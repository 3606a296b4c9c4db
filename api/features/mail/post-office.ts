/**
 * Sends mail in the background, so that response times do not reveal whether an address is known. The queue is in
 * memory: a crash loses it, and users request the mail again.
 */
import { setMaxListeners } from 'node:events'
import type { Logger } from 'pino'
import { pause } from '../../../projections/core/pause.ts'
import { FairQueue } from '../../../domain/core/fair-queue.ts'
import { Problem } from '../../http/problem.ts'
import { mailBounds } from '../../records/bounds.ts'
import { MailFailed, type Mail, type Message } from './port.ts'

/** Composes the mail; null when there is nothing to send. */
export type Letter = () => Promise<Message | null>

interface Settings {
  readonly maxMessages: number
  readonly atOnce: number
  /** The delay before the first try, by when the answer has left. Random, up to twice as long. */
  readonly delayMs: number
  /** The delays before the retries. */
  readonly pausesMs: readonly number[]
  readonly closeWithinMs: number
}

const defaults: Settings = {
  maxMessages: mailBounds.waiting.max,
  atOnce: 4,
  delayMs: 50,
  pausesMs: [2_000, 10_000, 60_000],
  closeWithinMs: 4_000,
}

export class PostOffice {
  readonly #settings: Settings
  readonly #closing = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #few: FairQueue

  constructor(
    private readonly mail: Mail,
    private readonly log: Logger,
    settings: Partial<Settings> = {},
  ) {
    this.#settings = { ...defaults, ...settings }
    const { atOnce, maxMessages } = this.#settings
    // Each mail under way listens to this signal once.
    setMaxListeners(maxMessages + 1, this.#closing.signal)
    this.#few = new FairQueue({ atOnce, maxWaiting: maxMessages, maxOfSource: maxMessages })
  }

  get place(): string {
    return this.mail.place
  }

  /** Returns at once. @throws Problem 503 when the queue is full or the server stops */
  send(letter: Letter): void {
    const isFull = this.#underWay.size >= this.#settings.maxMessages
    if (isFull || this.#closing.signal.aborted)
      throw new Problem(
        503,
        'busy',
        'This server has a lot of email to send at this moment. Please try again in a minute.',
        { 'Retry-After': '60' },
      )
    const sending: Promise<void> = this.#deliver(letter).finally(() => this.#underWay.delete(sending))
    this.#underWay.add(sending)
  }

  /** Tries every waiting mail once more within a time limit, then gives up. */
  async close(): Promise<void> {
    this.#closing.abort()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.#settings.closeWithinMs)))
    await Promise.race([Promise.all(this.#underWay), late])
    clearTimeout(timer)
    if (this.#underWay.size > 0)
      this.log.warn({ mails: this.#underWay.size }, 'The server stopped before all mails were sent')
    await this.mail.close()
  }

  async #deliver(letter: Letter): Promise<void> {
    const { delayMs, pausesMs } = this.#settings
    const { signal } = this.#closing
    const attempt = attempts(letter, this.mail)
    // Delayed, because the work would measurably slow down the answer that is still being sent.
    await pause(delayMs * (1 + Math.random()), signal)
    for (let tries = 1; ; tries++) {
      const failure = await this.#few.run(everybody, attempt)
      if (!failure) return
      const pauseMs = pausesMs[tries - 1]
      if (!failure.isTemporary || pauseMs === undefined)
        return this.log.error({ reason: failure.reason, tries }, 'Could not send a mail')
      this.log.warn({ reason: failure.reason, tries }, 'Could not send a mail; retrying')
      if (signal.aborted) return
      await pause(pauseMs, signal)
    }
  }
}

const everybody = { source: 'everybody', isKnown: false } as const

/** Composes the mail once, however often it is sent. */
function attempts(letter: Letter, mail: Mail): () => Promise<MailFailed | null> {
  let message: Message | null | undefined
  return async () => {
    try {
      if (message === undefined) message = await letter()
      if (message) await mail.send(message)
      return null
    } catch (error) {
      // Any other error, such as one of a store, may quote data that must not be logged.
      return error instanceof MailFailed ? error : new MailFailed(error instanceof Error ? error.name : 'unknown', true)
    }
  }
}
