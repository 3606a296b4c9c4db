/** Reads a JSON body within the limits of its route: size and time are limited before the first byte is read. */
import { isUtf8 } from 'node:buffer'
import express, { type Request, type RequestHandler } from 'express'
import { maxBodyBytesOf, type Route } from '../contract/route.ts'
import { InFlightLimit, type InFlightBounds } from '../core/in-flight-limit.ts'
import { sourceOf } from '../core/source.ts'
import { boundedBody, defaultBodyMs } from './bounded-body.ts'
import { hasBody, Problem } from './problem.ts'

const megabyte = 1024 * 1024

/** Limits on the memory of requests in progress: per user with a session, per address without one. */
export const jsonBodyBounds = {
  members: { maxCount: 1_000, maxBytes: 64 * megabyte, maxCountPerSource: 100, maxBytesPerSource: 8 * megabyte },
  strangers: { maxCount: 1_000, maxBytes: 16 * megabyte, maxCountPerSource: 100, maxBytesPerSource: megabyte },
} as const satisfies Record<string, InFlightBounds>

export class JsonBodies {
  readonly #members = new InFlightLimit(jsonBodyBounds.members)
  readonly #strangers = new InFlightLimit(jsonBodyBounds.strangers)

  /** @param timeoutMs timeout for receiving a body */
  constructor(readonly timeoutMs: number = defaultBodyMs) {}

  /** The handlers that read a route's body. @param userOf the id of the signed-in user, else null */
  of(route: Route, userOf: (request: Request) => string | null): readonly RequestHandler[] {
    const maxBytes = maxBodyBytesOf(route)
    const reserve = (request: Request, bytes: number) => {
      const user = userOf(request)
      return user === null
        ? this.#strangers.reserve(sourceOf(request.ip ?? ''), bytes)
        : this.#members.reserve(user, bytes)
    }
    const parser = express.json({ limit: maxBytes, strict: true, inflate: false, verify: mustBeUtf8 })
    return [onlyJson, boundedBody(parser, { maxBytes, timeoutMs: this.timeoutMs, reserve })]
  }
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

const onlyJson: RequestHandler = (request, _response, next) => {
  if (safe.has(request.method) || !hasBody(request)) return next()
  if (!request.is('application/json')) return next(new Problem(415, 'wrong-type', 'Send the body as application/json.'))
  const charset = /;[ \t]{0,20}charset="?([\w.-]{1,40})/i.exec(request.get('Content-Type') ?? '')?.[1]
  const isTaken = charset === undefined || /^utf-?8$/i.test(charset)
  next(isTaken ? undefined : new Problem(415, 'wrong-charset', 'Send the body in UTF-8.'))
}

/** Refuses broken UTF-8, which decoding would replace by U+FFFD without a word. */
function mustBeUtf8(_request: unknown, _response: unknown, bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new Problem(400, 'invalid', 'The body is not valid UTF-8.')
}
