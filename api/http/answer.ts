/** Sends what a route's handler answered. */
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import type { Route } from '../contract/index.ts'
import { InFlightLimit, type InFlightBounds } from '../core/in-flight-limit.ts'
import { compressorFor } from './compressors.ts'
import { deviceCookie, oidcCookie, sessionCookie, signInCookie, type CookieSettings } from './cookies.ts'
import { hasSame, minTagged, tagOf } from './entity-tag.ts'
import type { AnyHandler, Extras } from './handler.ts'
import { watchReader, type OutgoingBodies } from './outgoing.ts'
import { pageHeaders } from './paging.ts'
import { Problem } from './problem.ts'

interface Sending {
  readonly cookies: CookieSettings
  readonly outgoing: OutgoingBodies
  readonly openFiles: InFlightLimit
  /** The agency, user or address that asked. */
  readonly sender: string
  /** For a read of an agency: what its tag covers besides the body. Null: the answer gets none. */
  readonly scope: string | null
}

export function answered(
  route: Route,
  answer: Awaited<ReturnType<AnyHandler>>,
  sending: Sending,
  response: Response,
): void {
  const { cookies, outgoing, sender, scope } = sending
  const { body, redirect, cookie, device, signIn, oidc, etag, page, stream, file } = answer
  response.setHeader('Cache-Control', 'no-store')
  if (cookie !== undefined) response.append('Set-Cookie', sessionCookie(cookies, cookie))
  if (device !== undefined) response.append('Set-Cookie', deviceCookie(cookies, device))
  if (signIn !== undefined) response.append('Set-Cookie', signInCookie(cookies, signIn))
  if (oidc !== undefined) response.append('Set-Cookie', oidcCookie(cookies, oidc))
  if (etag !== undefined) response.setHeader('ETag', etag)
  if (page !== undefined)
    for (const [name, value] of pageHeaders(page, response.req.originalUrl)) response.setHeader(name, value)
  if (redirect !== undefined) return response.redirect(302, redirect)
  response.statusCode = route.status
  if (stream !== undefined) return flow(stream, response)
  if (file !== undefined) return download(route, file, sending, response)
  if (route.reply === null) return void response.end()
  const text = JSON.stringify(body)
  // Not by Express's `send`, which would hash every body, also one that is too short for a tag to save anything.
  if (scope !== null && etag === undefined && text.length >= minTagged) {
    const tag = tagOf(scope, text)
    response.setHeader('ETag', tag)
    if (hasSame(response.req.headers['if-none-match'], tag)) return void response.writeHead(304).end()
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  outgoing.send(response, sender, text)
}

/** Limits concurrent exports: each reads the log and holds one stream's events in memory. */
export const openFileBounds: InFlightBounds = { maxCount: 16, maxBytes: 0, maxCountPerSource: 2, maxBytesPerSource: 0 }

/**
 * Streams a generated file no faster than its reader takes it. An error in the middle breaks the connection, so that a
 * partial file doesn't look complete.
 */
function download(
  route: Route,
  { name, kind, lines }: NonNullable<Extras['file']>,
  { openFiles, sender }: Sending,
  response: Response,
): void {
  response.setHeader('Content-Type', `${route.file?.[kind] ?? 'application/octet-stream'}; charset=utf-8`)
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`)
  if (response.req.method === 'HEAD') return void response.end()
  const reserved = openFiles.reserve(sender, 0)
  if (typeof reserved === 'string')
    throw new Problem(503, 'busy', 'Other downloads are under way. Try again when one of them is done.', {
      'Retry-After': '10',
    })
  const unwatch = watchReader(response)
  const compressor = compressorFor(response, sender)
  const sent = compressor ? pipeline(lines, compressor, response) : pipeline(lines, response)
  sent
    .catch((error: unknown) => {
      if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined)
    })
    .finally(() => {
      unwatch()
      reserved.release()
    })
}

/** Sends server-sent events, with buffering turned off in proxies. They are not compressed: each must leave at once. */
function flow(stream: NonNullable<Extras['stream']>, response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  if (response.req.method === 'HEAD') return void response.end()
  stream(response)
}
