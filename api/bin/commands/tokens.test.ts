import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { connectMongo } from '../../../projections/read-store/mongodb-connection.ts'
import { dropDatabase, hasMongo, newDatabase } from '../../../projections/read-store/test/mongodb.ts'
import { ConfigError, readConfig, type Config } from '../../runtime/config.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import { openMongoRecords } from '../../records/mongodb.ts'
import { forgetOldKeys, readSecrets, renewEncryptionKey } from '../../runtime/secrets.ts'
import type { Connection } from '../../networks/port.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { Vault } from '../../networks/vault.ts'
import { run as runCommandLine } from '../test/run.ts'
import * as tokens from './tokens.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder('tokens')
})
afterEach(() => removeFolder(folder))

type Env = Readonly<Record<string, string>>
const newKey = () => randomBytes(32).toString('hex')
const configOf = (env: Env = {}): Config => readConfig({ DATA_DIR: folder, ...env })

async function run(env: Env = {}): Promise<{ code: number; text: string }> {
  const { code, all } = await runCommandLine(tokens, ['rotate'], { DATA_DIR: folder, ...env })
  return { code, text: all }
}

const connection = (number: number): Connection => ({
  remoteId: `page-${number}`,
  tokens: { accessToken: `key-${number}`, refreshToken: null, expiresAt: null, endsAt: null },
})

/** Runs as a server with these settings would, while no other has the folder. */
async function asServer<T>(work: (vault: Vault) => Promise<T>, env: Env = {}): Promise<T> {
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  try {
    return await work(await Vault.open(records, new TokenCipher((await readSecrets(configOf(env))).encryption)))
  } finally {
    await records.close()
  }
}
const fill = (env: Env = {}, count = 3) =>
  asServer(async (vault) => {
    for (let number = 0; number < count; number++) await vault.put(`a${number}`, connection(number))
  }, env)
const allAreRead = (env: Env = {}, count = 3) =>
  asServer(async (vault) => {
    for (let number = 0; number < count; number++) expect(await vault.get(`a${number}`)).toEqual(connection(number))
  }, env)
const secret = (name: string) => readFile(join(folder, 'secrets', name), 'utf8')

describe("the server's own key", () => {
  it('is replaced, and the old key decrypts nothing that remains', async () => {
    await fill()
    const before = await secret('encryption-key')
    expect(await run()).toEqual({
      code: 0,
      text: '3 connections were encrypted with the current key. No other key is in use now.\n',
    })
    expect(await secret('encryption-key')).not.toBe(before)
    await allAreRead()
    await expect(allAreRead({ ENCRYPTION_KEY: before })).resolves.toBeUndefined()
    await rm(join(folder, 'secrets', 'encryption-key'))
    await expect(allAreRead({ ENCRYPTION_KEY: before })).rejects.toThrow("can't be decrypted")
  })

  it('is in files readable by their owner alone, and the old files are gone', async () => {
    await fill()
    await run()
    const names = await readdir(join(folder, 'secrets'))
    expect(names.toSorted()).toEqual(['audit-signing-key', 'encryption-key', 'session-secret'])
    for (const name of names) expect((await stat(join(folder, 'secrets', name))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700)
  })

  const steps: readonly [string, (config: Config) => Promise<unknown>][] = [
    ['the new key', (config) => renewEncryptionKey(config)],
    [
      'some connections',
      () => asServer(async (vault) => vault.replace('a0', connection(0), (await vault.kept('a0')) ?? fail())),
    ],
    ['all connections', () => asServer((vault) => vault.rotate())],
    ['the old key', (config) => forgetOldKeys(config)],
  ]
  it.each(steps.map(([name], index) => [name, index + 1] as const))(
    'loses nothing when interrupted after %s, and can be rotated again',
    async (_, count) => {
      await fill()
      for (const [, step] of steps.slice(0, count)) await step(configOf())
      await allAreRead()
      expect(await run()).toMatchObject({ code: 0 })
      await allAreRead()
      expect(await readdir(join(folder, 'secrets'))).toHaveLength(3)
    },
  )
  it('loses nothing when a file was left half written', async () => {
    await fill()
    await renewEncryptionKey(configOf())
    await writeFile(join(folder, 'secrets', 'encryption-key.new'), 'abc', { mode: 0o644 })
    expect(await run()).toMatchObject({ code: 0 })
    await allAreRead()
    expect(await readdir(join(folder, 'secrets'))).toHaveLength(3)
  })
  it('is replaced even when the environment has an earlier one', async () => {
    const earlier = newKey()
    await fill({ ENCRYPTION_KEY: earlier })
    await rm(join(folder, 'secrets', 'encryption-key'), { force: true })
    const env = { ENCRYPTION_KEYS_OLD: earlier }
    await asServer((vault) => vault.put('a9', connection(9)), env)
    expect(await run(env)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/^4 connections.*remove ENCRYPTION_KEYS_OLD\.\n$/),
    })
    await allAreRead()
  })
})

