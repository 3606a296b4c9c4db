/**
 * `npm run tokens -- rotate`: re-encrypts the networks' access tokens and the secrets of authenticator apps, on a
 * stopped server, or beside several processes that have the new key.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CommanderError } from 'commander'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { systemClock } from '../../core/clock.ts'
import { Letters } from '../../features/mail/letters.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { Factors } from '../../features/auth/factors.ts'
import { Hashing } from '../../features/auth/hashing.ts'
import { ConfigError } from '../../runtime/config.ts'
import { operatorSettings } from '../../runtime/operator-settings.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import type { Records } from '../../records/port.ts'
import { forgetOldKeys, readSecrets, renewEncryptionKey } from '../../runtime/secrets.ts'
import { TokenCipher, VaultError } from '../../networks/token-cipher.ts'
import { Vault } from '../../networks/vault.ts'
import { expecting, programFor, usageFailure, type CommandLine } from '../shell.ts'

async function recordsIn(dataDir: string): Promise<Records> {
  const file = join(dataDir, 'records.db')
  if (!(await stat(file).catch(() => null)))
    throw new ConfigError(`There are no records in ${dataDir}. Set DATA_DIR to the folder of your data.`)
  return openEmbeddedRecords(file)
}

/** Can be interrupted and repeated: until the end, both old and new key decrypt. */
async function rotate(env: NodeJS.ProcessEnv): Promise<string> {
  const config = operatorSettings(env, ['ENCRYPTION_KEY'])
  const records =
    config.MONGODB_URL === undefined
      ? await recordsIn(config.DATA_DIR)
      : await openMongoRecords(connectMongo(config.MONGODB_URL))
  try {
    const ownKey = config.ENCRYPTION_KEY === undefined
    if (ownKey) await renewEncryptionKey(config)
    const cipher = new TokenCipher((await readSecrets(config)).encryption)
    const vault = await Vault.open(records, cipher)
    const rotated = await vault.rotate()
    const apps = await (await Factors.open(records, systemClock, cipher, new Hashing())).rotate()
    await (await Letters.open(records, cipher, systemClock)).rotate()
    if (ownKey) await forgetOldKeys(config)
    const done = `${rotated} ${rotated === 1 ? 'connection was' : 'connections were'} encrypted with the current key.${apps > 0 ? ` So ${apps === 1 ? 'was the secret of one authenticator app' : `were the secrets of ${apps} authenticator apps`}.` : ''} No other key is in use now.`
    return config.ENCRYPTION_KEYS_OLD === undefined ? done : `${done} You can remove ENCRYPTION_KEYS_OLD.`
  } finally {
    await records.close()
  }
}

const expected = expecting([ConfigError, StoreUnavailable, VaultError], 1)

export const commandLine: CommandLine = {
  async main(shell) {
    const program = programFor('npm run tokens --', shell).description(
      'Manages the encryption of the tokens of connected accounts.',
    )
    program
      .command('rotate')
      .description('encrypt all tokens with a new key (or with ENCRYPTION_KEY, if it is set)')
      .action(async () => void shell.out.write(`${await rotate(shell.env)}\n`))
    await program.parseAsync(shell.args, { from: 'user' })
  },
  failureOf: (error) => (error instanceof CommanderError ? usageFailure(error, 1) : expected(error)),
}
