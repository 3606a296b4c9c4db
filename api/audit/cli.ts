/** `npm run audit -- …`: a composition root for both shapes. Checking a file needs no installation at all. */
import { readFile, stat } from 'node:fs/promises'
import { once } from 'node:events'
import { join } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { postStatuses } from '../../domain/post/commands.ts'
import { viewsOf } from '../../projections/registry.ts'
import { streamsProjection } from '../../projections/streams/projection.ts'
import { systemClock } from '../clock.ts'
import { ConfigError, readConfig } from '../config.ts'
import { openServers } from '../distributed.ts'
import { openFiles } from '../embedded.ts'
import { presentSigningKeys, readSecrets, renewSigningKey } from '../secrets.ts'
import type { Stores } from '../stores.ts'
import { checkLog, writeCheckpoint } from './check-log.ts'
import { Checkpoints } from './checkpoints.ts'
import { checkFile, erase, exitCodes, tellAsOf, tellHistory, WrongUsage, writeExport, type AuditStores, type Out } from './commands.ts'
import { Signer } from './signing.ts'

const out: Out = async (text) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
const warn: Out = (text) => void process.stderr.write(text)
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

/** @throws StoreUnavailable also when there is nothing at DATA_DIR: a typing error must not make an empty store */
async function openHere(dataDir: string): Promise<Stores> {
  if (await stat(join(dataDir, 'events.db')).catch(() => null)) return openFiles(dataDir)
  throw new StoreUnavailable(`There is no event log in ${dataDir}. Set DATA_DIR to the folder of your data.`)
}

async function withStores(run: (stores: AuditStores) => Promise<number>): Promise<number> {
  const config = readConfig(process.env)
  const { events, store, records, close } = await (config.EVENTSTORE_URL === undefined ? openHere(config.DATA_DIR) : openServers(config))
  try {
    const signer = await Signer.open((await readSecrets(config)).signing)
    const checkpoints = await Checkpoints.open(records, signer)
    const collection = await store.live(streamsProjection.name)
    const views = viewsOf(store, { of: () => collection ?? missing() })
    return await run({ events, records, views, signer, checkpoints, clock: systemClock })
  } finally {
    await close()
  }
}

const missing = (): never => {
  throw new StoreUnavailable('The list of streams has not been built yet. Start the server once, then try again.')
}

interface ExportOptions extends Partial<Record<'from' | 'to' | 'client' | 'status', string>> {
  readonly agency: string
  readonly format: 'jsonl' | 'csv'
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

async function keysIn(file: string): Promise<JSONWebKeySet> {
  const text = await readFile(file, 'utf8')
  try {
    return keySet.parse(JSON.parse(text))
  } catch {
    throw new WrongUsage(`${file} has no public keys. Save what the server tells at /.well-known/jwks.json.`)
  }
}

/** Of this installation, where nothing was given: asking for them must not make any. */
async function keysHere(): Promise<JSONWebKeySet> {
  const keys = await presentSigningKeys(readConfig(process.env))
  if (!keys) throw new WrongUsage("There are no keys of an installation here to check the file with. Give the server's public keys with --keys, or set DATA_DIR to the folder of your data.")
  return (await Signer.open(keys)).jwks
}

async function mustBeFile(path: string | null | undefined): Promise<void> {
  if (path === null || path === undefined) return
  const found = await stat(path).catch(() => null)
  if (!found) throw new WrongUsage(`There is no file ${path}.`)
  if (found.isDirectory()) throw new WrongUsage(`${path} is a folder, not a file.`)
}

const program = new Command('npm run audit --')
  .description('What happened, as it was, and whether it is still so.')
  .exitOverride()
  .addHelpText(
    'after',
    `
DATA_DIR (default ./data) says where the data is; with EVENTSTORE_URL and MONGODB_URL set, those are read. An embedded server has its files
to itself: stop it first. Checking a file needs neither.

Exit codes: 0 all is well; ${exitCodes.differs} something is not as it was; ${exitCodes.usage} wrong usage; ${exitCodes.unavailable} the data can't be opened.`,
  )
const does = (run: Promise<number>) => run.then((code) => void (process.exitCode = code))

program.command('history').argument('<post>').description('every event of a post').action((post: string) => does(withStores((stores) => tellHistory(stores, post, out))))
program
  .command('as-of')
  .argument('<post>')
  .argument('<instant>', 'like 2026-03-01T09:00:00Z')
  .description('a post as it was')
  .action((post: string, at: string) => does(withStores((stores) => tellAsOf(stores, post, at, out))))
program
  .command('export')
  .requiredOption('--agency <id>')
  .option('--from <instant>')
  .option('--to <instant>')
  .option('--client <id>')
  .addOption(new Option('--status <status>').choices([...postStatuses, 'deleted']))
  .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
  .description('everything that happened, signed, to the standard output')
  .action(({ agency, from, to, client, status, format }: ExportOptions) => {
    const filters = { from: from ?? null, to: to ?? null, clientId: client ?? null, status: status ?? null }
    return does(withStores((stores) => writeExport(stores, agency, filters, format, out)))
  })
program
  .command('verify')
  .argument('[file]', 'an export; without it, the log itself')
  .option('--keys <file>', "the public keys, as the server's /.well-known/jwks.json has them")
  .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere, for the log')
  .description('find and name whatever is not as it was')
  .action((file: string | undefined, { keys, checkpoint = null }: { keys?: string; checkpoint?: string | null }) =>
    does(verify(file, keys, checkpoint)),
  )
program.command('checkpoint').description('sign how far the log is, to be kept elsewhere').action(() => does(withStores((stores) => writeCheckpoint(stores, out, warn))))
program.command('erase-user').argument('<id>').description("take a person's data out of everything").action((id: string) => does(withStores((stores) => erase(stores, id, join(readConfig(process.env).DATA_DIR, 'outbox'), out))))
program.command('rotate-key').description('sign with a new key from now on; what earlier ones signed stays ours').action(() => does(rotate()))

async function verify(file: string | undefined, keys: string | undefined, checkpoint: string | null): Promise<number> {
  for (const path of [file, keys, checkpoint]) await mustBeFile(path)
  const jwks = keys === undefined ? null : await keysIn(keys)
  if (file === undefined) return withStores((stores) => checkLog(stores, { checkpoint, jwks }, out))
  return checkFile(file, jwks ?? (await keysHere()), out)
}

async function rotate(): Promise<number> {
  const config = readConfig(process.env)
  // Where several processes share the stores the key is in their environment, and this says so.
  const held = config.AUDIT_SIGNING_KEY === undefined ? await openHere(config.DATA_DIR) : null
  try {
    await renewSigningKey(config)
  } finally {
    await held?.close()
  }
  await out('New signatures are by a new key from the next start on. What earlier keys signed stays ours.\n')
  return exitCodes.ok
}

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = codeOf(error)
}

function codeOf(error: unknown): number {
  // The parser has said what is wrong by itself.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  if (error instanceof WrongUsage || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
    console.error(error.message)
    return exitCodes.usage
  }
  if (!(error instanceof StoreUnavailable || error instanceof ConfigError)) throw error
  console.error(error.message)
  return exitCodes.unavailable
}
