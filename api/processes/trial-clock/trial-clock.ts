/** Records the end of each free trial in the log. Permissions never wait for that: they follow from the time alone. */
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { Views } from '../../../projections/registry.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { settledWithin, startLoop, type Loop } from '../../core/loop.ts'

export interface TrialClockConfig {
  /** Poll interval for trials that are over. */
  readonly pollMs: number
  /** How long `stop` waits for work in flight. */
  readonly stopWithinMs: number
}

export const trialClockDefaults: TrialClockConfig = { pollMs: 60_000, stopWithinMs: 10_000 }

export interface TrialClockPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'agency'>
  readonly clock: Clock
  readonly log: Logger
  readonly config?: Partial<TrialClockConfig>
}

export interface TrialClock {
  start(): void
  wake(): void
  /** Starts nothing new and waits for work in flight, up to `stopWithinMs`. */
  stop(): Promise<void>
}

export function createTrialClock({ commands, views, clock, log, config: given }: TrialClockPorts): TrialClock {
  const config = { ...trialClockDefaults, ...given }
  let loop: Loop | null = null

  const expire = async (agencyId: string): Promise<void> => {
    const by: CommandContext = { actor: { type: 'process', id: 'trial-clock' }, agencyId, correlationId: uuidv7() }
    try {
      // The view may lag behind: the decider refuses if the agency has paid or the end is already recorded.
      await commands.agency(agencyId, { type: 'ExpireTrial' }, by)
    } catch (error) {
      // One agency's error must not stop the others; the next round retries it.
      log.error({ agencyId, err: error }, 'Could not record the end of a trial')
    }
  }

  const round = async (signal: AbortSignal): Promise<void> => {
    // A trial that ends at this very instant is over.
    const where = { subscriptionStatus: 'trialing', trialEndsAt: { lt: later(clock.now(), 1) } }
    // Read batch by batch, as the agencies are worked on.
    for await (const { item } of views.agency.each({ where, sort: { field: 'trialEndsAt', order: 'asc' } })) {
      if (signal.aborted) return
      await expire(item.id)
    }
  }

  return {
    start() {
      const onError = (error: unknown) => log.error({ err: error }, 'The trial clock could not read the agencies')
      loop = startLoop({ everyMs: config.pollMs, round, onError })
    },
    wake: () => loop?.wake(),
    async stop() {
      if (!(await settledWithin(Promise.resolve(loop?.stop()), config.stopWithinMs)))
        log.warn('The trial clock stopped while it was ending trials')
    },
  }
}
