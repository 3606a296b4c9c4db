/** `npm run restore -- <folder|latest>`: restores a backup while no server runs. */
import { join, resolve } from 'node:path'
import { CommanderError, type Command } from 'commander'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { systemClock } from '../../core/clock.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { diskSentence, isThere } from '../../operations/backup/disk.ts'
import { exitCodes } from '../../operations/backup/exit-codes.ts'
import {
  backupsIn,
  folderOf,
  hasEvents,
  isOfFuture,
  isSameLog,
  NoBackup,
  readManifest,
} from '../../operations/backup/manifest.ts'
import { count } from '../../operations/backup/program.ts'
import { CantRestore, restore } from '../../operations/backup/restore.ts'
import { programFor, usageFailure, type CommandLine, type Failure, type Shell } from '../shell.ts'

interface RestoreOptions {
  readonly to?: string
  readonly replace?: boolean
  readonly withoutDamagedImages?: boolean
}

/** @throws NoBackup with a list of the existing ones */
async function find(named: string, folder: string, errors: Shell['errors']): Promise<string> {
  const all = await backupsIn(folder)
  const now = systemClock.now()
  const untilNow = all.filter(({ at }) => !isOfFuture(at, now))
  const newest = untilNow.findLast(hasEvents) ?? untilNow.at(-1)
  if (named === 'latest' && newest !== undefined) {
    const others = all.filter((one) => !isSameLog(one.manifest.log, newest.manifest.log))
    if (others.length > 0)
      throw new NoBackup(
        `${folder} has backups of several installations. Name the folder of the one to restore:\n${all.map((one) => `  ${one.folder}`).join('\n')}`,
      )
    for (const one of all)
      if (isOfFuture(one.at, now))
        errors.write(
          `${one.folder} has a date in the future: the clock was wrong when it was made. To restore it, name its folder.\n`,
        )
    for (const one of untilNow.slice(untilNow.indexOf(newest) + 1))
      errors.write(`${one.folder} is newer, but its log is empty. To restore it, name its folder.\n`)
    return newest.folder
  }
  for (const path of named === 'latest' ? [] : [named, join(folder, named)]) if (await isThere(path)) return path
  const there = all.map((one) => `  ${one.folder}`).join('\n')
  throw new NoBackup(
    `${named === 'latest' ? 'There is no backup' : `There is no ${named}`} in ${folder}.${there === '' ? '' : ` There are:\n${there}`}`,
  )
}

async function run(
  named: string,
  { to, replace = false, withoutDamagedImages = false }: RestoreOptions,
  { env, out, errors, signal }: Shell,
): Promise<void> {
  const config = operatorSettings(env)
  const backups = folderOf(config)
  const from = await find(named, backups, errors)
  const manifest = await readManifest(from)
  const target = resolve(to ?? config.DATA_DIR)
  const print = (line: string) => out.write(`${line}\n`)
  const { images, leftOut, aside } = await restore({
    from,
    backups,
    manifest,
    to: target,
    replace,
    withoutDamagedImages,
    now: systemClock.now(),
    signal,
  })
  print(
    `Restored the backup of ${manifest.at} to ${target}: ${count(manifest.log.events, 'event')}, ${count(images, 'image')}.`,
  )
  if (aside !== null) print(`The earlier data is in ${aside}. Remove it when you no longer need it.`)
  for (const hash of leftOut) print(`The image ${hash} is damaged in the backup and was left out.`)
  for (const problem of manifest.problems) print(`Found when the backup was made: ${problem}`)
  print('Start the server now: it rebuilds the read models from the log. All users have to sign in again.')
}

const program = (shell: Shell): Command =>
  programFor('npm run restore --', shell)
    .description('Restores a backup. No server may be running on the folder.')
    .argument('<backup>', 'the folder of the backup, or latest')
    .option('--to <folder>', 'the folder to restore to; default DATA_DIR')
    .option('--replace', 'move existing data aside')
    .option('--without-damaged-images', 'restore everything except images that are damaged in the backup')
    .addHelpText(
      'after',
      `
The command checks every file against the manifest of the backup before it changes anything. It looks for backups in BACKUP_DIR (default DATA_DIR/backups).

Exit codes: 0 success; ${exitCodes.differs} the backup is damaged, and nothing was changed; ${exitCodes.usage} wrong usage, or no such backup; ${exitCodes.unavailable} a server is running on
the folder, or it can't be written; ${exitCodes.interrupted} interrupted: nothing was changed.`,
    )
    .action((named: string, options: RestoreOptions) => run(named, options, shell))

/** Null for an error that nothing here expects. */
function failureOf(error: unknown, isInterrupted: boolean): Failure | null {
  if (error instanceof CommanderError) return usageFailure(error, exitCodes.usage)
  if (isInterrupted) return { message: 'Interrupted. Nothing was changed.', exitCode: exitCodes.interrupted }
  if (error instanceof CantRestore) {
    const lines = [error.message, ...error.damaged.map((path) => `  ${path} is missing or was changed`)]
    return { message: lines.join('\n'), exitCode: error.damaged.length > 0 ? exitCodes.differs : exitCodes.usage }
  }
  if (error instanceof NoBackup || error instanceof ConfigError)
    return { message: error.message, exitCode: exitCodes.usage }
  const sentence = error instanceof StoreUnavailable ? error.message : diskSentence(error)
  return sentence === null ? null : { message: sentence, exitCode: exitCodes.unavailable }
}

export const commandLine: CommandLine = {
  main: async (shell) => void (await program(shell).parseAsync(shell.args, { from: 'user' })),
  failureOf,
}
