import { v5 as uuidv5 } from 'uuid'

const namespace = '6a7d0f0e-3a51-4f0c-9f0b-5d1c6f6f8a11'

/** One agency an owner, for ever: its id follows from the owner's. */
export const agencyIdOf = (ownerId: string): string => uuidv5(`agency-of:${ownerId}`, namespace)

/** The id of what a create makes: from the agency and the caller's key, so that a repeat makes nothing new. */
export const idFromKey = (agencyId: string, route: string, key: string): string =>
  uuidv5(`${agencyId}:${route}:${key}`, namespace)
