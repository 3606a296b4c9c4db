/**
 * Sends the letters of the outbox in the records. One process leads it by its lease; each try is claimed, so that two
 * that believe to lead make no try twice. The answer to a request has left before: sending would slow it down.
 */
import type { Logger } from 'pino'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'
import { reportOutages } from '../../core/report-outages.ts'
import type { Composers, LetterRecord } from '../../features/mail/letter-record.ts'
import type { Claimed, Letters } from '../../features/mail/letters.ts'
import { MailFailed, type Mail, type Message } from '../../features/mail/port.ts'
import { lettersPart, type WorkShares } from '../work-shares.ts'

interface Settings {
  readonly pollMs: number
  readonly atOnce: number
  /** The delay before a new letter is sent. Random, up to twice as long. */
  readonly delayMs: number
  readonly stopWithinMs: number
}

const defaults: Settings = { pollMs: 1_000, atOnce: 4, delayMs: 50, stopWithinMs: 4_000 }

interface Ports {
  readonly letters: Letters
  /** Null: letters are composed and kept for an operator. */
  readonly mail: Mail | null
  readonly composers: Composers
  readonly shares: WorkShares
  readonly log: Logger
  readonly config?: Partial<Settings>
}

export interface LetterSender {
  start(): void
  /** Begins no further try and waits for those under way, up to a limit: the next process repeats the others. */
  stop(): Promise<void>
}

export function createLetterSender({ letters, mail, composers, shares, log, config }: Ports): LetterSender {
  const { pollMs, atOnce, delayMs, stopWithinMs } = { ...defaults, ...config }
  /** By letter. */
  const underWay = new Map<string, Promise<void>>()
  let loop: Loop | null = null
  /** Letters that were kept before this process began to send mail: it queues them once. */
  let keptAreQueued = mail === null

  const messageFor = async (claimed: Claimed): Promise<Message | null> => {
    const ready = letters.messageOf(claimed)
    const { request } = claimed.content
    if (ready !== null || request === null) return ready
    const compose = composers[claimed.record.kind]
    if (!compose) throw new MailFailed('unknown kind', false)
    const message = await compose(request)
    if (message !== null && !(await letters.composed(claimed, message))) throw new MailFailed('replaced', true)
    return message
  }

  const attempt = async (claimed: Claimed): Promise<void> => {
    const { id, kind, tries } = claimed.record
    try {
      const message = await messageFor(claimed)
      if (message === null) return await letters.notNeeded(claimed)
      if (mail === null) return await letters.kept(claimed)
      await mail.send(message)
    } catch (error) {
      const { reason, isTemporary } = failureOf(error)
      const isRetried = await letters.failed(claimed, reason, isTemporary)
      const about = { letter: id, kind, reason, tries }
      if (isRetried) log.warn(about, 'Could not send a mail; retrying')
      else log.error(about, 'Could not send a mail')
      return
    }
    await letters.sent(claimed)
  }

  const make = async (due: LetterRecord): Promise<void> => {
    let isMade = false
    try {
      const claimed = await letters.claim(due)
      if (claimed) await shares.during(lettersPart, () => attempt(claimed))
      isMade = true
    } catch (error) {
      log.warn({ letter: due.id, reason: failureOf(error).reason }, 'Could not record what became of a mail')
    }
    underWay.delete(due.id)
    // Otherwise it is still due: while the records fail, it would be tried without a pause.
    if (isMade) loop?.wake()
  }

  const round = async (signal: AbortSignal): Promise<void> => {
    if (!shares.leads(lettersPart) || underWay.size >= atOnce) return
    if (!keptAreQueued) {
      await letters.retryAll('kept')
      keptAreQueued = true
    }
    const due = (await letters.due(2 * atOnce)).filter(({ id }) => !underWay.has(id))
    if (signal.aborted) return
    for (const each of due.slice(0, atOnce - underWay.size)) underWay.set(each.id, make(each))
  }

  return {
    start() {
      const report = reportOutages(log, 'The letter sender could not read the letters that are due')
      loop = startLoop({ everyMs: pollMs, round, onError: (error) => report('letters', error) })
      letters.onQueued(() => {
        const timer = setTimeout(() => loop?.wake(), delayMs * (1 + Math.random()))
        timer.unref()
      })
    },
    async stop() {
      await loop?.stop()
      if (!(await settledWithin(Promise.all(underWay.values()), stopWithinMs)))
        log.warn(
          { mails: underWay.size },
          'The server stopped while it was sending mail; it is sent again after the start',
        )
      await mail?.close()
    },
  }
}

/** Any other error, such as one of a store, may quote data that must not be logged. */
const failureOf = (error: unknown): MailFailed =>
  error instanceof MailFailed ? error : new MailFailed(error instanceof Error ? error.name : 'unknown', true)
