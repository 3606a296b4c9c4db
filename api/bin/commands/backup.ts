/** `npm run backup`: through the running server that owns the data or, without one, on its files. */
import { throughServer } from '../../operations/admin/client.ts'
import { systemClock } from '../../core/clock.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { openBackups } from '../../operations/backup/backups.ts'
import { exitCodes } from '../../operations/backup/exit-codes.ts'
import { runBackup } from '../../operations/backup/program.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

async function main({ args, env, out, errors, signal }: Shell): Promise<number> {
  const config = operatorSettings(env)
  if (config.EVENTSTORE_URL !== undefined)
    throw new ConfigError(
      'EVENTSTORE_URL and MONGODB_URL are set: back those stores up with their own tools, as docs/backup-restore.md describes.',
    )
  const here = { screen: out, errors, signal }
  const backups = openBackups(config, systemClock)
  return (await throughServer(config.DATA_DIR, 'backup', args, here)) ?? runBackup(args, { ...here, backups, config })
}

export const commandLine: CommandLine = { main, failureOf: expecting([ConfigError], exitCodes.usage) }
