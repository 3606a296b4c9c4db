/** Whether a member may call a route: the role, and the client that the request names. */
import { includesClient, isAtLeast } from '../../domain/agency/roles.ts'
import type { Member } from '../../domain/agency/team-state.ts'
import type { Route } from '../contract/index.ts'
import { notFound, type Problem } from './problem.ts'
import { problemOf } from './sentences.ts'

interface Asked {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Null: allowed. A client out of the member's scope gets the answer of an unknown one. */
export function refusalFor(route: Route, me: Member, asked: Asked): Problem | null {
  if (route.access !== 'agency') return null
  if (!isAtLeast(me.role, route.needs)) return problemOf({ reason: 'role-too-low' })
  const clientId = clientIn(route.client, asked)
  return clientId === null || includesClient(me.clients, clientId) ? null : notFound('This client')
}

function clientIn(source: NonNullable<Route['client']>, { params, query, body }: Asked): string | null {
  // Named in the route: things of several clients are filtered where they are read, and a thing's own client is known
  // once it is loaded.
  if (typeof source === 'string') return null
  if ('param' in source) return fieldOf(params, source.param)
  if ('query' in source) return fieldOf(query, source.query)
  return fieldOf(body, source.body)
}

function fieldOf(value: unknown, name: string): string | null {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  return typeof found === 'string' ? found : null
}
