/** Answers a known path with an unsupported method: 405 with `Allow` (RFC 9110, 15.5.6), 204 for OPTIONS. */
import type { Request, RequestHandler } from 'express'
import { Problem } from './problem.ts'

interface Known {
  /** OpenAPI style: `/api/clients/{id}`. */
  readonly path: string
  readonly method: string
}

const order = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Registered after every route, so only unmatched requests get here; an unknown path is passed on.
 * @param count counts a refused request against its address; throws when that is too many
 */
export function otherMethods(
  routes: readonly Known[],
  count: (request: Request) => Promise<void> = async () => undefined,
): RequestHandler {
  const patterns = routes.map(({ path, method }) => ({
    method,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  return async (request, response, next) => {
    const known = patterns.filter(({ pattern }) => pattern.test(request.path)).map(({ method }) => method)
    if (known.length === 0) return next()
    const allowed = new Set([...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])
    // The path is bound by a later handler, or its id can't be decoded.
    if (request.method !== 'OPTIONS' && allowed.has(request.method)) return next()
    await count(request)
    const Allow = order.filter((method) => allowed.has(method)).join(', ')
    if (request.method === 'OPTIONS') return void response.status(204).set({ Allow, 'Cache-Control': 'no-store' }).end()
    throw new Problem(405, 'wrong-method', `This address takes ${Allow.replace(/, (\w+)$/, ' and $1')} only.`, {
      Allow,
    })
  }
}
