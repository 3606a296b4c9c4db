/** One of several processes over EventStoreDB and MongoDB: the composition root of the distributed shape. */
import express from 'express'
import { openEventStoreDB } from '../domain/event-store/eventstoredb.ts'
import { connectMongo } from '../projections/read-store/mongodb-connection.ts'
import { openMongoReadStore } from '../projections/read-store/mongodb.ts'
import { projections } from '../projections/registry.ts'
import { assemble, serveApi, work, type Options } from './assemble.ts'
import { ConfigError, type Config } from './config.ts'
import { followElsewhere, mustNotBeAhead } from './following.ts'
import { healthRoutes } from './http/health.ts'
import { metricsRoutes } from './http/metrics.ts'
import { listen } from './listen.ts'
import { openMongoMedia } from './media/mongodb.ts'
import { startSharedProjector } from './processes/projecting/projecting.ts'
import { Metrics } from './metrics.ts'
import { openMongoRecords } from './records/mongodb.ts'
import { storesOf, type Stores } from './stores.ts'

export const roles = ['api', 'projector', 'worker'] as const
export type Role = (typeof roles)[number]

export interface RunningProcess {
  /** Where this machine reaches its health, and the API's everything; without a slash at the end. */
  readonly localUrl: string
  readonly publicUrl: string
  /** Finishes what was accepted, then lets go of the stores. */
  close(): Promise<void>
}

const madeAnew = 'Stop every process and drop MongoDB\'s collections read_views, read_collections and those that begin with c_: the projectors make them anew.'

/** Several of each may run. @throws ConfigError for a missing setting, StoreUnavailable when the views are not of this log */
export async function startProcess(role: Role, config: Config, options: Options): Promise<RunningProcess> {
  const metrics = new Metrics()
  const opened = await openServers(config)
  const stores: Stores = { ...opened, events: metrics.measured(opened.events) }
  await mustNotBeAhead(stores, madeAnew).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const listening = await listen(config)
  const { stop } = await begin[role](config, options, stores, listening, metrics)
  return {
    localUrl: listening.own,
    publicUrl: listening.publicUrl,
    async close() {
      await stop()
      await listening.close()
      await stores.close()
    },
  }
}

type Begin = (config: Config, options: Options, stores: Stores, listening: Awaited<ReturnType<typeof listen>>, metrics: Metrics) => Promise<{ stop(): Promise<void> }>

const begin: Readonly<Record<Role, Begin>> = {
  async api(config, options, stores, listening, metrics) {
    const following = await followElsewhere({ ...stores, log: options.log })
    const core = await assemble({ ...options, config, stores, following, listening, metrics })
    const api = await serveApi(core, options)
    return {
      async stop() {
        await api.stop()
        await following.stop()
      },
    }
  },

  async worker(config, options, stores, listening, metrics) {
    const following = await followElsewhere({ ...stores, log: options.log })
    listening.serve(inside(() => following.notReady(), metrics, config))
    const core = await assemble({ ...options, config, stores, following, listening, metrics })
    const processes = await work(core, false)
    return {
      async stop() {
        await processes.stop()
        await following.stop()
      },
    }
  },

  async projector(config, { log, ...options }, stores, listening, metrics) {
    const projector = await startSharedProjector(projections, { ...stores, log })
    metrics.projections(() => projector.health, options.clock)
    listening.serve(inside(() => projector.notReady(), metrics, config))
    return projector
  },
}

/** What a process without an API serves. */
const inside = (notReady: () => readonly string[], metrics: Metrics, config: Config) => express().use(healthRoutes(notReady)).use(metricsRoutes(metrics, config))

/** @throws ConfigError without the addresses of both */
export async function openServers({ EVENTSTORE_URL, MONGODB_URL }: Pick<Config, 'EVENTSTORE_URL' | 'MONGODB_URL'>): Promise<Stores> {
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined) {
    throw new ConfigError('EVENTSTORE_URL and MONGODB_URL are needed for processes of their own; without them, npm start runs everything in one.')
  }
  const mongo = connectMongo(MONGODB_URL)
  return storesOf({
    events: openEventStoreDB(EVENTSTORE_URL),
    store: openMongoReadStore(mongo),
    records: await openMongoRecords(mongo.share()),
    media: openMongoMedia(mongo.share()),
  })
}
