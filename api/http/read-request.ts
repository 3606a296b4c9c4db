/** Reads the parts of a request that a route names, and validates them. */
import type { Request } from 'express'
import type { Route } from '../contract/index.ts'
import { invalid, invalidAt } from './invalid.ts'
import { hasBody, notFound, Problem } from './problem.ts'
import { unstorableIn } from './storable.ts'

/**
 * A missing body is reported by its first required field; where all fields are optional, the body itself is required.
 */
export function bodyOf(route: Route, request: Request) {
  const body = parsed(route, 'body', request.body ?? {})
  if (route.body && !hasBody(request)) throw new Problem(400, 'invalid', 'Send a JSON body: this request has none.')
  return body
}

export function parsed(route: Route, part: 'params' | 'query' | 'body', value: unknown) {
  const schema = route[part]
  if (!schema) return undefined
  const result = schema.safeParse(value)
  const odd = result.success ? unstorableIn(result.data) : null
  if (result.success && odd === null) return result.data
  // An id of the wrong shape gets the same answer as an unknown one.
  if (part === 'params') throw notFound()
  throw result.error
    ? invalid(result.error)
    : invalidAt(
        odd ?? [],
        "This has an invisible character that can't be stored. Paste it as plain text, or type it again",
      )
}

export function idempotencyKey(request: Request): string | null {
  const key = request.get('Idempotency-Key')
  if (key === undefined) return null
  if (key.length > 200 || key.trim() === '') {
    throw new Problem(400, 'invalid', 'Idempotency-Key: Use 1 to 200 characters')
  }
  return key
}
