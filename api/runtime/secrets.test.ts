/** The keys that an embedded server generates. */
import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { readConfig } from './config.ts'
import { closeToOthers, readSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder('secrets')
})
afterEach(() => removeFolder(folder))

const made = async () =>
  Object.fromEntries(
    await Promise.all(
      (await readdir(join(folder, 'secrets'))).map(
        async (name) => [name, await readFile(join(folder, 'secrets', name), 'utf8')] as const,
      ),
    ),
  )
const open = (env: Readonly<Record<string, string>> = {}) => readSecrets(readConfig({ DATA_DIR: folder, ...env }))

describe('On the first start', () => {
  it('three keys of 256 random bits are generated, readable by their owner alone [S84]', async () => {
    await open()
    const keys = await made()
    expect(Object.keys(keys)).toHaveLength(3)
    expect(new Set(Object.values(keys).map((key) => key.trim())).size).toBe(3)
    for (const key of Object.values(keys)) expect(key.trim()).toMatch(/^[0-9a-f]{64}$/)
    expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700)
    for (const name of Object.keys(keys)) expect((await stat(join(folder, 'secrets', name))).mode & 0o777).toBe(0o600)
  })
  it('two simultaneous starts get the same keys', async () => {
    const both = await Promise.all([open(), open()])
    expect(both[0]).toEqual(both[1])
  })
})

it('Later starts get the same keys', async () => {
  const first = await open()
  expect(await open()).toEqual(first)
})

it('Keys that other users can read, as after a copy, are made private again, and are named [S85]', async () => {
  const first = await open()
  const loose = join(folder, 'secrets', 'session-secret')
  await chmod(loose, 0o644)
  const config = readConfig({ DATA_DIR: folder })
  expect(await closeToOthers(config)).toEqual([loose])
  expect((await stat(loose)).mode & 0o777).toBe(0o600)
  expect(await closeToOthers(config)).toEqual([])
  expect(await open()).toEqual(first)
})

it('In production, no key is generated: the start fails and names the missing ones', async () => {
  await expect(open({ NODE_ENV: 'production' })).rejects.toThrow(
    'SESSION_SECRET, ENCRYPTION_KEY and AUDIT_SIGNING_KEY must be set in production',
  )
  await expect(
    open({ NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: '0a'.repeat(32) }),
  ).rejects.toThrow('AUDIT_SIGNING_KEY must be set in production')
  await expect(readdir(join(folder, 'secrets'))).rejects.toThrow('ENOENT')
})
