/** Checks on every request before any route: headers, origin, type and size. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import { Crowded } from '../../domain/core/fair-queue.ts'
import { UnknownEvent } from '../../domain/core/history.ts'
import {
  AppendTooLarge,
  BeingBuilt,
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

/**
 * Browser features that the app never uses, denied to injected scripts too. Clipboard writing is allowed by default.
 */
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
  'screen-wake-lock',
  'usb',
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

/**
 * Of those headers, what also protects an answer that is no page: the others would be a kilobyte on each.
 * https://cheatsheetseries.owasp.org/cheatsheets/REST_Security_Cheat_Sheet.html#security-headers (read in 2026-11)
 */
const ofAnswers = new Set([
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
])
const policyOfAnswers = ['Content-Security-Policy', "default-src 'none';frame-ancestors 'none'"] as const

/** The headers are the same on every page, and on every answer of the API, so they are computed once. */
export function securityHeaders(secure: boolean): RequestHandler {
  const headers = asHandler(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          // The hash of the one style element that react-aria adds to dialogs, on iOS only.
          styleSrc: ["'self'", "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='"],
          imgSrc: ["'self'", 'data:', 'https:', 'http:'],
          connectSrc: ["'self'"],
          fontSrc: ["'self'"],
          objectSrc: ["'none'"],
          baseUri: ["'none'"],
          // A form here posts to this server, which may redirect the browser to a network's consent page and back.
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
        },
      },
      strictTransportSecurity: secure,
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'same-origin' },
    }),
  ).concat([['Permissions-Policy', permissions]])
  const answerHeaders = [...headers.filter(([name]) => ofAnswers.has(name)), policyOfAnswers]
  return (request, response, next) => {
    const some = request.path.startsWith('/api/') ? answerHeaders : headers
    for (const [name, value] of some) response.setHeader(name, value)
    next()
  }
}

/** For what is reached by a secret address: no search engine lists it, no other site learns of it, none keeps it. */
export const untraced: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Robots-Tag', 'noindex')
  next()
}

/** The headers that a middleware sets on an answer. */
function asHandler(middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => void) {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  middleware(request, response, () => undefined)
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const)
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses requests that another site makes a browser send. */
export const sameSite =
  (publicOrigin: string, count: (request: Request) => Promise<void>): RequestHandler =>
  async (request, _response, next) => {
    if (safe.has(request.method)) return next()
    const site = request.get('Sec-Fetch-Site')
    const origin = request.get('Origin')
    const foreign =
      site !== undefined
        ? site !== 'same-origin' && site !== 'none'
        : origin !== undefined && origin !== publicOrigin && !isSameHost(origin, request.get('Host'))
    if (!foreign) return next()
    await count(request)
    throw new Problem(403, 'cross-site', 'Requests from other sites are not accepted.')
  }

