/**
 * Recognizes the requests of this process's own connectors by a secret created at each start. The IP address can't
 * tell: all processes on this machine, and all clients behind a proxy on it, share one.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request } from 'express'

const header = 'x-socialai-connector'

export interface OwnConnectors {
  /** The connectors send these with each request. */
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
