/** One request with a timeout, and what its failure means for a mutation. No request is ever sent twice. */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Outcome } from './port.ts'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON body; null if it is empty or isn't JSON. */
  readonly body: unknown
}

export interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** A form (`URLSearchParams`), multipart (`FormData`), text or bytes. */
  readonly body?: string | URLSearchParams | FormData | Uint8Array<ArrayBuffer>
}

/**
 * Starts a request's timeout, which calls `expire` after these milliseconds, and returns the function that stops it.
 * A test's timeouts expire at an event instead.
 */
export type StartTimeout = (request: ClientRequest, ms: number, expire: () => void) => () => void

export interface Timeout {
  readonly ms: number
  /** Default: a timer. */
  readonly start?: StartTimeout | undefined
}

const startTimer: StartTimeout = (_, ms, expire) => {
  const timer = setTimeout(expire, ms)
  return () => clearTimeout(timer)
}

/**
 * Sends one request and reads its whole response within the timeout; for the mutation. Its connection is new, or was
 * used a moment ago: the network may close a longer idle one just as the request is sent, and then it would be unknown
 * whether the request arrived.
 * @throws Error without a complete response: see `neverLeft`
 */
export function ask(url: string, sent: Sent, timeout: Timeout): Promise<Answer> {
  return exchange(url, sent, timeout, fresh)
}

/** The same on a connection kept open for longer: for repeatable requests, never for the mutation. */
export function askKept(url: string, sent: Sent, timeout: Timeout): Promise<Answer> {
  return exchange(url, sent, timeout, kept)
}

interface Agents {
  readonly 'http:': HttpAgent
  readonly 'https:': HttpsAgent
}

const agents = (idleMs: number): Agents => {
  const options = { keepAlive: true, timeout: idleMs, maxSockets: 64 }
  return { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) }
}
/** In ms. Networks and their proxies keep an idle connection open for several seconds. */
const fresh = agents(500)
const kept = agents(4_000)
const maxAnswerBytes = 10 * 1024 * 1024

/** Follows no redirect: that would send a mutation again, and tokens to an unknown server. */
async function exchange(
  url: string,
  { method = 'GET', headers, body }: Sent,
  { ms, start = startTimer }: Timeout,
  pool: Agents,
): Promise<Answer> {
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  const { bytes, type } = await encoded(body)
  const options = {
    method,
    agent: pool[isSecure ? 'https:' : 'http:'],
    headers: {
      accept: 'application/json',
      ...(type === null ? {} : { 'content-type': type }),
      ...(bytes === null ? {} : { 'content-length': String(bytes.byteLength) }),
      ...headers,
    },
  }
  return new Promise<Answer>((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(target, options)
    let isConnected = false
    const stopTimeout = start(request, ms, () => request.destroy(new TimedOut(isConnected)))
    const fail = (error: unknown) => {
      stopTimeout()
      reject(error)
    }
    request.once('socket', (socket) => {
      isConnected = !socket.connecting
      if (!isConnected) socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
    })
    request.once('error', fail)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size > maxAnswerBytes) request.destroy(new Error('The answer is too long'))
      })
      response.once('error', fail)
      response.once('end', () => {
        stopTimeout()
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders), body: parsed(text) })
      })
    })
    request.end(bytes ?? undefined)
  })
}

/** No complete response in time. A timeout before the connection was open means that nothing can have arrived. */
class TimedOut extends Error {
  override readonly name = 'TimeoutError'
  readonly code: string
  constructor(isConnected: boolean) {
    super('No answer in time')
    this.code = isConnected ? 'ETIMEDOUT' : 'ECONNTIMEDOUT'
  }
}

async function encoded(
  body: Sent['body'],
): Promise<{ readonly bytes: Uint8Array | null; readonly type: string | null }> {
  if (body === undefined) return { bytes: null, type: null }
  if (body instanceof Uint8Array) return { bytes: body, type: null }
  if (typeof body === 'string') return { bytes: Buffer.from(body), type: null }
  if (body instanceof URLSearchParams)
    return { bytes: Buffer.from(body.toString()), type: 'application/x-www-form-urlencoded;charset=UTF-8' }
  const form = new Response(body)
  return { bytes: new Uint8Array(await form.arrayBuffer()), type: form.headers.get('content-type') }
}

function headersOf(raw: readonly string[]): Headers {
  const headers = new Headers()
  for (let index = 0; index + 1 < raw.length; index += 2) headers.append(raw[index] ?? '', raw[index + 1] ?? '')
  return headers
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Errors while connecting: no byte of the request can have arrived. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ECONNTIMEDOUT',
  'ERR_INVALID_URL',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** True if the request was provably never sent; false if it may have arrived. */
export function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Several addresses of one host were tried: all of them must have failed before sending.
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(neverLeft)
  // The same code may come from a connection that has already carried the request.
  const isLater = 'syscall' in error && !['connect', 'getaddrinfo'].includes(String(error.syscall))
  if ('code' in error && typeof error.code === 'string' && beforeSending.has(error.code)) return !isLater
  return error.cause !== undefined && neverLeft(error.cause)
}

/** The outcome of a mutation without a complete response. */
export function outcomeOfFailure(network: string, error: unknown): Outcome {
  if (neverLeft(error)) {
    return { kind: 'rejected', cause: `${network} can't be reached just now.`, remedy: 'wait', retryAfterSeconds: null }
  }
  const late = error instanceof Error && error.name === 'TimeoutError'
  return {
    kind: 'unknown',
    cause: late
      ? `${network} did not answer in time.`
      : `The connection to ${network.replace(/^The /, 'the ')} broke off.`,
  }
}

/** Upper limit of a retry-after: no network means more than a day. */
const longestRetrySeconds = 24 * 3600

/** Seconds from a `Retry-After` header (a number of seconds or a date), at most a day; null without a valid value. */
export function retryAfterOf(headers: Headers, now = Date.now()): number | null {
  const header = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(header)) return Math.min(Number(header), longestRetrySeconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.min(Math.max(0, Math.ceil((at - now) / 1000)), longestRetrySeconds)
}

/**
 * How far the network's clock is behind ours, in milliseconds, from the `Date` header; never negative.
 * The header has whole seconds, so a difference of a second means nothing.
 */
export function behindMs(headers: Headers, now = Date.now()): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? 0 : Math.max(0, now - date - 1_000)
}

const longestWords = 300

/**
 * A network's own message, shortened for a user. It may quote a rejected token, so long runs of letters are removed.
 */
export function words(said: unknown): string | null {
  if (typeof said !== 'string' || said.trim() === '') return null
  return said
    .trim()
    .replace(/[\w~.+/=%|:-]{24,}/g, '…')
    .slice(0, longestWords)
}

/** A query string with every value encoded; absent values are omitted. */
export function query(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`],
  )
  return pairs.join('&')
}
