/** The composition root of the distributed shape: one of several processes over EventStoreDB and MongoDB. */
import express, { type RequestHandler } from 'express'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { connectMongo } from '../../projections/read-store/mongodb-connection.ts'
import { openMongoReadStore } from '../../projections/read-store/mongodb.ts'
import { projections } from '../../projections/registry.ts'
import type { Options } from './assemble.ts'
import { withCleanup, type CleanupStack } from '../runtime/cleanup-stack.ts'
import { ConfigError, type Config } from '../runtime/config.ts'
import { startRemoteReadModels, mustNotBeAhead } from '../runtime/read-models.ts'
import { healthRoutes } from '../runtime/health-routes.ts'
import { metricsRoutes } from '../runtime/metrics-routes.ts'
import { listen } from '../runtime/listen.ts'
import { openMongoMedia } from '../features/media/mongodb.ts'
import { Metrics } from '../runtime/metrics.ts'
import { isUnfinished } from '../operations/move/target.ts'
import { openMongoRecords } from '../records/mongodb.ts'
import { storesOf, withinBounds, type Stores } from '../runtime/stores.ts'
import { startWhenStoresAnswer, WrongStore } from '../runtime/wait-for-stores.ts'

export const roles = ['api', 'projector', 'worker'] as const
export type Role = (typeof roles)[number]

export interface RunningProcess {
  /** The local address of the health routes, and of all routes of an API; without a slash at the end. */
  readonly localUrl: string
  readonly publicUrl: string
  /** Finishes accepted work, then closes the stores. */
  close(): Promise<void>
}

const madeAnew =
  "Stop every process and drop MongoDB's collections read_views, read_collections and those that begin with c_: the projectors rebuild them."

const halfCopied =
  'A move or a restore to EVENTSTORE_URL and MONGODB_URL is not finished: the data there is incomplete. Nothing was started. Run the same command again, then start the processes.'

/**
 * Several processes of each role may run. Waits for stores that are down, and says so at /readyz. @throws ConfigError
 * for a missing setting, WrongStore when the views do not belong to this log; the signal's reason when it aborts
 */
export async function startProcess(
  role: Role,
  config: Config,
  options: Options,
  signal = new AbortController().signal,
): Promise<RunningProcess> {
  return withCleanup(async (whole) => {
    const metrics = new Metrics()
    const opened = await openServers(config)
    const stores: Stores = {
      ...opened,
      events: metrics.measured(opened.events),
      records: withinBounds(opened.records, options.log),
    }
    whole.add(() => stores.close())
    const listening = await listen(config, options.timeouts)
    whole.add(() => listening.close())
    let away = 'This process has just started'
    listening.serve(inside(() => [away], metrics, config).use(notYet))
    const start = async (cleanup: CleanupStack): Promise<object> => {
      // Checks every store that the role needs. Only an API is useful while the event store is down.
      await stores.store.live(projections[0]?.name ?? '')
      if (role !== 'api') await stores.events.head()
      if (await isUnfinished(opened.records)) throw new WrongStore(halfCopied)
      await mustNotBeAhead(stores, madeAnew)
      await begin[role](config, options, stores, listening, metrics, cleanup)
      return {}
    }
    const cleanup = await startWhenStoresAnswer(start, {
      log: options.log,
      signal,
      onAway: (sentence) => (away = sentence),
    })
    whole.add(() => cleanup.close())
    return { localUrl: listening.own, publicUrl: listening.publicUrl }
  })
}

/** Each role imports its own parts when it begins: a projector starts without the modules of an API. */
type Begin = (
  config: Config,
  options: Options,
  stores: Stores,
  listening: Awaited<ReturnType<typeof listen>>,
  metrics: Metrics,
  cleanup: CleanupStack,
) => Promise<void>

const begin: Readonly<Record<Role, Begin>> = {
  async api(config, options, stores, listening, metrics, cleanup) {
    const [{ assemble }, { serveApi }] = await Promise.all([import('./assemble.ts'), import('./serve-api.ts')])
    const readModels = await startRemoteReadModels({ ...stores, log: options.log })
    cleanup.add(() => readModels.stop())
    const core = await assemble({ ...options, config, stores, readModels, listening, metrics }, cleanup)
    await serveApi(core, options, cleanup)
  },

  async worker(config, options, stores, listening, metrics, cleanup) {
    const [{ assemble }, { work }] = await Promise.all([import('./assemble.ts'), import('./work.ts')])
    const readModels = await startRemoteReadModels({ ...stores, log: options.log })
    cleanup.add(() => readModels.stop())
    const core = await assemble({ ...options, config, stores, readModels, listening, metrics }, cleanup)
    await work(core, { ...options, alone: false }, cleanup)
    listening.serve(inside(() => readModels.notReady(), metrics, config))
  },

  async projector(config, { log, ...options }, stores, listening, metrics, cleanup) {
    const { startSharedProjector } = await import('../runtime/projector/projector.ts')
    const projector = await startSharedProjector(projections, { ...stores, log })
    cleanup.add(() => projector.stop())
    metrics.projections(() => projector.health, options.clock)
    listening.serve(inside(() => projector.notReady(), metrics, config))
  },
}

/** The routes of a process without an API. */
const inside = (notReady: () => readonly string[], metrics: Metrics, config: Config) =>
  express().use(healthRoutes(notReady)).use(metricsRoutes(metrics, config))

/** The further routes of an API while it waits for its stores. */
const notYet: RequestHandler = (_, response) =>
  void response
    .status(503)
    .set('Retry-After', '5')
    .type('text/plain')
    .send('The data store is not available right now. Please try again.')

/** @throws ConfigError unless both addresses are set */
export async function openServers({
  EVENTSTORE_URL,
  MONGODB_URL,
}: Pick<Config, 'EVENTSTORE_URL' | 'MONGODB_URL'>): Promise<Stores> {
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined) {
    throw new ConfigError(
      'Separate processes need EVENTSTORE_URL and MONGODB_URL. Without them, npm start runs everything in one process.',
    )
  }
  const mongo = connectMongo(MONGODB_URL)
  return storesOf({
    events: openEventStoreDB(EVENTSTORE_URL),
    store: openMongoReadStore(mongo),
    records: await openMongoRecords(mongo.share()),
    media: openMongoMedia(mongo.share()),
  })
}
