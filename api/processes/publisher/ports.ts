import type { Logger } from 'pino'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import type { Images } from '../../features/media/images.ts'
import type { AccountOf, Connections } from '../../networks/connections.ts'
import type { Networks } from '../../networks/port.ts'
import type { Records } from '../../records/port.ts'

export interface PublisherPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'duePosts'>
  readonly networks: Networks
  readonly connections: Connections
  readonly images: Images
  readonly records: Records
  readonly clock: Clock
  /** Milliseconds of a clock of this process that never goes back. Default: `performance.now`. */
  readonly elapsed?: () => number
  readonly log: Logger
}

/** The monotonic clock of the ports. */
export const elapsedOf = ({ elapsed }: PublisherPorts): (() => number) => elapsed ?? (() => performance.now())

/** All events of one attempt share a correlation id. */
export const asPublisher = ({ agencyId }: DuePostView, attemptId: string): CommandContext => ({
  actor: { type: 'process', id: 'publisher' },
  agencyId,
  correlationId: attemptId,
})

export const accountOf = ({ accountId, clientId, agencyId, platform }: DuePostView): AccountOf => ({
  accountId,
  clientId,
  agencyId,
  platform,
})
