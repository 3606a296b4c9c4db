/** Revokes tokens at their network after they were deleted here: the network's answer changes nothing for us. */
import type { Logger } from 'pino'
import type { Platform } from '../../domain/core/values.ts'
import { NetworkError, type Connection, type Networks } from './port.ts'

interface Ports {
  readonly networks: Networks
  readonly log: Logger
}

interface Of {
  readonly accountId: string
  readonly platform: Platform
  /** Where the tokens were issued; null for old connections without that field. */
  readonly network: 'sandbox' | 'live' | null
}

/** Best effort, in the background. Sandbox tokens are never sent to the real network, nor the reverse. */
export function giveBack({ networks, log }: Ports, { accountId, platform, network }: Of, connection: Connection): void {
  if (network !== null && network !== networks[platform].mode) return
  networks[platform].disconnect(connection).catch((error: unknown) => {
    log.info(
      { accountId, cause: error instanceof NetworkError ? error.message : 'unexpected' },
      'Could not revoke the tokens at the network',
    )
  })
}