describe('a key from the environment', () => {
  it('replaces the earlier one set beside it', async () => {
    const [earlier, current] = [newKey(), newKey()]
    await fill({ ENCRYPTION_KEY: earlier })
    const env = { ENCRYPTION_KEY: current, ENCRYPTION_KEYS_OLD: earlier }
    expect(await run(env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('3 connections were encrypted with the current key'),
    })
    expect(await run(env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('0 connections were encrypted with the current key'),
    })
    await allAreRead({ ENCRYPTION_KEY: current })
  })
  it("replaces the server's own", async () => {
    await fill()
    const current = newKey()
    expect(await run({ ENCRYPTION_KEY: current })).toMatchObject({
      code: 0,
      text: expect.stringContaining('3 connections'),
    })
    await rm(join(folder, 'secrets'), { recursive: true })
    await allAreRead({ ENCRYPTION_KEY: current })
  })
  it('is never generated here', async () => {
    await expect(renewEncryptionKey(configOf({ ENCRYPTION_KEY: newKey() }))).rejects.toBeInstanceOf(ConfigError)
  })
  it('that decrypts nothing is reported without any key, and changes nothing', async () => {
    const [earlier, wrong] = [newKey(), newKey()]
    await fill({ ENCRYPTION_KEY: earlier })
    const { code, text } = await run({ ENCRYPTION_KEY: newKey(), ENCRYPTION_KEYS_OLD: wrong })
    expect(text).not.toContain(earlier)
    expect(text).not.toContain(wrong)
    expect([code, text]).toEqual([1, expect.stringContaining("can't be decrypted")])
    await allAreRead({ ENCRYPTION_KEY: earlier })
  })
})

describe('the command reports', () => {
  it('a folder without data, and creates none', async () => {
    const nowhere = join(folder, 'nowhere')
    expect(await run({ DATA_DIR: nowhere })).toEqual({
      code: 1,
      text: `There are no records in ${nowhere}. Set DATA_DIR to the folder of your data.\n`,
    })
    expect(await readdir(folder)).toEqual([])
  })
  it('a running server, before it touches a key', async () => {
    await fill()
    const before = await secret('encryption-key')
    const records = await openEmbeddedRecords(join(folder, 'records.db'))
    const { code, text } = await run()
    await records.close()
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/^Another SocialAI is already running on .*records\.db\. Stop it first/),
    ])
    expect(await secret('encryption-key')).toBe(before)
    await allAreRead()
  })
  it('a damaged key file', async () => {
    await fill()
    await writeFile(join(folder, 'secrets', 'encryption-key'), 'half a k')
    expect(await run()).toEqual({ code: 1, text: expect.stringMatching(/encryption-key is damaged.*backup\.\n$/) })
  })
  it('a wrong setting, without its value', async () => {
    const { code, text } = await run({ ENCRYPTION_KEY: 'not-a-key-but-secret' })
    expect([code, text]).toEqual([1, expect.stringContaining('ENCRYPTION_KEY')])
    expect(text).not.toContain('not-a-key-but-secret')
  })
})

describe.skipIf(!hasMongo)('the keys of several processes', () => {
  it('are rotated in the shared store, regardless of the local folder', async () => {
    const database = newDatabase()
    const [before, after] = [newKey(), newKey()]
    const asProcess = async <T>(work: (vault: Vault) => Promise<T>, current: string): Promise<T> => {
      const records = await openMongoRecords(connectMongo(database))
      try {
        return await work(await Vault.open(records, new TokenCipher({ current: Buffer.from(current, 'hex') })))
      } finally {
        await records.close()
      }
    }
    await fill()
    await asProcess(async (vault) => {
      for (let number = 0; number < 2; number++) await vault.put(`m${number}`, connection(number))
    }, before)
    const env = { EVENTSTORE_URL: 'esdb://127.0.0.1:9?tls=false', MONGODB_URL: database }
    expect(await run(env)).toEqual({ code: 1, text: expect.stringContaining('ENCRYPTION_KEY: missing') })
    expect(await run({ ...env, ENCRYPTION_KEY: after, ENCRYPTION_KEYS_OLD: before })).toEqual({
      code: 0,
      text: '2 connections were encrypted with the current key. No other key is in use now. You can remove ENCRYPTION_KEYS_OLD.\n',
    })
    await asProcess(async (vault) => {
      for (let number = 0; number < 2; number++) expect(await vault.get(`m${number}`)).toEqual(connection(number))
    }, after)
    await allAreRead()
    await dropDatabase(database)
  })
})

function fail(): never {
  throw new Error('Nothing is kept')
}
