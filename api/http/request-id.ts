/** Gives every request an id, for its log lines and events, and measures its duration. */
import { v7 as uuidv7 } from 'uuid'
import type { Request, RequestHandler, Response } from 'express'

/** Called with each request's duration, except for streams, which never end. */
export type Served = (
  about: { readonly method: string; readonly route: string; readonly status: number },
  seconds: number,
) => void

/** Routes outside the contract, by path prefix; a metrics label must not depend on client input. */
const outside = [
  '/media',
  '/sandbox',
  '/api/billing/webhook',
  '/api/openapi.json',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known',
] as const
const other = 'other'

/** Null: not measured. */
const routes = new WeakMap<Response, string | null>()

/** Names the route that answers; null for a stream, which is not measured. */
export const named = (response: Response, route: string | null): void => void routes.set(response, route)

export const identified =
  (served: Served): RequestHandler =>
  (request, response, next) => {
    response.setHeader('X-Request-Id', requestIdOf(request))
    const begun = performance.now()
    const { path, method } = request
    response.once('finish', () => {
      const route = routes.get(response)
      if (route !== null)
        served(
          {
            method,
            route: route ?? outside.find((one) => path === one || path.startsWith(`${one}/`)) ?? other,
            status: response.statusCode,
          },
          (performance.now() - begun) / 1000,
        )
    })
    next()
  }

/** A proxy's request id is kept, so that both logs match, if its format is safe for the log. */
function requestIdOf(request: Request): string {
  const given = request.get('X-Request-Id')
  return given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : uuidv7()
}
