/**
 * The projections' command line in all its forms: on files without another user, on servers, or inside a running
 * server.
 */
import { Command, CommanderError } from 'commander'
import { StoreUnavailable } from '../domain/event-store/port.ts'
import { RebuildUnderWay } from './core/beside.ts'
import { commands, exitCodes, UnknownProjection, type Stores, type Surroundings } from './commands.ts'
import { projections as registered } from './registry.ts'

export interface Around extends Surroundings {
  readonly signal: AbortSignal
  /** Where errors are written. */
  readonly errors: { write(text: string): unknown }
  /** @throws StoreUnavailable */
  readonly open: () => Promise<OpenStores>
}

export interface OpenStores extends Stores {
  /** Runs work under a lock where other processes could build the same projections. @throws RebuildUnderWay */
  readonly alone?: (names: readonly string[], work: () => Promise<number>) => Promise<number>
  close(): Promise<void>
}

/** Always returns an exit code, and never throws. @param args without the program's name */
export async function runProjections(args: readonly string[], { open, errors, ...around }: Around): Promise<number> {
  const { status, rebuild, verify, prune } = commands(around)
  let code: number = exitCodes.ok
  const all = (around.projections ?? registered).map(({ name }) => name)
  const withStores = async (run: (stores: Stores) => Promise<number>, built: readonly string[]): Promise<void> => {
    const stores = await open()
    try {
      code = await (stores.alone ? stores.alone(built, () => run(stores)) : run(stores))
    } finally {
      await stores.close()
    }
  }
  const known = (names: readonly string[]) => all.filter((name) => names.includes(name))
  const program = new Command('npm run projections --')
    .description('Manages the read models, which are built from the event log.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void around.screen.write(text),
      writeErr: (text) => void errors.write(text),
    })
    .addHelpText('after', help)
  program
    .command('status')
    .description('show position, lag, documents, version and live collection of each projection')
    .action(() => withStores(status, []))
  program
    .command('rebuild')
    .argument('[name...]', 'the projections to rebuild')
    .option('--all', 'rebuild all projections')
    .description('build a new collection beside the live one, then switch to it')
    .action((names: string[], { all: every = false }: { all?: boolean }) =>
      withStores((stores) => rebuild(stores, names, every), every ? all : known(names)),
    )
  program
    .command('verify')
    .argument('[name...]', 'the projections to verify; default: all')
    .description('build a temporary collection and name every document that differs')
    .action((names: string[]) => withStores((stores) => verify(stores, names), names.length === 0 ? all : known(names)))
  program
    .command('prune')
    .description('drop unused collections and delete old tombstones')
    .action(() => withStores(prune, all))

  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const isInterrupted = around.signal.aborted
    errors.write(
      `${isInterrupted ? 'Interrupted. The live collections are unchanged.' : error instanceof Error ? error.message : String(error)}\n`,
    )
    if (isInterrupted) return exitCodes.interrupted
    if (error instanceof StoreUnavailable || error instanceof RebuildUnderWay) return exitCodes.unavailable
    return error instanceof UnknownProjection ? exitCodes.usage : exitCodes.failed
  }
}

const help = `
DATA_DIR (default ./data) is the data folder. A running server executes the command and stays readable meanwhile; without one the command opens
the files itself. With EVENTSTORE_URL and MONGODB_URL set, the command works on those stores while the processes keep running.

Exit codes: 0 success; ${exitCodes.differs} verify found differences; ${exitCodes.usage} wrong usage or an unknown name; ${exitCodes.unavailable} the data can't be opened, or another command builds the same
projection; ${exitCodes.failed} an event could not be handled; ${exitCodes.interrupted} interrupted: the live collections are unchanged.`
