import { v5 as uuidv5 } from 'uuid'

const namespace = '6a7d0f0e-3a51-4f0c-9f0b-5d1c6f6f8a11'

const known = new Map<string, string>()
const idsInMemory = 100_000

/** One agency an owner, for ever: its id follows from the owner's. */
export function agencyIdOf(ownerId: string): string {
  const remembered = known.get(ownerId)
  if (remembered !== undefined) return remembered
  if (known.size >= idsInMemory) known.clear()
  const id = uuidv5(`agency-of:${ownerId}`, namespace)
  known.set(ownerId, id)
  return id
}

/** The id of what a create makes: from the agency and the caller's key, so that a repeat makes nothing new. */
export const idFromKey = (agencyId: string, route: string, key: string): string =>
  uuidv5(`${agencyId}:${route}:${key}`, namespace)
