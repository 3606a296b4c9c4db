/**
 * Tells the requests of this process's own connectors from all others, by a secret that is made at each start. An address
 * could not: everything on this machine, and everything behind a proxy on it, comes from the same one.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'

const header = 'x-socialai-connector'

export interface OwnConnectors {
  /** What the connectors send with each request. */
  readonly headers: Readonly<Record<string, string>>
  isOwn(request: Request): boolean
}

export function ownConnectors(): OwnConnectors {
  const secret = randomBytes(32)
  return {
    headers: { [header]: secret.toString('base64url') },
    isOwn(request) {
      const given = Buffer.from(request.get(header) ?? '', 'base64url')
      return given.length === secret.length && timingSafeEqual(given, secret)
    },
  }
}
