/**
 * X's responses: problems, and rate-limit headers on every response. https://docs.x.com/x-api/fundamentals/rate-limits
 */
import type { Request, RequestHandler, Response } from 'express'
import { later, type Clock } from '../../core/clock.ts'
import type { Troubles } from '../faults.ts'
import { bearerOf, unixSeconds, type SandboxPorts } from '../ports.ts'
import { works, type Holder } from '../store/tokens.ts'

const windowMs = 15 * 60_000
/** The reported limit when the sandbox has none: out of reach for any client. */
const plenty = 1_000_000

export interface Problem {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly type?: string
}

export function problem(response: Response, { status, title, detail, type = 'about:blank' }: Problem): null {
  response.status(status).type('application/problem+json').send(JSON.stringify({ title, detail, type, status }))
  return null
}

export const invalid = (response: Response, detail: string): null =>
  problem(response, {
    status: 400,
    title: 'Invalid Request',
    detail,
    type: 'https://api.twitter.com/2/problems/invalid-request',
  })
export const forbidden = (response: Response, detail: string): null =>
  problem(response, { status: 403, title: 'Forbidden', detail })
export const unauthorized = (response: Response): null =>
  problem(response, { status: 401, title: 'Unauthorized', detail: 'Unauthorized' })

export function rateHeaders(response: Response, limit: number, remaining: number, resetsAt: string): void {
  response.set('x-rate-limit-limit', String(limit))
  response.set('x-rate-limit-remaining', String(remaining))
  response.set('x-rate-limit-reset', String(Math.ceil(Date.parse(resetsAt) / 1000)))
}

export function withRateHeaders(clock: Clock): RequestHandler {
  return (_, response, next) => {
    const now = Date.parse(clock.now())
    rateHeaders(response, plenty, plenty - 1, new Date(now - (now % windowMs) + windowMs).toISOString())
    next()
  }
}

export function tooMany(response: Response): void {
  problem(response, { status: 429, title: 'Too Many Requests', detail: 'Too Many Requests' })
}

export const xTroubles = (clock: Clock): Troubles => ({
  rateLimited(response, _, seconds) {
    const resetsAt = later(clock.now(), (seconds ?? 30) * 1000)
    rateHeaders(response, 100, 0, new Date(unixSeconds(resetsAt) * 1000).toISOString())
    tooMany(response)
  },
  unauthorized: (response) => void unauthorized(response),
  duplicate: (response) => void forbidden(response, 'You are not allowed to create a Tweet with duplicate content.'),
  failed: (response) =>
    void problem(response, { status: 503, title: 'Service Unavailable', detail: 'Service Unavailable' }),
})

/** Rejects a request without a valid token, before its body is read. */
export const withKey =
  (ports: SandboxPorts, ...scopes: readonly string[]): RequestHandler =>
  (request, response, next) => {
    if (holderOf(ports, request, response, ...scopes)) next()
  }

/** The token's holder; null after an error response. */
export function holderOf(
  { store, clock }: SandboxPorts,
  request: Request,
  response: Response,
  ...scopes: readonly string[]
): Holder | null {
  const key = bearerOf(request)
  const holder = key === null ? null : store.tokens.holder('twitter', key)
  if (!holder || holder.kind !== 'access' || !works(holder, clock.now())) return unauthorized(response)
  const granted = holder.scope.split(' ')
  return scopes.every((scope) => granted.includes(scope))
    ? holder
    : forbidden(response, 'You are not permitted to perform this action.')
}
