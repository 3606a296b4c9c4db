import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../domain/test/folder.ts'
import { openEmbeddedRecords } from '../records/embedded.ts'
import type { Records } from '../records/port.ts'
import { TokenCipher } from './token-cipher.ts'
import { Vault } from './vault.ts'

let folder: string
let records: Records
const first = randomBytes(32)
const second = randomBytes(32)
const connection = {
  remoteId: 'page-1',
  tokens: { accessToken: 'very-secret-token', refreshToken: null, expiresAt: null, endsAt: null },
}

beforeEach(async () => {
  folder = await temporaryFolder('vault')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterEach(async () => {
  await records.close()
  await removeFolder(folder)
})

it('The vault returns a stored connection, replaces it, and deletes it', async () => {
  const vault = await Vault.open(records, new TokenCipher({ current: first }))
  expect(await vault.get('a')).toBeNull()
  await vault.put('a', connection)
  expect(await vault.get('a')).toEqual(connection)
  await vault.put('a', { ...connection, remoteId: 'page-2' })
  expect(await vault.get('a')).toMatchObject({ remoteId: 'page-2' })
  expect(await vault.remove('a')).toBe(true)
  expect(await vault.get('a')).toBeNull()
  expect(await vault.remove('a')).toBe(false)
})

it('The vault reads data of an earlier key, and writes with the current one', async () => {
  await (await Vault.open(records, new TokenCipher({ current: first }))).put('a', connection)
  const rotated = await Vault.open(records, new TokenCipher({ current: second, others: [first] }))
  expect(await rotated.get('a')).toEqual(connection)
  await rotated.put('a', connection)
  const later = await Vault.open(records, new TokenCipher({ current: second }))
  expect(await later.get('a')).toEqual(connection)
})

it('The vault re-encrypts everything with the current key, once', async () => {
  const before = await Vault.open(records, new TokenCipher({ current: first }))
  for (const id of Array.from({ length: 120 }, (_, number) => `a${number}`)) await before.put(id, connection)
  const rotating = await Vault.open(records, new TokenCipher({ current: second, others: [first] }))
  expect(await rotating.rotate()).toBe(120)
  expect(await rotating.rotate()).toBe(0)
  const after = await Vault.open(records, new TokenCipher({ current: second }))
  expect(await after.get('a7')).toEqual(connection)
})

it('The vault stores refreshed tokens only if nothing else has replaced the old ones', async () => {
  const vault = await Vault.open(records, new TokenCipher({ current: first }))
  await vault.put('a', connection)
  const kept = await vault.kept('a')
  if (!kept) throw new Error('Nothing was kept')
  const renewed = { ...connection, tokens: { ...connection.tokens, accessToken: 'renewed' } }
  expect(await vault.replace('a', renewed, kept)).toBe(true)
  expect(await vault.replace('a', connection, kept)).toBe(false)
  expect(await vault.get('a')).toEqual(renewed)
})

it('The vault does not open with a wrong key, even with data from before the proof', async () => {
  await (await Vault.open(records, new TokenCipher({ current: first }))).put('a', connection)
  await expect(Vault.open(records, new TokenCipher({ current: second }))).rejects.toThrow("can't be decrypted")
  const table = await records.table<{ id: string; keyId?: string }>({ table: 'tokens', indexed: ['keyId'] })
  const kept = (await table.get('a'))?.record
  await table.put({ ...kept, id: 'a', keyId: 'k1' })
  await (await records.table({ table: 'vault_proof' })).remove('proof')
  await expect(Vault.open(records, new TokenCipher({ current: second }))).rejects.toThrow("can't be decrypted")
  expect(await (await Vault.open(records, new TokenCipher({ current: second, others: [first] }))).get('a')).toEqual(
    connection,
  )
})

it('The vault refuses a key of the wrong size', () => {
  expect(() => new TokenCipher({ current: Buffer.alloc(16) })).toThrow(RangeError)
})

it("The vault never returns another account's tokens, even if records were swapped in the file", async () => {
  const vault = await Vault.open(records, new TokenCipher({ current: first }))
  await vault.put('a', connection)
  const table = await records.table<{ id: string }>({ table: 'tokens', indexed: [] })
  const stolen = await table.get('a')
  await table.put({ ...stolen?.record, id: 'b' })
  await expect(vault.get('b')).rejects.toThrow("can't be decrypted")
})

it('The vault writes no plaintext secret to the file', async () => {
  const vault = await Vault.open(records, new TokenCipher({ current: first }))
  await vault.put('a', connection)
  await records.close()
  expect((await readFile(join(folder, 'records.db'))).toString('latin1')).not.toContain('very-secret-token')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})

it('The vault deletes only the version that was read, where one is given', async () => {
  const vault = await Vault.open(records, new TokenCipher({ current: first }))
  await vault.put('a', connection)
  const read = (await vault.versionOf('a')) ?? undefined
  expect(await vault.renewVersion('a')).toBe(true)
  expect(await vault.remove('a', read)).toBe(false)
  expect(await vault.get('a')).toEqual(connection)
  expect(await vault.remove('a', (await vault.versionOf('a')) ?? undefined)).toBe(true)
  expect(await vault.versionOf('a')).toBeNull()
  expect(await vault.renewVersion('a')).toBe(false)
})
