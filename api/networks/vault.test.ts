import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openEmbeddedRecords } from '../records/embedded.ts'
import type { Records } from '../records/port.ts'
import { Vault } from './vault.ts'

let folder: string
let records: Records
let now: string
const clock = { now: () => now }
const first = { id: 'k1', key: randomBytes(32) }
const second = { id: 'k2', key: randomBytes(32) }
const connection = { remoteId: 'page-1', tokens: { accessToken: 'very-secret-token', refreshToken: null, expiresAt: null } }

beforeEach(async () => {
  now = '2026-03-01T10:00:00.000Z'
  folder = await mkdtemp(join(tmpdir(), 'vault-'))
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterEach(async () => {
  await records.close()
  await rm(folder, { recursive: true })
})

it('gives back what it keeps, replaces it, and forgets it', async () => {
  const vault = await Vault.open(records, { current: first }, clock)
  expect(await vault.get('a')).toBeNull()
  await vault.put('a', connection)
  expect(await vault.get('a')).toEqual(connection)
  await vault.put('a', { ...connection, remoteId: 'page-2' })
  expect(await vault.get('a')).toMatchObject({ remoteId: 'page-2' })
  expect(await vault.remove('a')).toBe(true)
  expect(await vault.get('a')).toBeNull()
  expect(await vault.remove('a')).toBe(false)
})

it('reads what an earlier key encrypted, and writes with the current one', async () => {
  await (await Vault.open(records, { current: first }, clock)).put('a', connection)
  const rotated = await Vault.open(records, { current: second, others: [first] }, clock)
  expect(await rotated.get('a')).toEqual(connection)
  await rotated.put('a', connection)
  const later = await Vault.open(records, { current: second }, clock)
  expect(await later.get('a')).toEqual(connection)
})

it('says which key is missing, and refuses a key of the wrong size', async () => {
  await (await Vault.open(records, { current: first }, clock)).put('a', connection)
  const other = await Vault.open(records, { current: second }, clock)
  await expect(other.get('a')).rejects.toThrow('k1')
  await expect(Vault.open(records, { current: { id: 'k', key: Buffer.alloc(16) } }, clock)).rejects.toThrow(RangeError)
})

it("gives no account another one's keys, even when records were swapped in the file", async () => {
  const vault = await Vault.open(records, { current: first }, clock)
  await vault.put('a', connection)
  const table = await records.table<{ id: string }>({ table: 'tokens', indexed: [] })
  const stolen = await table.get('a')
  await table.put({ ...stolen?.record, id: 'b' })
  await expect(vault.get('b')).rejects.toThrow("can't be decrypted")
})

it('leaves no secret in the file', async () => {
  const vault = await Vault.open(records, { current: first }, clock)
  await vault.put('a', connection)
  await records.close()
  expect((await readFile(join(folder, 'records.db'))).toString('latin1')).not.toContain('very-secret-token')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})

it('keeps a connection that is newer than the disconnect it hears of', async () => {
  const vault = await Vault.open(records, { current: first }, clock)
  await vault.put('a', connection)
  expect(await vault.removeUpTo('a', '2026-03-01T09:59:59.999Z')).toBe(false)
  expect(await vault.removeUpTo('a', now)).toBe(true)
})
