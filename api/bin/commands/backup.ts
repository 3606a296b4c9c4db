/**
 * `npm run backup`: of EventStoreDB and MongoDB, where they are set; else through the running server that owns the data
 * or, without one, on its files.
 */
import { resolve } from 'node:path'
import { throughServer } from '../../operations/admin/client.ts'
import { openSharedSource } from '../../composition/shared-source.ts'
import { systemClock } from '../../core/clock.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { openBackups } from '../../operations/backup/backups.ts'
import { exitCodes } from '../../operations/backup/exit-codes.ts'
import { folderOf } from '../../operations/backup/manifest.ts'
import { runBackup } from '../../operations/backup/program.ts'
import { openSharedBackups } from '../../operations/backup/shared-backups.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

async function main({ args, env, out, errors, signal }: Shell): Promise<number> {
  const config = operatorSettings(env)
  const { EVENTSTORE_URL, MONGODB_URL, DATA_DIR, BACKUPS_KEPT: kept } = config
  const here = { screen: out, errors, signal, config }
  if (EVENTSTORE_URL !== undefined && MONGODB_URL !== undefined) {
    const from = openSharedSource(EVENTSTORE_URL, MONGODB_URL)
    const open = (to = folderOf(config)) =>
      openSharedBackups(from, { folder: to, kept, clock: systemClock, screen: out })
    try {
      return await runBackup(args, { ...here, open })
    } finally {
      await from.close()
    }
  }
  const open = (to = config.BACKUP_DIR) => openBackups({ DATA_DIR, BACKUP_DIR: to, BACKUPS_KEPT: kept }, systemClock)
  return (await throughServer(DATA_DIR, 'backup', absolute(args), here)) ?? runBackup(args, { ...here, open })
}

/** The server may run in another folder. */
const absolute = (args: readonly string[]): readonly string[] =>
  args.map((arg, at) => {
    if (arg.startsWith('--to=')) return `--to=${resolve(arg.slice('--to='.length))}`
    return args[at - 1] === '--to' ? resolve(arg) : arg
  })

export const commandLine: CommandLine = { main, failureOf: expecting([ConfigError], exitCodes.usage) }
