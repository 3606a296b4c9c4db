/**
 * `npm run backup` in all its forms: on files without another user, inside the server that has them open, or on stores
 * that processes share.
 */
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { ConfigError, type Config } from '../../runtime/config.ts'
import type { Backups, Made } from './backups.ts'
import { exitCodes } from './exit-codes.ts'
import { CantBackUp, megabytes } from './snapshot.ts'

interface Around {
  /** Opens the backups in a folder; default BACKUP_DIR. @throws ConfigError */
  readonly open: (to?: string) => Backups
  readonly config: Pick<Config, 'SESSION_SECRET' | 'ENCRYPTION_KEY' | 'AUDIT_SIGNING_KEY'>
  readonly screen: { write(text: string): unknown }
  readonly errors: { write(text: string): unknown }
  readonly signal: AbortSignal
}

/** Always returns an exit code, and never throws. */
export async function runBackup(
  args: readonly string[],
  { open, config, screen, errors, signal }: Around,
): Promise<number> {
  const began = performance.now()
  let code: number = exitCodes.ok
  const program = new Command('npm run backup')
    .description('Copies all data of this installation, also while the server is running.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void screen.write(text), writeErr: (text) => void errors.write(text) })
    .option('--to <folder>', 'the folder of the backups; default BACKUP_DIR')
    .addHelpText('after', help)
    .action(async ({ to }: { readonly to?: string }) => {
      const made = await open(to).make(signal)
      for (const line of outcome(made, (performance.now() - began) / 1000)) screen.write(`${line}\n`)
      const given = (['SESSION_SECRET', 'ENCRYPTION_KEY', 'AUDIT_SIGNING_KEY'] as const).filter(
        (name) => config[name] !== undefined,
      )
      if (given.length > 0)
        screen.write(
          `The backup does not contain ${given.join(', ')}, because you set ${given.length === 1 ? 'it' : 'them'} yourself. Keep a copy elsewhere.\n`,
        )
      for (const problem of made.manifest.problems) errors.write(`${problem}\n`)
      if (made.manifest.problems.length > 0) code = exitCodes.differs
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return code
  } catch (error) {
    // The parser has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    if (signal.aborted) {
      errors.write('Interrupted. The unfinished backup was removed; the earlier ones are complete.\n')
      return exitCodes.interrupted
    }
    if (error instanceof ConfigError) {
      errors.write(`${error.message}\n`)
      return exitCodes.usage
    }
    const sentence = error instanceof Error ? error.message : String(error)
    errors.write(`${sentence}\nNo backup was made; the earlier ones are unchanged.\n`)
    return error instanceof CantBackUp || error instanceof StoreUnavailable ? exitCodes.unavailable : exitCodes.failed
  }
}

function outcome({ folder, bytes, manifest, removed, ofFuture, left }: Made, seconds: number): string[] {
  const images = manifest.files.filter(({ path }) => path.startsWith('media/')).length
  return [
    `Backed up to ${resolve(folder)}: ${count(manifest.log.events, 'event')}, ${count(images, 'image')}, ${megabytes(bytes)}, in ${seconds.toFixed(1)} s.`,
    ...removed.map((one) => `Removed the backup of ${one.at}.`),
    ...ofFuture.map(
      (one) =>
        `${resolve(one.folder)} has a date in the future: the clock was wrong when it was made. It does not count towards BACKUPS_KEPT; remove it yourself.`,
    ),
    ...left.map((one) => `Could not remove all files of ${resolve(one)}. Remove the folder yourself.`),
  ]
}

export const count = (number: number, one: string) =>
  `${number.toLocaleString('en-US')} ${one}${number === 1 ? '' : 's'}`

const help = `
DATA_DIR (default ./data) is the data folder, BACKUP_DIR (default DATA_DIR/backups) the folder of the backups, BACKUPS_KEPT (default 7) their
number. A running server makes the backup; without one the command opens the files itself. Read models are left out: they are rebuilt from the log.
With EVENTSTORE_URL and MONGODB_URL set, the command copies the log, the records and the images from there, while people work.

Exit codes: 0 success; ${exitCodes.differs} the backup was made, but some of its data is damaged; ${exitCodes.usage} wrong usage; ${exitCodes.unavailable} no backup was made: the data
can't be opened, the disk is full, or another backup is running; ${exitCodes.interrupted} interrupted.`
