/** @module-tag long */
import { execFile, execFileSync } from 'node:child_process'
import { chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compiled } from '../../../domain/test/compiled.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { secretNames, secretReaders } from '../../operations/secrets/values.ts'
import { readConfig } from '../../runtime/config.ts'
import { run } from '../test/run.ts'
import * as command from './secrets.ts'

let folder: string
let originals: string
let copies: string
beforeEach(async () => {
  folder = await temporaryFolder('secrets')
  originals = join(folder, 'originals')
  copies = join(folder, 'copies')
})
afterEach(() => removeFolder(folder))

const secrets = (...args: readonly string[]) => run(command, args, {})
const contents = async (path: string) =>
  Object.fromEntries(
    await Promise.all((await readdir(path)).map(async (name) => [name, await readFile(join(path, name), 'utf8')])),
  ) as Record<string, string>
const modeOf = async (path: string) => (await stat(path)).mode & 0o777
/** Only root may give a file to another user. */
const isRoot = process.getuid?.() === 0

describe('npm run secrets', () => {
  it('makes every secret, readable by its owner only, as the settings and MongoDB need them', async () => {
    expect(await secrets(originals)).toMatchObject({ code: 0, errors: '', text: expect.stringMatching(/^Made in /) })
    const made = await contents(originals)
    expect(Object.keys(made).toSorted()).toEqual(secretNames.toSorted())
    expect(await modeOf(originals)).toBe(0o700)
    for (const name of secretNames) expect(await modeOf(join(originals, name))).toBe(0o400)
    const path = (name: string) => join(originals, name)
    const config = readConfig({
      NODE_ENV: 'production',
      PUBLIC_URL: 'http://localhost:8080',
      SESSION_SECRET_FILE: path('session-secret'),
      ENCRYPTION_KEY_FILE: path('encryption-key'),
      AUDIT_SIGNING_KEY_FILE: path('audit-signing-key'),
      METRICS_TOKEN_FILE: path('metrics-token'),
      EVENTSTORE_URL_FILE: path('eventstore-url'),
      MONGODB_URL_FILE: path('mongodb-url'),
    })
    expect(new URL(config.MONGODB_URL ?? '').password).toBe(made['mongo-password'])
    expect(made['mongo-key']).toMatch(/^[A-Za-z0-9+/=]{6,1024}$/)
    expect(new Set(Object.values(made)).size).toBe(secretNames.length)
  })

  it('changes nothing on a second run, and makes only what is missing', async () => {
    await secrets(originals)
    const first = await contents(originals)
    expect((await secrets(originals)).text).toBe(`${originals} has all secrets. Nothing was changed there.\n`)
    expect(await contents(originals)).toEqual(first)
    // An interrupted run may end between the password and the address that contains it.
    await rm(join(originals, 'mongodb-url'))
    await rm(join(originals, 'session-secret'))
    expect((await secrets(originals)).text).toBe(`Made in ${originals}: session-secret, mongodb-url\n`)
    const { 'session-secret': fresh, ...others } = await contents(originals)
    const { 'session-secret': old, ...earlier } = first
    expect(others).toEqual(earlier)
    expect(fresh).not.toBe(old)
  })

  it('refuses an empty file instead of filling it', async () => {
    await mkdir(originals)
    await writeFile(join(originals, 'mongo-password'), '\n')
    expect(await secrets(originals)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('mongo-password is empty'),
    })
  })

  it('without a folder prints its usage and exits with 2', async () => {
    expect(await secrets()).toMatchObject({
      code: 2,
      errors: expect.stringContaining("missing required argument 'folder'"),
    })
  })
})

describe.skipIf(!isRoot)('npm run secrets --copies', () => {
  it('gives each reader its own copy, mode 0400, owned by its user, and never replaces a copy', async () => {
    expect((await secrets(originals, '--copies', copies)).code).toBe(0)
    const made = await contents(originals)
    for (const [reader, { uid, secrets: names }] of Object.entries(secretReaders)) {
      expect((await readdir(join(copies, reader))).toSorted()).toEqual(names.toSorted())
      for (const name of names) {
        const file = join(copies, reader, name)
        expect([await readFile(file, 'utf8'), await modeOf(file)]).toEqual([made[name], 0o400])
        expect(await stat(file)).toMatchObject({ uid, gid: uid })
      }
    }
    const copy = join(copies, 'mongo', 'mongo-password')
    await rm(copy)
    await writeFile(copy, 'kept')
    await rm(join(copies, 'prometheus', 'metrics-token'))
    expect((await secrets(originals, '--copies', copies)).text).toContain(
      'Copied to their readers: prometheus/metrics-token\n',
    )
    expect(await readFile(copy, 'utf8')).toBe('kept')
    expect(await contents(originals)).toEqual(made)
  })

  it('makes no new original for a copy that is in use', async () => {
    await secrets(originals, '--copies', copies)
    await rm(join(originals, 'encryption-key'))
    expect(await secrets(originals, '--copies', copies)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`${join(copies, 'processes', 'encryption-key')}. Restore the folder`),
    })
    expect(await readdir(originals)).not.toContain('encryption-key')
  })

  it('with --given makes none, names what is missing, and replaces copies of a secret that was changed', async () => {
    await mkdir(originals)
    expect(await secrets(originals, '--copies', copies, '--given')).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`lacks ${secretNames.join(', ')}`),
    })
    await secrets(originals)
    await secrets(originals, '--copies', copies, '--given')
    await rm(join(originals, 'session-secret'))
    await writeFile(join(originals, 'session-secret'), `${'n'.repeat(40)}\n`)
    expect((await secrets(originals, '--copies', copies, '--given')).code).toBe(0)
    const file = join(copies, 'processes', 'session-secret')
    expect([await readFile(file, 'utf8'), await modeOf(file)]).toEqual(['n'.repeat(40), 0o400])
  })
})

const hasSetpriv = (() => {
  try {
    execFileSync('setpriv', ['--bounding-set=+chown', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** As root with these rights alone, like the service `secrets` of the Compose files. */
describe.skipIf(!isRoot || !hasSetpriv)('npm run secrets in its container', () => {
  const withRights = (rights: string, ...args: readonly string[]) =>
    promisify(execFile)('setpriv', [
      '--no-new-privs',
      `--bounding-set=-all${rights}`,
      '--inh-caps=-all',
      '--ambient-caps=-all',
      process.execPath,
      compiled('api/bin/command.ts'),
      'secrets',
      ...args,
    ])

  it('needs CHOWN alone, also for a copy that is missing beside copies of other users', async () => {
    await expect(withRights('', originals, '--copies', copies)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^EPERM: operation not permitted, chown [^\n]*\n$/),
    })
    expect((await withRights(',+chown', originals, '--copies', copies)).stdout).toContain('Copied to their readers')
    await rm(join(copies, 'mongo', 'mongo-key'))
    expect((await withRights(',+chown', originals, '--copies', copies)).stdout).toContain(': mongo/mongo-key\n')
  })

  it('needs DAC_READ_SEARCH too for files of an operator that no other user can read', async () => {
    await secrets(originals)
    for (const name of secretNames) await chown(join(originals, name), 1234, 1234)
    await chown(originals, 1234, 1234)
    const given = [originals, '--copies', copies, '--given']
    await expect(withRights(',+chown', ...given)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^EACCES: permission denied, open /),
    })
    expect((await withRights(',+chown,+dac_read_search', ...given)).stdout).toContain('Copied to their readers')
  })
})
