/** Reads a JSON body within the bounds of its route: its size and its time are limited before the first byte is read. */
import express, { type Request, type RequestHandler } from 'express'
import { maxBodyBytesOf, type Route } from '../contract/route.ts'
import { InFlightLimit, type InFlightBounds } from '../limits/in-flight.ts'
import { sourceOf } from '../limits/source.ts'
import { hasBody, Problem, tooLarge } from './problem.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** What requests in flight may hold in memory: those of signed-in people for each of them, all others for each address. */
export const bodyBounds = {
  members: { maxCount: 1_000, maxBytes: 64 * megabyte, maxCountPerSource: 100, maxBytesPerSource: 8 * megabyte },
  strangers: { maxCount: 1_000, maxBytes: 16 * megabyte, maxCountPerSource: 100, maxBytesPerSource: megabyte },
} as const satisfies Record<string, InFlightBounds>

/** How long a JSON body may take to arrive, in milliseconds. */
export const defaultBodyMs = 30_000

export class JsonBodies {
  readonly #members = new InFlightLimit(bodyBounds.members)
  readonly #strangers = new InFlightLimit(bodyBounds.strangers)

  /** @param timeoutMs how long a body may take to arrive */
  constructor(readonly timeoutMs: number = defaultBodyMs) {}

  /**
   * The handlers that read the body of a route.
   * @param userOf the id of the person who is signed in; null for anyone else
   */
  of(route: Route, userOf: (request: Request) => string | null): readonly RequestHandler[] {
    return [onlyJson, this.#read(maxBodyBytesOf(route), userOf)]
  }

  /** Room is held until the answer is out, because what was parsed lives that long. */
  #read(maxBytes: number, userOf: (request: Request) => string | null): RequestHandler {
    const parse = express.json({ limit: maxBytes, strict: true, inflate: false })
    return (request, response, next) => {
      if (!hasBody(request)) return next()
      const declared = request.get('Content-Length')
      const bytes = declared === undefined ? maxBytes : Number(declared)
      if (bytes > maxBytes) return next(tooLarge(maxBytes))
      const user = userOf(request)
      const reserved = user === null ? this.#strangers.reserve(sourceOf(request.ip ?? ''), bytes) : this.#members.reserve(user, bytes)
      if (typeof reserved === 'string') return next(crowded)
      response.once('close', () => reserved.release())
      let isOver = false
      const finish = (error?: unknown) => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        next(error)
      }
      const timer = setTimeout(() => finish(late), this.timeoutMs)
      parse(request, response, finish)
    }
  }
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

const onlyJson: RequestHandler = (request, _response, next) => {
  const isOther = !safe.has(request.method) && hasBody(request) && !request.is('application/json')
  next(isOther ? new Problem(415, 'wrong-type', 'Send the body as application/json.') : undefined)
}

const crowded = new Problem(503, 'busy', 'This server is receiving too much at once. Please try again in a few seconds.', { 'Retry-After': '5' })
const late = new Problem(408, 'too-slow', 'The request took too long to arrive. Please try again.', { Connection: 'close' })
