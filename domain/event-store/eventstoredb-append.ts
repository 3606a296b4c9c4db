/** Appends to EventStoreDB, tried again until the outcome is known. */
import { setTimeout } from 'node:timers/promises'
import { jsonEvent, MaxAppendSizeExceededError, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client'
import type { ChainedEvent, Position } from '../core/event.ts'
import { appendBytes, mustFit } from './append-size.ts'
import {
  ClientReplaced,
  isLate,
  MissedDeadline,
  slowMs,
  type Clients,
  type ClientInUse,
} from './eventstoredb-client.ts'
import { toPosition } from './eventstoredb-events.ts'
import type { Troubles } from './eventstoredb-trouble.ts'
import {
  AppendTooLarge,
  OutcomeUnknown,
  SettingRefused,
  StoreUnavailable,
  WrongExpectedRevision,
  type ExpectedRevision,
} from './port.ts'

export interface Timeouts {
  /** For one request, and for a read's silence between two events. */
  readonly answerMs: number
  /** An append with an unknown outcome is retried this long: the same events at the same revision are stored once. */
  readonly appendMs: number
  readonly betweenTriesMs: number
}

export interface Through {
  readonly clients: Clients
  readonly troubles: Troubles
  readonly timeouts: Timeouts
}

/** The server's own deadline, which gRPC sends as a duration, comes first. */
const lateMs = 500
/**
 * The deadline of an append in a shared call is a point in time, which the server compares with its own clock, and
 * shortens to its own limit (EventStoreDB 23.10, Streams.BatchAppend.cs). Only the timer of this process counts.
 */
const sharedDeadlineMs = 24 * 3_600_000

/**
 * @returns the position of the last event; `stored` where the server doesn't return one, `conflict` where it doesn't
 *   return the actual revision
 */
export async function appendUntilKnown(
  { clients, troubles, timeouts }: Through,
  stream: string,
  expected: ExpectedRevision,
  events: readonly ChainedEvent[],
): Promise<{ readonly position: Position } | 'stored' | 'conflict'> {
  const messages = events.map(({ name, data, metadata }) =>
    jsonEvent({ id: metadata.eventId, type: name, data, metadata: { ...metadata } }),
  )
  const texts = events.map(({ name, data, metadata }) => ({
    name,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  }))
  mustFit(stream, texts)
  const { answerMs, appendMs, betweenTriesMs } = timeouts
  const deadline = clients.isCluster ? answerMs : sharedDeadlineMs
  const expectedRevision = expected === 'no-stream' ? NO_STREAM : BigInt(expected)
  const until = performance.now() + appendMs
  let mayBeStored = false
  for (;;) {
    const use = clients.current
    try {
      const options = { expectedRevision, deadline, requiresLeader: true } as const
      const asked = use.client.appendToStream(stream, messages, options)
      use.pending.add(asked)
      asked.catch(() => undefined).finally(() => use.pending.delete(asked))
      const { success, position } = await answered(
        clients,
        use,
        asked,
        clients.isCluster ? answerMs + lateMs : answerMs,
      )
      // With `throwOnAppendFailure=false` the client reports a conflict like this.
      if (!success) return 'conflict'
      return position ? { position: toPosition(position) } : 'stored'
    } catch (error) {
      if (error instanceof WrongExpectedVersionError)
        throw new WrongExpectedRevision(stream, expected, revisionOf(error.actualVersion))
      // A server whose own limit was set lower.
      if (error instanceof MaxAppendSizeExceededError)
        throw new AppendTooLarge(stream, appendBytes(texts), error.maxAppendSize)
      const away = await troubles.of(error, 'append to streams')
      if (!(away instanceof StoreUnavailable)) throw away
      // The server was not reached, or refused the user before it read the append: nothing was stored.
      if (away instanceof SettingRefused && !mayBeStored) throw away
      if (isLate(error)) clients.replaceIfSilent(use)
      mayBeStored = true
      if (performance.now() + betweenTriesMs > until) throw new OutcomeUnknown(away.message, { cause: error })
    }
    await setTimeout(betweenTriesMs)
  }
}

const revisionOf = (actual: unknown): number => (typeof actual === 'bigint' ? Number(actual) : -1)

/** Waits by this process's clock, which is never set back. */
async function answered<T>(clients: Clients, use: ClientInUse, answer: Promise<T>, ms: number): Promise<T> {
  const stop = new AbortController()
  const slow = setInterval(() => clients.lookForLeader(use), slowMs)
  const replaced = new Promise<never>((_, reject) => {
    use.replaced.addEventListener('abort', () => reject(new ClientReplaced()), { once: true, signal: stop.signal })
  })
  const late = setTimeout(ms, undefined, { signal: stop.signal }).then(() => {
    throw new MissedDeadline()
  })
  try {
    return await Promise.race([answer, late, replaced])
  } finally {
    clearInterval(slow)
    stop.abort()
  }
}