function isSameHost(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Allows links that a user follows; refuses requests by images and frames, and from other sites' pages.
 * @param remedy what the user can do instead
 */
export const followedLink =
  (remedy: string): RequestHandler =>
  (request, _response, next) => {
    const destination = request.get('Sec-Fetch-Dest')
    const isAsked = destination === undefined || destination === 'document'
    if (isAsked && request.get('Sec-Fetch-Site') !== 'cross-site') return next()
    next(new Problem(403, 'cross-site', remedy))
  }

/**
 * A server that listens on loopback only is addressed by its loopback names. Refusing all others prevents DNS
 * rebinding, where a foreign host name resolves to this server and a browser treats both as one origin.
 */
export const knownHost = (
  { HOST, TRUST_PROXY }: { readonly HOST: string; readonly TRUST_PROXY: boolean },
  publicUrl: string,
): RequestHandler => {
  const isHere = isLoopback(HOST) && !TRUST_PROXY
  const own = new URL(publicUrl).hostname
  /** The last name that was accepted: nearly all requests have the same one. */
  let accepted: string | null = null
  return (request, _response, next) => {
    const asked = request.get('Host') ?? ''
    if (!isHere || asked === accepted) return next()
    const name = URL.canParse(`http://${asked}`) ? new URL(`http://${asked}`).hostname : ''
    if (name !== own && !isLoopback(name))
      return next(new Problem(421, 'wrong-host', `This server answers at ${publicUrl}, and at no other name.`))
    accepted = asked
    next()
  }
}

/** Redirects between the two loopback names, because the cookie and the networks' callbacks know only one. */
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
 * Without a session, API clients get a 401. Browsers that only decide which page to show ask with `Prefer` (RFC 7240)
 * and get a 204 instead, because they log every 401 to the console.
 */
export const notFoundAsJson: ErrorRequestHandler = (error: unknown, request, response, next) => {
  const isLenient = request.get('Prefer') === lenient
  if (!isLenient || !(error instanceof Problem) || error.status !== 401) return next(error)
  response
    .status(204)
    .set({ 'Cache-Control': 'no-store', ...error.headers, 'Preference-Applied': lenient })
    .end()
}

const lenient = 'handling=lenient'

/** Problems that any client can cause by repeated requests must not fill the log: nothing on the server has failed. */
const noFailures: ReadonlySet<string> = new Set(['busy', 'no-model', 'payments-not-set-up', 'records-full', 'stopping'])

/**
 * The last error handler: expected problems as they are; other errors are logged and answered without internal details.
 */
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
    if (noFailures.has(problem.type) || error instanceof BeingBuilt) log.debug(about, 'Refused a request')
    else if (problem.status >= 500) log.error(about, 'Could not serve a request')
    sendProblem(request, response, problem)
  }

const unreadable =
  "Something that this server keeps can't be read, so this can't be done. Nothing was changed; please tell its operator."

/** Maps an error to an answer: expected ones by kind, all others to a 500 without internal details. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof OutcomeUnknown) {
    return new Problem(
      503,
      'outcome-unknown',
      'The data store stopped answering while this was being saved. Check whether it was saved before you try again.',
      { 'Retry-After': '5' },
    )
  }
  if (error instanceof NoRoom) {
    return new Problem(
      503,
      'no-room',
      "There is no room left on this server's disk. Nothing was changed; please tell its operator.",
      { 'Retry-After': '60' },
    )
  }
  if (error instanceof Damaged) return new Problem(503, 'damaged', unreadable)
  // An event unknown to this version may come from a newer one.
  if (error instanceof UnreadableEvent || error instanceof UnknownEvent) return new Problem(500, 'damaged', unreadable)
  if (error instanceof BeingBuilt) {
    const sentence = 'This list is being prepared after an update. Please try again in a few minutes.'
    return new Problem(503, 'store-unavailable', sentence, { 'Retry-After': '30' })
  }
  if (error instanceof StoreUnavailable) {
    return new Problem(
      503,
      'store-unavailable',
      'The data store is not available right now. Nothing was changed; please try again.',
      { 'Retry-After': '5' },
    )
  }
  if (error instanceof AppendTooLarge) {
    const sentence = 'That is too much to save at once. Nothing was changed; make the text shorter, then try again.'
    return new Problem(413, 'too-large', sentence)
  }
  if (error instanceof RecordsFull) return new Problem(503, 'records-full', error.sentence, { 'Retry-After': '3600' })
  if (error instanceof CantStore) return new Problem(503, 'no-room', error.message, { 'Retry-After': '60' })
  if (error instanceof WrongExpectedRevision) {
    return new Problem(503, 'busy', 'Too many people changed this at once. Please try again.', { 'Retry-After': '1' })
  }
  // Only searches wait in a queue that doesn't answer for itself.
  if (error instanceof Crowded) {
    const sentence = error.byItself
      ? 'Your agency already has several searches running.'
      : 'Too many searches are running right now.'
    return new Problem(503, 'busy', `${sentence} Please try again in a moment.`, { 'Retry-After': '5' })
  }
  // A path that can't be decoded leads nowhere.
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
