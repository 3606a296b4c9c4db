/** What every request has, whatever becomes of it: an id that its log lines and its events tell, and a time that is measured. */
import { v7 as uuidv7 } from 'uuid'
import type { Request, RequestHandler, Response } from 'express'

/** Hears how long each request took. A stream's never ends, and isn't told. */
export type Served = (
  about: { readonly method: string; readonly route: string; readonly status: number },
  seconds: number,
) => void

/** Those of the contract name themselves; these are outside of it. By how a path begins: no label may follow from what somebody types. */
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

/** Null: not to be measured. */
const routes = new WeakMap<Response, string | null>()

/** Says which route answers; null for a stream, whose end nobody waits for. */
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

/** A proxy's own, so that its log and ours tell one story; of a shape that no log trips over. */
function requestIdOf(request: Request): string {
  const given = request.get('X-Request-Id')
  return given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : uuidv7()
}
