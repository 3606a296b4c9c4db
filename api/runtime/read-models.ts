/** Gives a process its views: it builds them itself, or other processes do. */
import type { Logger } from 'pino'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { aheadOfLog } from '../../projections/core/views-ahead-of-log.ts'
import { RemoteProjectionWatcher } from '../../projections/core/remote-projection-watcher.ts'
import { Projector } from '../../projections/core/projector.ts'
import { projections, viewsOf, type Views } from '../../projections/registry.ts'
import type { WaitFor } from '../core/read-your-writes.ts'
import { watchViews } from './projection-lag-monitor.ts'
import { reportOutages } from '../core/report-outages.ts'
import { watchLeaders } from './projector/leaders.ts'
import { watchStore } from '../core/store-health.ts'
import { settledWithin } from '../core/loop.ts'
import type { Stores } from './stores.ts'
import { WrongStore } from './wait-for-stores.ts'

export interface ReadModels {
  readonly views: Views
  /** For the views. */
  readonly waitFor: WaitFor
  /** One sentence per obstacle to reading; empty when ready. */
  notReady(): readonly string[]
  stop(): Promise<void>
}

interface Ports extends Pick<Stores, 'events' | 'store'> {
  readonly log: Logger
}
interface LocalPorts extends Ports {
  /** How long the start waits for views that are behind the log; those not there yet answer with 503 after that. */
  readonly servesAfterMs?: number | undefined
}
type SharedPorts = Ports & Pick<Stores, 'records'>

/**
 * Refuses to start with views beyond the log's end: they would keep showing what the log has lost, and miss new events.
 * A store that is down is no reason to refuse. @throws WrongStore with the remedy
 */
export async function mustNotBeAhead(
  { events, store }: Pick<Ports, 'events' | 'store'>,
  remedy: string,
): Promise<void> {
  const ahead = await aheadOfLog(projections, { events, store }).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return []
    throw error
  })
  if (ahead.length === 0) return
  throw new WrongStore(
    `The read models are ahead of the event log (${ahead.join(', ')}), for example because an older log was restored. Nothing was started. ${remedy}`,
  )
}

export async function startLocalReadModels({
  events,
  store,
  log,
  servesAfterMs = 5_000,
}: LocalPorts): Promise<ReadModels & { readonly projector: Projector }> {
  const onError = reportOutages(log, 'A projection stopped; retrying')
  const projector = new Projector(projections, { events, store, onError })
  const started = projector.start()
  if (!(await settledWithin(started, servesAfterMs))) {
    const views = projector.health.filter(({ state }) => state === 'catching-up').map(({ name }) => name)
    log.info(
      { views },
      'The views are behind the log. The server starts meanwhile, and reads earlier versions until the new ones are built',
    )
    void reportWhenBuilt(projector, views, started, log)
  }
  return {
    projector,
    views: viewsOf(store, projector.live),
    waitFor: (appendedEvents, timeoutMs) => projector.waitFor(appendedEvents, timeoutMs),
    notReady: () =>
      projector.health
        .filter(({ state }) => state !== 'live')
        .map(({ name, state, error }) => `${name} is ${state}${error === null ? '' : `: ${error}`}`),
    stop: () => projector.stop(),
  }
}

export async function startRemoteReadModels({ events, store, records, log }: SharedPorts): Promise<ReadModels> {
  const onError = reportOutages(log, 'Could not read the progress of a view; retrying')
  const elsewhere = new RemoteProjectionWatcher(projections, { events, store, onError })
  await elsewhere.start()
  const leaders = await watchLeaders(
    records,
    projections.map(({ name }) => name),
  )
  const watched = [
    watchStore('The event log', () => events.head(), log),
    leaders,
    watchViews(projections, { events, store }),
  ]
  return {
    views: viewsOf(store, elsewhere.live),
    waitFor: (appendedEvents, timeoutMs) => elsewhere.waitFor(appendedEvents, timeoutMs),
    notReady: () => [...watched.flatMap((each) => each.notReady()), ...elsewhere.notReady()],
    async stop() {
      for (const each of watched) each.stop()
      elsewhere.stop()
    },
  }
}

async function reportWhenBuilt(
  projector: Projector,
  views: readonly string[],
  started: Promise<void>,
  log: Logger,
): Promise<void> {
  const began = performance.now()
  await started
  const seconds = Math.round((performance.now() - began) / 100) / 10
  if (projector.health.every(({ state }) => state === 'live')) log.info({ views, seconds }, 'The views have caught up')
}
