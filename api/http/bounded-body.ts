/** Reads a body with a parser once memory is reserved for it, within a timeout. */
import type { Request, RequestHandler } from 'express'
import type { Overrun, Reservation } from '../core/in-flight-limit.ts'
import { hasBody, Problem, tooLarge } from './problem.ts'
import { whenClosed } from './when-closed.ts'

/** Timeout for receiving a body that is held in memory, in milliseconds. */
export const defaultBodyMs = 30_000

export interface BodyBounds {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Reserves memory until the answer is sent, because the parsed body lives that long. */
  readonly reserve: (request: Request, bytes: number) => Reservation | Overrun
}

/**
 * Passes on a Problem: 413 for a body over the limit, 408 for a late one, 503 without free memory. @param parser must
 * have the same limit; it enforces it for a body without a Content-Length
 */
export function boundedBody(parser: RequestHandler, { maxBytes, timeoutMs, reserve }: BodyBounds): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const declared = request.get('Content-Length')
    const bytes = declared === undefined ? maxBytes : Number(declared)
    if (bytes > maxBytes) return next(tooLarge(maxBytes))
    // The client of a request that waited for its turn may be gone by now.
    if (response.closed) return
    const reserved = reserve(request, bytes)
    if (typeof reserved === 'string') return next(crowded)
    whenClosed(response, () => reserved.release())
    let isOver = false
    const finish = (error?: unknown) => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      next(error)
    }
    const timer = setTimeout(() => finish(late), timeoutMs)
    void parser(request, response, finish)
  }
}

const crowded = new Problem(
  503,
  'busy',
  'This server is receiving too much at once. Please try again in a few seconds.',
  { 'Retry-After': '5' },
)
const late = new Problem(408, 'too-slow', 'The request took too long to arrive. Please try again.', {
  Connection: 'close',
})
