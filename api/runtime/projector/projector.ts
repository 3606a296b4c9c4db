/** The projector as a separate process; several of them share the projections. */
import type { Logger } from 'pino'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { LiveFeeds } from '../../../projections/core/live-feeds.ts'
import type { Projection } from '../../../projections/core/projection.ts'
import { Runner, type RunnerHealth } from '../../../projections/core/runner.ts'
import type { ReadStore } from '../../../projections/read-store/port.ts'
import { reportOutages } from '../../core/report-outages.ts'
import { watchViews } from '../projection-lag-monitor.ts'
import { settledWithin, startLoop } from '../../core/loop.ts'
import { watchStore } from '../../core/store-health.ts'
import type { Records } from '../../records/port.ts'
import { watchLeaders } from './leaders.ts'
import { leaseMs as lastingMs, Leases } from '../../records/leases.ts'

const defaultSweepMs = 10_000

interface Ports {
  readonly events: EventStore
  readonly store: ReadStore
  readonly records: Records
  readonly log: Logger
}

export interface SharedProjector {
  /** The health of the projections that this process leads now. */
  readonly health: readonly RunnerHealth[]
  /** One sentence per obstacle; empty when all is well. */
  notReady(): readonly string[]
  /** Stops the projections, and gives their leases back. */
  stop(): Promise<void>
}

/**
 * Two projectors may run the same projection for a while, if one was paused past its lease. That does no harm: each
 * document and checkpoint only ever moves to a later position.
 */
export async function startSharedProjector(
  projections: readonly Projection[],
  { events, store, records, log }: Ports,
  { leaseMs = lastingMs, sweepEveryMs = defaultSweepMs } = {},
): Promise<SharedProjector> {
  const names = projections.map(({ name }) => name)
  const leases = await Leases.open(records, names, { lifeMs: leaseMs, group: 'projectors' })
  // Watches all views: a projector that leads nothing can't tell otherwise whether the others do their part.
  const watched = [
    watchStore('The event log', () => events.head(), log),
    watchViews(projections, { events, store }),
    await watchLeaders(records, names, { vacantMs: 2 * leaseMs }),
  ]
  const onError = reportOutages(log, 'A projection stopped; retrying')
  const live = new LiveFeeds({ events, store })
  const runners = new Map<string, Runner>()
  /** Those that finish their last batch. */
  const ending = new Map<string, Promise<void>>()
  let failure: string | null = null

  const begin = (projection: Projection) => {
    const runner = new Runner(projection, { events, store, live, onSwitch: () => undefined, onError })
    runners.set(projection.name, runner)
    void runner.start()
  }
  const end = (name: string, runner: Runner) => {
    runners.delete(name)
    const ended = runner.stop().catch((error: unknown) => onError(name, error))
    ending.set(
      name,
      ended.finally(() => ending.delete(name)),
    )
  }
  const share = async () => {
    const { led, surplus } = await leases.round()
    for (const [name, runner] of runners) if (!led.includes(name)) end(name, runner)
    for (const projection of projections) {
      const { name } = projection
      if (led.includes(name) && !runners.has(name) && !ending.has(name)) begin(projection)
    }
    // The next round must renew the leases in time. It also gives back what still has a batch in progress now.
    if (ending.size > 0) await settledWithin(Promise.all(ending.values()), leaseMs / 4)
    await leases.give(surplus.filter((name) => !ending.has(name)))
    failure = null
  }
  const onUnshared = (error: unknown) => {
    if (failure === null) log.error({ err: error }, 'Could not assign the projections to processes; retrying')
    failure = error instanceof Error ? error.message : String(error)
    // Other processes may have taken them.
    for (const [name, runner] of runners) if (!leases.held.includes(name)) end(name, runner)
  }

  // Each projector sweeps: dropping a collection twice does no harm.
  const sweeping = startLoop({
    everyMs: sweepEveryMs,
    round: async () => {
      // A rebuild may switch reads, and end before it retires the collection: no write of its runner fails then.
      const live = await store.liveCollections()
      for (const [name, runner] of runners) if (runner.isReplacedBy(live.get(name))) end(name, runner)
      const dropped = await store.sweep()
      if (dropped.length > 0) log.info({ dropped }, 'Dropped the collections that rebuilds had replaced')
    },
    onError: (error) => log.warn({ err: error }, 'Could not drop replaced collections; retrying'),
  })
  await share().catch(onUnshared)
  const sharing = startLoop({ everyMs: leaseMs / 4, round: share, onError: onUnshared })

  return {
    get health() {
      return [...runners.values()].map(({ health }) => health)
    },
    notReady: () => [
      ...(failure === null ? [] : [failure]),
      ...watched.flatMap((each) => each.notReady()),
      ...[...runners.values()].flatMap(({ health: { name, state, error } }) =>
        state === 'live' ? [] : [`${name} is ${state}${error === null ? '' : `: ${error}`}`],
      ),
    ],
    async stop() {
      for (const each of watched) each.stop()
      await Promise.all([sweeping.stop(), sharing.stop()])
      for (const [name, runner] of runners) end(name, runner)
      await Promise.all(ending.values())
      await leases
        .leave()
        .catch((error: unknown) => log.warn({ err: error }, 'Could not release the leases; they will expire'))
    },
  }
}
