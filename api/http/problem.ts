/** Error answers: one sentence for humans, as text or as problem+json (RFC 9457). */
import type { Request, Response } from 'express'

/** An error answer. `type` is a stable kebab-case name. */
export class Problem extends Error {
  override readonly name = 'Problem'
  constructor(
    readonly status: number,
    readonly type: string,
    sentence: string,
    readonly headers: Readonly<Record<string, string>> = {},
    /** For the log only. */
    cause?: unknown,
    /** Further members of the problem, for those who ask for problem+json. */
    readonly more: Readonly<Record<string, unknown>> = {},
  ) {
    super(sentence, { cause })
  }
}

export const notFound = (what = 'This') => new Problem(404, 'not-found', `${what} doesn't exist.`)

/** @param maxBytes the limit of the route's body */
export const tooLarge = (maxBytes: number): Problem =>
  new Problem(413, 'too-large', `That is too large: at most ${sizeOf(maxBytes)} can be sent.`)

const kilobyte = 1024
const sizeOf = (bytes: number) =>
  bytes < kilobyte * kilobyte ? `${Math.floor(bytes / kilobyte)} kB` : `${Math.floor(bytes / kilobyte / kilobyte)} MB`

/** Whether a body follows the headers (RFC 9112, section 6). */
export const hasBody = (request: Request): boolean =>
  request.get('Transfer-Encoding') !== undefined || Number(request.get('Content-Length') ?? 0) > 0

export function sendProblem(request: Request, response: Response, problem: Problem): void {
  const { status, type, message, headers, more } = problem
  response.status(status).set({ 'Cache-Control': 'no-store', ...headers })
  if (request.accepts(['text/plain', 'application/problem+json']) === 'application/problem+json') {
    response.type('application/problem+json').send(
      JSON.stringify({
        ...more,
        type: `/problems/${type}`,
        title: titles[status] ?? 'Error',
        status,
        detail: message,
      }),
    )
  } else {
    response.type('text/plain').send(message)
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid',
  401: 'Not signed in',
  402: 'Subscription needed',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Refused',
  412: 'Changed meanwhile',
  413: 'Too large',
  415: 'Wrong type',
  421: 'Wrong host',
  429: 'Too many requests',
  502: 'Network error',
  503: 'Unavailable',
}
