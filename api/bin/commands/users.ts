/**
 * `npm run users -- reset-factors <email>`: on shared records; else through the running server that owns the data or,
 * without one, on its files.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { systemClock } from '../../core/clock.ts'
import { publicUrlOf } from '../../core/public-url.ts'
import { SecurityLog } from '../../features/auth/security-log.ts'
import { openMail } from '../../features/mail/mail.ts'
import { throughServer } from '../../operations/admin/client.ts'
import { exitCodes, runUsers, type UserStores } from '../../operations/users/program.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import type { Records } from '../../records/port.ts'
import { ConfigError, type Config } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

/** @throws StoreUnavailable also without records there: a mistyped path must not create an empty store */
async function recordsOf({ MONGODB_URL, DATA_DIR }: Config): Promise<Records> {
  if (MONGODB_URL !== undefined) return openMongoRecords(connectMongo(MONGODB_URL))
  const file = join(DATA_DIR, 'records.db')
  if (await stat(file).catch(() => null)) return openEmbeddedRecords(file)
  throw new StoreUnavailable(`There are no records in ${DATA_DIR}. Set DATA_DIR to the folder of your data.`)
}

async function onRecords(config: Config, run: (stores: UserStores) => Promise<number>, { errors }: Shell) {
  const isShared = config.MONGODB_URL !== undefined
  const records = await recordsOf(config)
  const log = pino({ level: 'info' }, { write: (line) => void errors.write(line) })
  try {
    return await run({
      records,
      clock: systemClock,
      securityLog: new SecurityLog(log, 'no account is named by its address here'),
      publicUrl: config.PUBLIC_URL ?? publicUrlOf(config.HOST, config.PORT).shown,
      openMail: () => openMail(config, isShared ? null : join(config.DATA_DIR, 'outbox')),
    })
  } finally {
    await records.close()
  }
}

export const commandLine: CommandLine = {
  async main(shell) {
    const config = operatorSettings(shell.env)
    const around = { screen: shell.out, errors: shell.errors, signal: shell.signal }
    const isShared = config.MONGODB_URL !== undefined
    const done = isShared ? null : await throughServer(config.DATA_DIR, 'users', shell.args, around)
    if (done !== null) return done
    return runUsers(shell.args, {
      out: (text) => void shell.out.write(text),
      warn: (text) => void shell.errors.write(text),
      withRecords: (run) => onRecords(config, run, shell),
    })
  },
  failureOf: expecting([ConfigError, StoreUnavailable], exitCodes.unavailable),
}
