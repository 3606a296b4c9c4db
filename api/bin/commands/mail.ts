/**
 * `npm run mail -- list|show|retry`: on shared records; else through the running server that owns the data or, without
 * one, on its files.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { systemClock } from '../../core/clock.ts'
import { Letters } from '../../features/mail/letters.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { throughServer } from '../../operations/admin/client.ts'
import { exitCodes, runMail } from '../../operations/mail/program.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { readSecrets } from '../../runtime/secrets.ts'
import { expecting, type CommandLine, type Shell } from '../shell.ts'

/** @throws ConfigError without records at DATA_DIR: a mistyped path must not create any */
async function openHere(dataDir: string) {
  const file = join(dataDir, 'records.db')
  if (await stat(file).catch(() => null)) return openEmbeddedRecords(file)
  throw new ConfigError(`There are no records in ${dataDir}. Set DATA_DIR to the folder of your data.`)
}

async function main({ args, env, out, errors, signal }: Shell): Promise<number> {
  const config = operatorSettings(env, ['ENCRYPTION_KEY'])
  const { MONGODB_URL, DATA_DIR } = config
  return runMail(args, {
    out: async (text) => void (await out.write(text)),
    errors,
    async withLetters(run) {
      const done =
        MONGODB_URL === undefined ? await throughServer(DATA_DIR, 'mail', args, { screen: out, errors, signal }) : null
      if (done !== null) return done
      const records =
        MONGODB_URL === undefined ? await openHere(DATA_DIR) : await openMongoRecords(connectMongo(MONGODB_URL))
      try {
        return await run(
          await Letters.open(records, new TokenCipher((await readSecrets(config)).encryption), systemClock),
        )
      } finally {
        await records.close()
      }
    },
  })
}

export const commandLine: CommandLine = {
  main,
  failureOf: expecting([ConfigError], exitCodes.usage),
  onOutputClosed: 'exit',
}
