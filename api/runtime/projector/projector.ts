/** The projector as a separate process; several of them share the projections. */
import type { Logger } from 'pino'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { LiveFeeds } from '../../../projections/core/live-feeds.ts'
import type { Projection } from '../../../projections/core/projection.ts'
import { Runner, type RunnerHealth } from '../../../projections/core/runner.ts'
import type { ReadStore } from '../../../projections/read-store/port.ts'
import { reportOutages } from '../../core/report-outages.ts'
import { watchViews } from '../projection-lag-monitor.ts'
import { startLoop } from '../../core/loop.ts'
import { watchStore } from '../../core/store-health.ts'
import type { Records } from '../../records/port.ts'
import { watchLeaders } from './leaders.ts'
import { leaseMs as lastingMs, Leases } from '../../records/leases.ts'

const sweepEveryMs = 10_000

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
  { leaseMs = lastingMs } = {},
): Promise<SharedProjector> {
  const names = projections.map(({ name }) => name)
  const leases = await Leases.open(records, names, { lifeMs: leaseMs })
  // Watches all views: a projector that leads nothing can't tell otherwise whether the others do their part.
  const watched = [
    watchStore('The event log', () => events.head(), log),
    watchViews(projections, { events, store }),
    await watchLeaders(records, names, { vacantMs: 2 * leaseMs }),
  ]
  const onError = reportOutages(log, 'A projection stopped; retrying')
  const live = new LiveFeeds({ events, store })
  const runners = new Map<string, Runner>()
  let failure: string | null = null
  let stopped = false

  const end = async (names: readonly string[]) => {
    await Promise.all(
      names.map(async (name) => {
        const runner = runners.get(name)
        runners.delete(name)
        await runner?.stop()
      }),
    )
  }
  const begin = (name: string) => {
    const projection = projections.find((one) => one.name === name)
    if (!projection || runners.has(name)) return
    const runner = new Runner(projection, { events, store, live, onSwitch: () => undefined, onError })
    runners.set(name, runner)
    void runner.start()
  }
  const round = async () => {
    try {
      const { taken, lost, surplus } = await leases.round()
      await end([...lost, ...surplus])
      await leases.give(surplus)
      for (const name of taken) begin(name)
      failure = null
    } catch (error) {
      if (failure === null) log.error({ err: error }, 'Could not assign the projections to processes; retrying')
      failure = error instanceof Error ? error.message : String(error)
    }
  }

  // Each projector sweeps: dropping a collection twice does no harm.
  const sweeping = startLoop({
    everyMs: sweepEveryMs,
    round: async () => {
      const dropped = await store.sweep()
      if (dropped.length > 0) log.info({ dropped }, 'Dropped the collections that rebuilds had replaced')
    },
    onError: (error) => log.warn({ err: error }, 'Could not drop replaced collections; retrying'),
  })
  let turn = round()
  await turn
  const timer = setInterval(() => {
    if (!stopped) turn = turn.then(round)
  }, leaseMs / 4)

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
      stopped = true
      clearInterval(timer)
      for (const each of watched) each.stop()
      await sweeping.stop()
      await turn
      await end([...runners.keys()])
      await leases
        .leave()
        .catch((error: unknown) => log.warn({ err: error }, 'Could not release the leases; they will expire'))
    },
  }
}
