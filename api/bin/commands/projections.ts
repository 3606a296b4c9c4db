/**
 * `npm run projections -- …`: on shared stores; else through the running server that owns the data or, without one, on
 * its files.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { throughServer } from '../../operations/admin/client.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { buildingAlone } from '../../runtime/projector/building.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { openEventStoreDB } from '../../../domain/event-store/eventstoredb.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { exitCodes } from '../../../projections/commands.ts'
import { runProjections, type OpenStores } from '../../../projections/program.ts'
import { openEmbeddedReadStore } from '../../../projections/read-store/embedded.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { openMongoReadStore } from '../../../projections/read-store/mongodb.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

/** @throws StoreUnavailable also without a log at DATA_DIR: a mistyped path must not create an empty store */
async function openFiles(dataDir: string): Promise<OpenStores> {
  const file = join(dataDir, 'events.db')
  if (!(await stat(file).catch(() => null)))
    throw new StoreUnavailable(`There is no event log in ${dataDir}. Set DATA_DIR to the folder of your data.`)
  const events = await openEmbeddedEventStore(file)
  const store = await openEmbeddedReadStore(join(dataDir, 'views.db')).catch(async (error: unknown) => {
    await events.close()
    throw error
  })
  const close = async () => {
    await store.close()
    await events.close()
  }
  return { events, store, close }
}

async function openServers(eventStoreUrl: string, mongoUrl: string, onLost: () => void): Promise<OpenStores> {
  const mongo = connectMongo(mongoUrl)
  const [events, store, records] = [
    openEventStoreDB(eventStoreUrl),
    openMongoReadStore(mongo),
    await openMongoRecords(mongo.share()),
  ]
  return {
    events,
    store,
    alone: (names, work) => buildingAlone(records, names, work, { onLost }),
    async close() {
      await records.close()
      await store.close()
      await events.close()
    },
  }
}

async function main({ args, env, out, errors, signal, interrupt }: Shell): Promise<number> {
  const here = { screen: out, errors, signal }
  const { EVENTSTORE_URL, MONGODB_URL, DATA_DIR } = operatorSettings(env)
  if (EVENTSTORE_URL !== undefined && MONGODB_URL !== undefined)
    return runProjections(args, {
      ...here,
      open: () => openServers(EVENTSTORE_URL, MONGODB_URL, interrupt),
    })
  return (
    (await throughServer(DATA_DIR, 'projections', args, here)) ??
    runProjections(args, { ...here, open: () => openFiles(DATA_DIR) })
  )
}

export const commandLine: CommandLine = { main, failureOf: expecting([ConfigError], exitCodes.usage) }
