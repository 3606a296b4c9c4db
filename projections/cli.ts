/** `npm run projections -- …`: through the running server that has the data or, where there is none, on its files. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { throughServer } from '../api/admin/client.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { StoreUnavailable } from '../domain/event-store/port.ts'
import type { Stores } from './commands.ts'
import { runProjections } from './program.ts'
import { openEmbeddedReadStore } from './read-store/embedded.ts'

const dataDir = process.env['DATA_DIR'] || './data'
const abort = new AbortController()
process.once('SIGINT', () => abort.abort())
process.once('SIGTERM', () => abort.abort())
// Whoever reads our lines may stop before the last one, as `head` does; the work goes on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

/** @throws StoreUnavailable also when there is nothing at DATA_DIR: a typing error must not make an empty store */
async function open(): Promise<Stores & { close(): Promise<void> }> {
  const file = join(dataDir, 'events.db')
  if (!(await stat(file).catch(() => null))) throw new StoreUnavailable(`There is no event log in ${dataDir}. Set DATA_DIR to the folder of your data.`)
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

const args = process.argv.slice(2)
const here = { screen: process.stdout, signal: abort.signal }
process.exitCode = (await throughServer(dataDir, 'projections', args, here)) ?? (await runProjections(args, { ...here, errors: process.stderr, open }))
