/** `npm run projections -- …`: a composition root for the embedded shape, on a stopped store. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { StoreUnavailable } from '../domain/event-store/port.ts'
import { commands, exitCodes, type Stores } from './commands.ts'
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

type Run = (stores: Stores) => Promise<number>

async function withStores(run: Run): Promise<void> {
  const stores = await open()
  try {
    process.exitCode = await run(stores)
  } finally {
    await stores.close()
  }
}

const { status, rebuild, verify, prune } = commands({ screen: process.stdout, signal: abort.signal })
const program = new Command('npm run projections --')
  .description('Looks after the read models: what the screens read, folded from the event log.')
  .exitOverride()
  .addHelpText(
    'after',
    `
DATA_DIR (default ./data) says where the data is. Stop the server first: these commands need the files to themselves.

Exit codes: 0 all is well; ${exitCodes.differs} verify found differences; ${exitCodes.usage} wrong usage or an unknown name; ${exitCodes.unavailable} the data can't be opened;
${exitCodes.failed} an event could not be handled; ${exitCodes.interrupted} interrupted: what was live is live still.`,
  )
program.command('status').description('position, lag, documents, version and live collection of each').action(() => withStores(status))
program
  .command('rebuild')
  .argument('[name...]', 'which ones')
  .option('--all', 'every one')
  .description('fold afresh beside the live one, then switch to it')
  .action((names: string[], { all = false }: { all?: boolean }) => withStores((stores) => rebuild(stores, names, all)))
program
  .command('verify')
  .argument('[name...]', 'which ones; every one when none is named')
  .description('fold afresh in the side and name every document that differs')
  .action((names: string[]) => withStores((stores) => verify(stores, names)))
program.command('prune').description('drop what no running code names, forget old tombstones').action(() => withStores(prune))

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = codeOf(error)
}

function codeOf(error: unknown): number {
  // The parser has said what is wrong by itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  console.error(error instanceof Error ? sentenceFor(error) : String(error))
  if (abort.signal.aborted) return exitCodes.interrupted
  if (error instanceof StoreUnavailable) return exitCodes.unavailable
  return error instanceof Error && error.name === 'UnknownProjection' ? exitCodes.usage : exitCodes.failed
}

function sentenceFor(error: Error): string {
  if (abort.signal.aborted) return 'Interrupted. What was live is live still.'
  if (!error.message.startsWith('Another SocialAI is already running')) return error.message
  return `${error.message} (Working on a running server, through an admin socket, comes in a later version.)`
}
