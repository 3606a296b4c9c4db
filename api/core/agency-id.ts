import { v5 as uuidv5 } from 'uuid'

const namespace = '6a7d0f0e-3a51-4f0c-9f0b-5d1c6f6f8a11'

const known = new Map<string, string>()
const idsInMemory = 100_000

/**
 * The id of an agency that a user opens: derived, so that a repeated request opens none. A user owns one at a time; an
 * agency keeps its id when its ownership moves, so the next one of the same user has the next ordinal.
 */
export function agencyIdOf(ownerId: string, ordinal = 0): string {
  if (ordinal > 0) return uuidv5(`agency-of:${ownerId}:${ordinal}`, namespace)
  const remembered = known.get(ownerId)
  if (remembered !== undefined) return remembered
  if (known.size >= idsInMemory) known.clear()
  const id = uuidv5(`agency-of:${ownerId}`, namespace)
  known.set(ownerId, id)
  return id
}

/**
 * The id of a created thing, derived from the agency and the client's idempotency key, so that a repetition creates
 * nothing.
 */
export const idFromKey = (agencyId: string, route: string, key: string): string =>
  uuidv5(`${agencyId}:${route}:${key}`, namespace)
