/** Reads a body with a parser once there is room for it, within a time. */
import type { Request, RequestHandler } from 'express'
import type { Overrun, Reservation } from '../core/in-flight-limit.ts'
import { hasBody, Problem, tooLarge } from './problem.ts'

/** How long a body that is held in memory may take to arrive, in milliseconds. */
export const defaultBodyMs = 30_000

export interface BodyBounds {
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Room for so many bytes, held until the answer is out, because what was parsed lives that long. */
  readonly reserve: (request: Request, bytes: number) => Reservation | Overrun
}

/**
 * Hands on a Problem: 413 for a body that is or becomes larger than the maximum, 408 for one that is late, 503 without room.
 * @param parser with the same maximum; it keeps that for a body whose headers name no length
 */
export function boundedBody(parser: RequestHandler, { maxBytes, timeoutMs, reserve }: BodyBounds): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const declared = request.get('Content-Length')
    const bytes = declared === undefined ? maxBytes : Number(declared)
    if (bytes > maxBytes) return next(tooLarge(maxBytes))
    const reserved = reserve(request, bytes)
    if (typeof reserved === 'string') return next(crowded)
    response.once('close', () => reserved.release())
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
