/** What every request passes before any route: headers, origin, type and size. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { UnknownEvent } from '../../domain/core/history.ts'
import {
  Damaged,
  NoRoom,
  OutcomeUnknown,
  StoreUnavailable,
  UnreadableEvent,
  WrongExpectedRevision,
} from '../../domain/event-store/port.ts'
import { CantStore } from '../core/cant-store.ts'
import { isLoopback } from '../core/public-url.ts'
import { RecordsFull } from '../records/bounded.ts'
import { notFound, Problem, sendProblem, tooLarge } from './problem.ts'

/** Nothing here asks for any of it: what was smuggled into a page can't either. Copying to the clipboard is allowed by default. */
const permissions = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/** The same headers on every answer, so they are worked out once. */
export function securityHeaders(secure: boolean): RequestHandler {
  const headers = told(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          // The one style element that react-aria adds to dialogs, on iOS alone, by its hash.
          styleSrc: ["'self'", "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"],
          imgSrc: ["'self'", 'data:', 'https:', 'http:'],
          connectSrc: ["'self'"],
          fontSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          // A form here posts to this server, which may send the browser on to a network's consent page and back.
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: secure,
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'same-origin' },
    }),
  ).concat([['Permissions-Policy', permissions]])
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value)
    next()
  }
}

/** What a middleware sets on an answer. */
function told(middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => void) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => undefined)
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const)
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses what another site makes a browser send. */
export const sameSite =
  (publicOrigin: string): RequestHandler =>
  (request, _response, next) => {
    if (safe.has(request.method)) return next()
    const site = request.get('Sec-Fetch-Site')
    const origin = request.get('Origin')
    const foreign =
      site !== undefined
        ? site !== 'same-origin' && site !== 'none'
        : origin !== undefined && origin !== publicOrigin && !isSameHost(origin, request.get('Host'))
    next(foreign ? new Problem(403, 'cross-site', 'Requests from other sites are not accepted.') : undefined)
  }

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

/** A link that a person follows; not an image or a frame that makes a browser ask, nor another site's page. */
export const followedLink: RequestHandler = (request, _response, next) => {
  const destination = request.get('Sec-Fetch-Dest')
  const isAsked = destination === undefined || destination === 'document'
  if (isAsked && request.get('Sec-Fetch-Site') !== 'cross-site') return next()
  next(new Problem(403, 'cross-site', 'Follow the link to sign out.'))
}

/**
 * A server for this machine alone is asked by its names. Another site's name that was made to lead here (DNS rebinding) would
 * make a browser take that site's pages and this server's answers for one another's.
 */
export const knownHost = (
  { HOST, TRUST_PROXY }: { readonly HOST: string; readonly TRUST_PROXY: boolean },
  publicUrl: string,
): RequestHandler => {
  const isHere = isLoopback(HOST) && !TRUST_PROXY
  const own = new URL(publicUrl).hostname
  return (request, _response, next) => {
    const asked = request.get('Host') ?? ''
    const name = URL.canParse(`http://${asked}`) ? new URL(`http://${asked}`).hostname : ''
    next(
      !isHere || name === own || isLoopback(name)
        ? undefined
        : new Problem(421, 'wrong-host', `This server answers at ${publicUrl}, and at no other name.`),
    )
  }
}

/** On a laptop people open one address or the other; the cookie, and a network's way back, know only one. */
export const oneLoopbackName = (publicUrl: string): RequestHandler => {
  const { hostname, port } = new URL(publicUrl)
  const other = hostname === 'localhost' ? `127.0.0.1:${port}` : null
  return (request, response, next) => {
    if (other === null || request.method !== 'GET' || request.get('Host') !== other) return next()
    if (request.get('Sec-Fetch-Dest') !== 'document') return next()
    response.redirect(302, publicUrl + request.originalUrl)
  }
}

/**
 * Nobody is signed in: for a program that is a 401. For a browser that only wants to know which page to show it isn't an error,
 * and it asks so (RFC 7240), because it writes every 401 into its console.
 */
export const nobodyIsAnAnswer: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const isLenient = request.get('Prefer') === lenient
  if (!isLenient || !(error instanceof Problem) || error.status !== 401) return next(error)
  response.status(204).set({ 'Cache-Control': 'no-store', 'Preference-Applied': lenient }).end()
}

const lenient = 'handling=lenient'

/** What anybody can bring about by asking, and asking again, must not fill the log: nothing of the server has failed. */
const noFailures: ReadonlySet<string> = new Set([
  'busy',
  'no-mail',
  'no-model',
  'payments-not-set-up',
  'records-full',
  'stopping',
])

/** The last stop: expected problems as they are; anything else is logged, and told without its inner workings. */
export const answerErrors =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    const problem = problemOfError(error)
    const about = {
      err: error,
      correlationId: response.getHeader('X-Request-Id'),
      path: request.path,
      method: request.method,
    }
    if (noFailures.has(problem.type)) log.debug(about, 'request refused')
    else if (problem.status >= 500) log.error(about, 'request failed')
    sendProblem(request, response, problem)
  }

const unreadable =
  "Something that this server keeps can't be read, so this can't be done. Nothing was changed; please tell whoever runs it."

/** The answer to any error: expected ones by their kind, all others as a 500 without their inner workings. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof OutcomeUnknown) {
    return new Problem(
      503,
      'outcome-unknown',
      'The data store stopped answering while this was being saved. Look whether it is there before you try again.',
      { 'Retry-After': '5' },
    )
  }
  if (error instanceof NoRoom) {
    return new Problem(
      503,
      'no-room',
      "There is no room left on this server's disk. Nothing was changed; please tell whoever runs it.",
      { 'Retry-After': '60' },
    )
  }
  if (error instanceof Damaged) return new Problem(503, 'damaged', unreadable)
  // What no code of this version knows, a newer one may have written.
  if (error instanceof UnreadableEvent || error instanceof UnknownEvent) return new Problem(500, 'damaged', unreadable)
  if (error instanceof StoreUnavailable) {
    return new Problem(
      503,
      'store-unavailable',
      'The data store is not available right now. Nothing was changed; please try again.',
      { 'Retry-After': '5' },
    )
  }
  if (error instanceof RecordsFull) return new Problem(503, 'records-full', error.sentence, { 'Retry-After': '3600' })
  if (error instanceof CantStore) return new Problem(503, 'no-room', error.message, { 'Retry-After': '60' })
  if (error instanceof WrongExpectedRevision) {
    return new Problem(503, 'busy', 'Too many people changed this at once. Please try again.', { 'Retry-After': '1' })
  }
  // A part of the path that stands for no text names nothing.
  if (error instanceof URIError) return notFound()
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return tooLarge(error instanceof Error && 'limit' in error ? Number(error.limit) : 0)
  if (type === 'entity.parse.failed') return new Problem(400, 'invalid', 'The body is not valid JSON.')
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return new Problem(415, 'wrong-type', 'Send the body uncompressed, as UTF-8 JSON.')
  }
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500
  if (status >= 400 && status < 500) return new Problem(status, 'invalid', 'The request is not valid.')
  return new Problem(500, 'internal', 'Something went wrong on our side. Nothing you typed is lost; please try again.')
}
