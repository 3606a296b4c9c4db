/** A connector's HTTP client: sends requests, maps unsuccessful responses, and translates them to the port's terms. */
import { z } from 'zod'
import type { Platform } from '../../domain/core/values.ts'
import type { Remedy } from '../../domain/post/commands.ts'
import type { Clock } from '../core/clock.ts'
import { ask, askKept, outcomeOfFailure, type Answer, type Sent, type StartTimeout } from './http.ts'
import { networkNames } from '../contract/network-names.ts'
import { ConnectionLost, NetworkError, type Network, type Outcome, type Rejection } from './port.ts'

/** What every connector gets besides its own settings. */
export interface Setup {
  readonly mode: Network['mode']
  readonly clock: Clock
  /** Timeout of one response, in milliseconds; an upload has three times as long. */
  readonly timeoutMs: number
  /** How a timeout starts. Default: as a timer. */
  readonly startTimeout?: StartTimeout | undefined
  /** Sent with each request, besides the network's own. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

export const defaultTimeoutMs = 10_000

/**
 * An unsuccessful response. refused: it had no effect. lost: these tokens will never work again.
 * unclear: the network itself failed, so a mutation may have succeeded.
 */
export interface Refusal {
  readonly verdict: 'refused' | 'lost' | 'unclear'
  /** One sentence for a user, without secrets. */
  readonly cause: string
  readonly remedy: Remedy
  readonly retryAfterSeconds: number | null
}

export const refused = (cause: string, remedy: Remedy, retryAfterSeconds: number | null = null): Refusal => ({
  verdict: 'refused',
  cause,
  remedy,
  retryAfterSeconds,
})
export const lost = (name: string): Refusal => ({
  ...refused(`${name} no longer accepts this connection. Connect the account again.`, 'reconnect'),
  verdict: 'lost',
})
export const unclear = (name: string, status: number): Refusal => ({
  ...refused(`${name} answered with an error (${status}).`, 'wait'),
  verdict: 'unclear',
})
/** @param said the network's own message, already shortened */
export const refusedAs = (name: string, status: number, said: string | null, remedy: Remedy): Refusal =>
  refused(`${name} refused this${said === null ? ` (${status}).` : `: ${said}`}`, remedy)

/** A refusal that had no effect, with its remedy. */
export class Refused extends NetworkError {
  constructor(
    readonly refusal: Refusal,
    readonly status: number,
  ) {
    super(refusal.cause)
  }
}

export interface NetworkClient {
  /** The name shown to users, e.g. `X (Twitter)` or `The X (Twitter) sandbox`. */
  readonly name: string
  /** Sends a repeatable request. @throws ConnectionLost, Refused, NetworkError */
  ask<T>(url: string, sent: Sent, shape: z.ZodType<T>): Promise<T>
  /** The same, with the response headers. @throws ConnectionLost, Refused, NetworkError */
  whole<T>(url: string, sent: Sent, shape: z.ZodType<T>): Promise<{ readonly body: T; readonly headers: Headers }>
  /** Returns any response, of any status. @throws NetworkError */
  any(url: string, sent: Sent): Promise<Answer>
  /** The one mutation, sent once on a fresh connection. `idOf` reads the new post's id. */
  mutate(url: string, sent: Sent, idOf: (answer: Answer) => string | null): Promise<Outcome>
}

export function networkClient(
  platform: Platform,
  { mode, timeoutMs, startTimeout: start, headers }: Setup,
  judge: (name: string, answer: Answer) => Refusal,
): NetworkClient {
  const name = mode === 'sandbox' ? `The ${networkNames[platform]} sandbox` : networkNames[platform]
  const succeeded = ({ status }: Answer) => status >= 200 && status < 300

  const withHeaders = (sent: Sent): Sent =>
    headers === undefined ? sent : { ...sent, headers: { ...headers, ...sent.headers } }

  const any = async (url: string, sent: Sent): Promise<Answer> => {
    const isUpload = sent.body instanceof FormData || sent.body instanceof Uint8Array
    try {
      return await askKept(url, withHeaders(sent), { ms: isUpload ? timeoutMs * 3 : timeoutMs, start })
    } catch {
      // The cause is dropped: it may quote a URL with a token in it.
      throw new NetworkError(`${name} can't be reached just now.`)
    }
  }
  const whole = async <T>(url: string, sent: Sent, shape: z.ZodType<T>) => {
    const answer = await any(url, sent)
    if (!succeeded(answer)) throw errorOf(judge(name, answer), answer.status)
    return { body: understood(name, shape, answer.body), headers: answer.headers }
  }

  return {
    name,
    any,
    whole,
    ask: async (url, sent, shape) => (await whole(url, sent, shape)).body,
    async mutate(url, sent, idOf) {
      try {
        const answer = await ask(url, withHeaders(sent), { ms: timeoutMs, start })
        if (!succeeded(answer)) return outcomeOf(judge(name, answer))
        const remoteId = idOf(answer)
        // The post was accepted, but without an id: only the network's feed can identify it.
        if (remoteId === null)
          return { kind: 'unknown', cause: `${name} took the post but its answer could not be read.` }
        return { kind: 'accepted', remoteId, url: null }
      } catch (error) {
        return outcomeOfFailure(name, error)
      }
    },
  }
}

/** @throws NetworkError when the body doesn't match the shape */
export function understood<T>(name: string, shape: z.ZodType<T>, body: unknown): T {
  const parsed = shape.safeParse(body)
  if (!parsed.success) throw new NetworkError(`${name} gave an answer that could not be read.`)
  return parsed.data
}

const errorOf = (refusal: Refusal, status: number): NetworkError =>
  refusal.verdict === 'lost' ? new ConnectionLost(refusal.cause) : new Refused(refusal, status)

function outcomeOf({ verdict, cause, remedy, retryAfterSeconds }: Refusal): Outcome {
  if (verdict !== 'unclear') return { kind: 'rejected', cause, remedy, retryAfterSeconds }
  return { kind: 'unknown', cause: `${cause.replace(/\.$/, '')} and may have taken the post.` }
}

export const rejected = (cause: string, remedy: Remedy, retryAfterSeconds: number | null = null): Rejection => ({
  kind: 'rejected',
  cause,
  remedy,
  retryAfterSeconds,
})

/**
 * The rejection of a failed preparation: nothing was published.
 * @throws errors other than NetworkError
 */
export function rejectionOf(error: unknown): Rejection {
  if (error instanceof Refused)
    return rejected(error.refusal.cause, error.refusal.remedy, error.refusal.retryAfterSeconds)
  if (error instanceof ConnectionLost) return rejected(error.message, 'reconnect')
  if (error instanceof NetworkError) return rejected(error.message, 'wait')
  throw error
}

/** For `check`, where a missing permission is as bad as a dead token. */
export function lostIfRefused(error: unknown): unknown {
  return error instanceof Refused && error.refusal.remedy === 'reconnect' ? new ConnectionLost(error.message) : error
}

/** Null on failure: for requests after an accepted post, which are optional. */
export async function orNull<T>(wanted: Promise<T>): Promise<T | null> {
  try {
    return await wanted
  } catch (error) {
    if (error instanceof NetworkError) return null
    throw error
  }
}
