/** Keys given back to their network, once they are forgotten here: whether it answers changes nothing for us. */
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
  /** Where the keys are from; null where an old connection doesn't say. */
  readonly network: 'sandbox' | 'live' | null
}

/** Best effort, and nobody waits for it. Keys of the sandbox never go to the network itself, nor the other way. */
export function giveBack({ networks, log }: Ports, { accountId, platform, network }: Of, connection: Connection): void {
  if (network !== null && network !== networks[platform].mode) return
  networks[platform].disconnect(connection).catch((error: unknown) => {
    log.info(
      { accountId, cause: error instanceof NetworkError ? error.message : 'unexpected' },
      'the keys could not be given back',
    )
  })
}
