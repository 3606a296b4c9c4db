/** Mounts the sandbox: only if a network needs it, with pages for this server's own users. */
import { join } from 'node:path'
import type { Request } from 'express'
import { platforms, type Platform } from '../../domain/core/values.ts'
import type { Sessions } from '../features/auth/sessions.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../runtime/config.ts'
import { cookieSettings, readCookie } from '../http/cookies.ts'
import type { RequestLimits } from '../http/request-limits.ts'
import { guardedFetch } from '../features/media/guarded-fetch.ts'
import type { Images } from '../features/media/images.ts'
import { createLook } from '../features/media/look.ts'
import { createNetworks } from '../networks/networks.ts'
import type { Networks } from '../networks/port.ts'
import { sandboxNetworks } from '../sandbox/connectors.ts'
import type { MayLook } from '../sandbox/ports.ts'
import { ownConnectors } from '../sandbox/own-connectors.ts'
import { realLimits } from '../sandbox/real-limits.ts'
import { createSandbox, type Sandbox } from '../sandbox/server.ts'
import { isLoopback } from '../core/public-url.ts'

interface MountSandboxPorts {
  readonly config: Config
  readonly clock: Clock
  readonly sessions: Sessions
  readonly images: Images
  /** This process's local address, and its public one; without a slash at the end. */
  readonly own: string
  readonly publicUrl: string
  readonly requestLimits: RequestLimits
  /** Timeout for receiving a body, in milliseconds. */
  readonly bodyMs: number
}

export interface NetworksWithSandbox {
  readonly networks: Networks
  /** The networks replaced by the sandbox. */
  readonly sandboxed: readonly Platform[]
  /** Null when every network is live. */
  readonly sandbox: Sandbox | null
}

/** Several processes use a sandbox only if its address is set; none of them serves it. */
function elsewhere({ SANDBOX_URL, SANDBOX_INTERNAL_URL }: Config, clock: Clock): Networks | null {
  if (SANDBOX_URL === undefined) return null
  return sandboxNetworks({ baseUrl: SANDBOX_INTERNAL_URL ?? SANDBOX_URL, publicBaseUrl: SANDBOX_URL, clock })
}

/** @throws StoreUnavailable when another process holds the sandbox's file */
export function openNetworks({
  config,
  clock,
  sessions,
  images,
  own,
  publicUrl,
  requestLimits,
  bodyMs,
}: MountSandboxPorts): NetworksWithSandbox {
  if (config.EVENTSTORE_URL !== undefined)
    return {
      networks: createNetworks({ settings: config, sandbox: elsewhere(config, clock), clock }),
      sandboxed: [],
      sandbox: null,
    }
  const connectors = ownConnectors()
  const ownSandbox = sandboxNetworks({
    baseUrl: `${own}/sandbox`,
    publicBaseUrl: `${publicUrl}/sandbox`,
    clock,
    headers: connectors.headers,
  })
  const networks = createNetworks({ settings: config, sandbox: ownSandbox, clock })
  const sandboxed = platforms.filter((platform) => networks[platform].mode === 'sandbox')
  if (sandboxed.length === 0) return { networks, sandboxed, sandbox: null }
  const { name } = cookieSettings(publicUrl)
  const signedIn: MayLook = async (request) => {
    const cookie = readCookie(request.headers.cookie, name)
    return cookie !== null && (await sessions.find(cookie)) !== null
  }
  const count = (request: Request) =>
    requestLimits.count(null, request.ip ?? '', request.method !== 'GET' && request.method !== 'HEAD')
  const isOneMachines = config.NODE_ENV !== 'production' && [config.HOST, new URL(publicUrl).hostname].every(isLoopback)
  const sandbox = createSandbox({
    file: join(config.DATA_DIR, 'sandbox.db'),
    clock,
    publicUrl: `${publicUrl}/sandbox`,
    fetchImage: createLook({ images, fetch: guardedFetch() }),
    isOwn: connectors.isOwn,
    count,
    bodyMs,
    ...(isOneMachines ? {} : { mayLook: signedIn }),
    ...(config.SANDBOX_LIMITS ? { limits: realLimits } : {}),
  })
  return { networks, sandboxed, sandbox }
}
