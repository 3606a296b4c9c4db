/** One request with a bounded wait, and what its failure says about a mutation. Nothing here is ever sent twice. */
import type { Outcome } from './port.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; null when there is none or it isn't JSON. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | URLSearchParams
}

/**
 * Sends one request and reads its whole answer within the time.
 * @throws Error when no complete answer came: see `neverLeft`
 */
export async function ask(url: string, init: Sent, timeoutMs: number): Promise<Answer> {
  const response = await fetch(url, {
    ...init,
    // A connection of its own: on a kept one that the network has closed meanwhile, nobody could tell whether the request arrived.
    headers: { ...init.headers, connection: 'close' },
    // A followed redirect would send a mutation again.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Errors of the connection's beginning: no byte of the request can have arrived. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** True when the request provably never left; false when it may have arrived. */
export function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Several addresses of one host were tried: all of them must have failed before sending.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverLeft)
  if ('code' in error && typeof error.code === 'string' && beforeSending.has(error.code)) return true
  return error.cause !== undefined && neverLeft(error.cause)
}

/** What a mutation without a complete answer came to. */
export function outcomeOfFailure(network: string, error: unknown): Outcome {
  if (neverLeft(error)) {
    return { kind: 'rejected', cause: `${network} can't be reached just now.`, final: false, retryAfterSeconds: null }
  }
  const late = error instanceof Error && error.name === 'TimeoutError'
  return { kind: 'unknown', cause: late ? `${network} did not answer in time.` : `The connection to ${network.replace(/^The /, 'the ')} broke off.` }
}

const defaultWaitSeconds = 60

/** What a mutation that was answered with anything but success came to. */
export function outcomeOfRefusal(network: string, { status, headers, body }: Answer, now = Date.now()): Outcome {
  const rejected = (cause: string, final: boolean, retryAfterSeconds: number | null = null): Outcome => ({
    kind: 'rejected',
    cause,
    final,
    retryAfterSeconds,
  })
  if (status === 429) {
    const wait = waitOf(headers.get('retry-after'), now) ?? defaultWaitSeconds
    return rejected(`${network} asks us to slow down.`, false, wait)
  }
  if (status === 401 || status === 403) {
    return rejected(`${network} no longer accepts this connection. Connect the account again, then retry.`, true)
  }
  if (status === 408 || status === 425) return rejected(`${network} was too busy to take the post.`, false)
  if (status >= 400 && status < 500) {
    const said = messageIn(body)
    return rejected(`${network} refused the post${said === null ? ` (${status}).` : `: ${said}`}`, true)
  }
  return { kind: 'unknown', cause: `${network} answered with an error (${status}) and may have taken the post.` }
}

/** Seconds from a `Retry-After` header, which is a number of seconds or a date; null when it says nothing. */
function waitOf(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

/** A network's own words, short enough for a person. */
function messageIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null
  const { error } = body
  if (typeof error !== 'object' || error === null || !('message' in error)) return null
  const { message } = error
  return typeof message === 'string' && message !== '' ? message.slice(0, 300) : null
}
