/**
 * `npm run restore -- <folder|latest>`: restores a backup into a folder on which no server runs, or into an empty
 * EventStoreDB and MongoDB.
 */
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
  type Manifest,
} from '../../operations/backup/manifest.ts'
import { openServers } from '../../composition/distributed.ts'
import { openEmbeddedOrigin } from '../../composition/embedded-origin.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { MoveRefused } from '../../operations/move/refused.ts'
import { contentsOf } from '../../operations/move/target.ts'
import { RestoreInterrupted, restoreToStores } from '../../operations/backup/restore-to-stores.ts'
import type { Config } from '../../runtime/config.ts'
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

interface Found {
  readonly from: string
  /** The folder of all backups. */
  readonly backups: string
  readonly manifest: Manifest
}

async function run(named: string, options: RestoreOptions, shell: Shell): Promise<void> {
  const config = operatorSettings(shell.env)
  const { EVENTSTORE_URL, MONGODB_URL } = config
  const backups = folderOf(config)
  const from = await find(named, backups, shell.errors)
  const found = { from, backups, manifest: await readManifest(from) }
  if (options.to === undefined && EVENTSTORE_URL !== undefined && MONGODB_URL !== undefined)
    await toStores(found, { EVENTSTORE_URL, MONGODB_URL }, options, shell)
  else await toFolder(found, resolve(options.to ?? config.DATA_DIR), options, shell)
}

async function toStores(
  { from, manifest }: Found,
  addresses: Pick<Config, 'EVENTSTORE_URL'> & { readonly MONGODB_URL: string },
  { replace, withoutDamagedImages = false }: RestoreOptions,
  { out, signal }: Shell,
): Promise<void> {
  if (replace) throw new ConfigError('--replace works on folders only. Empty both stores yourself.')
  const mongo = connectMongo(addresses.MONGODB_URL)
  const to = await openServers(addresses)
  try {
    const { events, records, images, leftOut } = await restoreToStores(
      {
        from,
        manifest,
        to: { ...to, contents: () => contentsOf(mongo) },
        withoutDamagedImages,
        screen: out,
        signal,
      },
      openEmbeddedOrigin,
    )
    out.write(
      `Restored the backup of ${manifest.at} to EVENTSTORE_URL and MONGODB_URL: ${count(events.seen, 'event')}, ${count(records.seen, 'record')}, ${count(images.seen, 'image')}.\n`,
    )
    tell(manifest, leftOut, out)
    out.write(
      `Give the processes the SESSION_SECRET, the ENCRYPTION_KEY and the AUDIT_SIGNING_KEY of the installation${hasKeys(manifest) ? `, as in ${join(from, 'secrets')} unless you set your own` : ''}. Then start them: the projectors rebuild the read models from the log. All users have to sign in again.\n`,
    )
  } finally {
    await mongo.close()
    await to.close()
  }
}

const hasKeys = ({ files }: Manifest) => files.some(({ path }) => path.startsWith('secrets/'))

function tell({ problems }: Manifest, leftOut: readonly string[], out: Shell['out']): void {
  for (const hash of leftOut) out.write(`The image ${hash} is damaged in the backup and was left out.\n`)
  for (const problem of problems) out.write(`Found when the backup was made: ${problem}\n`)
}

async function toFolder(
  { from, backups, manifest }: Found,
  target: string,
  { replace = false, withoutDamagedImages = false }: RestoreOptions,
  { out, signal }: Shell,
): Promise<void> {
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
  tell(manifest, leftOut, out)
  if (!hasKeys(manifest))
    print(
      'The backup has no keys. Give the server the SESSION_SECRET, the ENCRYPTION_KEY and the AUDIT_SIGNING_KEY of the installation. Otherwise all accounts are disconnected and all links of auditors stop working.',
    )
  print('Start the server now: it rebuilds the read models from the log. All users have to sign in again.')
}

const program = (shell: Shell): Command =>
  programFor('npm run restore --', shell)
    .description('Restores a backup. No server or process may be running on the target.')
    .argument('<backup>', 'the folder of the backup, or latest')
    .option(
      '--to <folder>',
      'the folder to restore to; default EVENTSTORE_URL and MONGODB_URL, or DATA_DIR without them',
    )
    .option('--replace', 'move existing data aside')
    .option('--without-damaged-images', 'restore everything except images that are damaged in the backup')
    .addHelpText(
      'after',
      `
The command checks every file against the manifest of the backup before it changes anything. It looks for backups in BACKUP_DIR (default DATA_DIR/backups).

A backup of a folder or of EventStoreDB and MongoDB can be restored to either. Both stores must be empty. No process starts on them while a part is
missing: after an interruption, run the command again to continue, or empty both stores. The command copies the log and the records to TMPDIR first.

Exit codes: 0 success; ${exitCodes.differs} the backup is damaged, and nothing was changed; ${exitCodes.usage} wrong usage, or no such backup; ${exitCodes.unavailable} a server is running on
the folder, or it can't be written; ${exitCodes.interrupted} interrupted.`,
    )
    .action((named: string, options: RestoreOptions) => run(named, options, shell))

/** Null for an error that nothing here expects. */
function failureOf(error: unknown, isInterrupted: boolean): Failure | null {
  if (error instanceof CommanderError) return usageFailure(error, exitCodes.usage)
  if (error instanceof RestoreInterrupted)
    return {
      message:
        'Interrupted. If a part of the data is in the stores already, no process starts on them: run the command again to continue.',
      exitCode: exitCodes.interrupted,
    }
  if (isInterrupted) return { message: 'Interrupted. Nothing was changed.', exitCode: exitCodes.interrupted }
  if (error instanceof CantRestore) {
    const lines = [error.message, ...error.damaged.map((path) => `  ${path} is missing or was changed`)]
    return { message: lines.join('\n'), exitCode: error.damaged.length > 0 ? exitCodes.differs : exitCodes.usage }
  }
  if (error instanceof NoBackup || error instanceof ConfigError || error instanceof MoveRefused)
    return { message: error.message, exitCode: exitCodes.usage }
  const sentence = error instanceof StoreUnavailable ? error.message : diskSentence(error)
  return sentence === null ? null : { message: sentence, exitCode: exitCodes.unavailable }
}

export const commandLine: CommandLine = {
  main: async (shell) => void (await program(shell).parseAsync(shell.args, { from: 'user' })),
  failureOf,
}
