/** One request with a bounded wait, and what its failure says about a mutation. Nothing here is ever sent twice. */
import type { Outcome } from './port.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; null when there is none or it isn't JSON. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** A form (`URLSearchParams`), several parts (`FormData`), text or bytes. */
  readonly body?: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>
}

/**
 * Sends one request on a connection of its own and reads its whole answer within the time.
 * @throws Error when no complete answer came: see `neverLeft`
 */
export async function ask(url: string, sent: Sent, timeoutMs: number): Promise<Answer> {
  // On a kept connection that the network has closed meanwhile, nobody could tell whether the request arrived.
  return askKept(url, { ...sent, headers: { ...sent.headers, connection: 'close' } }, timeoutMs)
}

/** The same on a kept connection, which is faster: for what may be repeated, never for the mutation. */
export async function askKept(url: string, { method, headers, body }: Sent, timeoutMs: number): Promise<Answer> {
  const response = await fetch(url, {
    method: method ?? 'GET',
    headers: { ...headers },
    body: body ?? null,
    // A followed redirect would send a mutation again, and keys to wherever it leads.
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
    return { kind: 'rejected', cause: `${network} can't be reached just now.`, remedy: 'wait', retryAfterSeconds: null }
  }
  const late = error instanceof Error && error.name === 'TimeoutError'
  return { kind: 'unknown', cause: late ? `${network} did not answer in time.` : `The connection to ${network.replace(/^The /, 'the ')} broke off.` }
}

/** Seconds from a `Retry-After` header, which is a number of seconds or a date; null when it says nothing. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const header = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

/**
 * How far the network's clock is behind this machine's, in milliseconds, from the `Date` header; never negative.
 * The header counts whole seconds, so a second's difference says nothing.
 */
export function behindMs(headers: Headers, now = Date.now()): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : Math.max(0, now - date - 1_000)
}

const longestWords = 300

/** A network's own words, short enough for a person. It may quote a key that it doesn't like: long runs of letters go. */
export function words(said: unknown): string | null {
  if (typeof said !== 'string' || said.trim() === '') return null
  return said.trim().replace(/[\w~.+/=%|:-]{24,}/g, '…').slice(0, longestWords)
}

/** A query with every value encoded; absent ones left out. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return pairs.join('&')
}
