/**
 * The audit's command line in all its forms: on files without another user, on servers, or inside a running server.
 * Verifying a file needs no installation.
 */
import { readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { postStatuses } from '../../../domain/post/commands.ts'
import { ConfigError, type Config } from '../../runtime/config.ts'
import { presentSigningKeys } from '../../runtime/secrets.ts'
import { checkLog, writeCheckpoint } from './check-log.ts'
import {
  checkFile,
  erase,
  exitCodes,
  tellAsOf,
  tellErasedReviewer,
  tellHistory,
  WrongUsage,
  writeExport,
  type AuditStores,
  type Out,
} from './commands.ts'
import { checkReceipt, receiptIn } from './verify-receipt.ts'
import { Signer } from '../../features/audit/signing.ts'

export interface Around {
  readonly config: Config
  readonly out: Out
  readonly warn: Out
  /** Runs on the stores here, or passes the arguments to the server that has them open. @throws StoreUnavailable */
  readonly withStores: (run: (stores: AuditStores) => Promise<number>, args: readonly string[]) => Promise<number>
  /** Creates a new key. @throws StoreUnavailable while another process has the data open */
  readonly rotate: () => Promise<void>
}

interface ExportOptions extends Partial<Record<'from' | 'to' | 'client' | 'status', string>> {
  readonly agency: string
  readonly format: 'jsonl' | 'csv'
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) })

/** Returns an exit code; only unforeseen errors are thrown. @param args without the program's name */
export async function runAudit(
  args: readonly string[],
  { config, out, warn, withStores, rotate }: Around,
): Promise<number> {
  let code: number = exitCodes.ok
  const does = async (run: Promise<number>) => void (code = await run)
  const onData = (run: (stores: AuditStores) => Promise<number>) => does(withStores(run, args))

  /** This installation's keys, if none were given: reading them must not create any. */
  async function keysHere(): Promise<JSONWebKeySet> {
    const keys = await presentSigningKeys(config)
    if (!keys)
      throw new WrongUsage(
        "There are no keys here to verify the file with. Give the server's public keys with --keys, or set DATA_DIR to the folder of your data.",
      )
    return (await Signer.open(keys)).jwks
  }

  async function verify(
    file: string | undefined,
    keys: string | undefined,
    checkpoint: string | undefined,
  ): Promise<number> {
    for (const path of [file, keys, checkpoint]) await mustBeFile(path)
    const jwks = keys === undefined ? null : await keysIn(keys)
    if (file !== undefined) {
      const receipt = await receiptIn(file)
      const known = jwks ?? (await keysHere())
      return receipt === null ? checkFile(file, known, out) : checkReceipt(receipt, known, out)
    }
    // The server that reads them may run in another folder.
    const whole = [
      ...(keys === undefined ? [] : ['--keys', resolve(keys)]),
      ...(checkpoint === undefined ? [] : ['--checkpoint', resolve(checkpoint)]),
    ]
    return withStores((stores) => checkLog(stores, { checkpoint: checkpoint ?? null, jwks }, out), ['verify', ...whole])
  }

  async function newKey(): Promise<number> {
    await rotate()
    await out('From the next start on, the server signs with a new key. Signatures of earlier keys stay valid.\n')
    return exitCodes.ok
  }

  const program = new Command('npm run audit --')
    .description('Shows, exports and verifies the event log.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out(text), writeErr: (text) => void warn(text) })
    .addHelpText('after', help)
  program
    .command('history')
    .argument('<post>')
    .description('show every event of a post')
    .action((post: string) => onData((stores) => tellHistory(stores, post, out)))
  program
    .command('as-of')
    .argument('<post>')
    .argument('<instant>', 'like 2026-03-01T09:00:00Z')
    .description('show a post as it was at an instant')
    .action((post: string, at: string) => onData((stores) => tellAsOf(stores, post, at, out)))
  program
    .command('export')
    .requiredOption('--agency <id>')
    .option('--from <instant>')
    .option('--to <instant>')
    .option('--client <id>')
    .addOption(new Option('--status <status>').choices([...postStatuses, 'deleted']))
    .addOption(new Option('--format <format>').choices(['jsonl', 'csv']).default('jsonl'))
    .description('write all events, signed, to the standard output')
    .action(({ agency, from, to, client, status, format }: ExportOptions) => {
      const filters = { from: from ?? null, to: to ?? null, clientId: client ?? null, status: status ?? null }
      return onData((stores) => writeExport(stores, agency, filters, format, out))
    })
  program
    .command('verify')
    .argument('[file]', 'an exported file or a receipt; default: the event log')
    .option('--keys <file>', "a file with the public keys, saved from the server's /.well-known/jwks.json")
    .option('--checkpoint <file>', 'a checkpoint to compare the event log with')
    .description('verify the event log, an export or a receipt, and name every change')
    .action((file: string | undefined, { keys, checkpoint }: { keys?: string; checkpoint?: string }) =>
      does(verify(file, keys, checkpoint)),
    )
  program
    .command('checkpoint')
    .description('write a signed checkpoint of the event log, to be kept elsewhere')
    .action(() => onData((stores) => writeCheckpoint(stores, out, warn)))
  program
    .command('erase-user')
    .argument('<id>')
    .description("erase a user's personal data")
    .action((id: string) => onData((stores) => erase(stores, id, join(config.DATA_DIR, 'outbox'), out)))
  program
    .command('erase-reviewer')
    .option('--id <id>', 'as receipts and events have it')
    .option('--email <address>', 'every contact and reviewer with this address')
    .description("erase the personal data of a client's person who reviewed posts")
    .action((who: { id?: string; email?: string }) =>
      onData((stores) => tellErasedReviewer(stores, who, join(config.DATA_DIR, 'outbox'), out)),
    )
  program
    .command('rotate-key')
    .description('sign with a new key from now on; earlier signatures stay valid')
    .action(() => does(newKey()))

  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const isUsage =
      error instanceof WrongUsage || (error instanceof Error && 'code' in error && error.code === 'ENOENT')
    if (!isUsage && !(error instanceof StoreUnavailable) && !(error instanceof ConfigError)) throw error
    await warn(`${error.message}\n`)
    return isUsage ? exitCodes.usage : exitCodes.unavailable
  }
}

async function keysIn(file: string): Promise<JSONWebKeySet> {
  const text = await readFile(file, 'utf8')
  try {
    return keySet.parse(JSON.parse(text))
  } catch {
    throw new WrongUsage(`${file} has no public keys. Save the server's /.well-known/jwks.json to it.`)
  }
}

async function mustBeFile(path: string | undefined): Promise<void> {
  if (path === undefined) return
  const found = await stat(path).catch(() => null)
  if (!found) throw new WrongUsage(`There is no file ${path}.`)
  if (found.isDirectory()) throw new WrongUsage(`${path} is a folder, not a file.`)
}

const help = `
DATA_DIR (default ./data) is the data folder; with EVENTSTORE_URL and MONGODB_URL set, the command reads those stores. A running server executes
the command; without one the command opens the files itself. rotate-key needs a stopped server. Verifying a file needs no server.

Exit codes: 0 success; ${exitCodes.differs} verification found a change; ${exitCodes.usage} wrong usage; ${exitCodes.unavailable} the data can't be opened.`
