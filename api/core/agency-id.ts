import { v5 as uuidv5 } from 'uuid'

const namespace = '6a7d0f0e-3a51-4f0c-9f0b-5d1c6f6f8a11'

const known = new Map<string, string>()
const idsInMemory = 100_000

/** An owner has exactly one agency, so its id is derived from the owner's. */
export function agencyIdOf(ownerId: string): string {
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
