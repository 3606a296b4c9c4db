/** Second factors in the records. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testHashing } from './test/hashing.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { MovableClock } from '../../core/clock.ts'
import { TokenCipher, VaultError } from '../../networks/token-cipher.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { Factors, factorsTable } from './factors.ts'
import { OidcLinks } from './oidc/links.ts'

const asker = { source: 'a test', isKnown: true }
const hashing = testHashing()
const clock = new MovableClock()
const [first, second] = [randomBytes(32), randomBytes(32)]
let folder: string
let records: Records
beforeAll(async () => {
  folder = await temporaryFolder('factors')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
})
afterAll(async () => {
  await records.close()
  await removeFolder(folder)
})

const opened = (current: Buffer, others: readonly Buffer[] = []) =>
  Factors.open(records, clock, new TokenCipher({ current, others }), hashing)
const codeOf = (secret: string) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.parse(clock.now()) })

async function withApp(userId: string, key: Buffer) {
  const factors = await opened(key)
  const secret = (await factors.beginTotp(userId)) ?? ''
  const codes = await factors.confirmTotp(userId, codeOf(secret), asker)
  clock.advance(30_000)
  return { factors, secret, codes: typeof codes === 'string' ? [] : codes }
}

it('a record has neither the secret nor a recovery code in plain text [S129]', async () => {
  const { secret, codes } = await withApp('ada', first)
  const text = JSON.stringify((await (await records.table(factorsTable)).get('ada'))?.record)
  for (const each of [secret, ...codes, ...codes.map((code) => code.replace('-', ''))]) expect(text).not.toContain(each)
  expect(codes).toHaveLength(10)
})

it('a secret opens only in the record of its user', async () => {
  const { factors } = await withApp('bob', first)
  const table = await records.table(factorsTable)
  const stolen = (await table.get('bob'))?.record
  await table.put({ ...stolen, id: 'eve' })
  await expect(factors.use('eve', '000000', asker)).rejects.toThrow(VaultError)
  await table.remove('eve')
})

it('secrets are sealed with a new key, once, and work with it alone', async () => {
  const { secret } = await withApp('cleo', first)
  const rotating = await opened(second, [first])
  expect(await rotating.rotate()).toBeGreaterThan(0)
  expect(await rotating.rotate()).toBe(0)
  expect(await (await opened(second)).use('cleo', codeOf(secret), asker)).toBe('totp')
})

it('a removed app leaves no recovery codes, and removing it again does nothing', async () => {
  const { factors, codes } = await withApp('dan', first)
  expect([await factors.removeTotp('dan'), await factors.removeTotp('dan')]).toEqual([true, false])
  expect(await factors.methodsOf('dan')).toEqual([])
  expect(await factors.use('dan', codes[0] ?? '', asker)).toBeNull()
  expect(await factors.renewRecoveryCodes('dan', asker)).toBeNull()
})

it('a link to single sign-on goes with the factors, in whatever way they are removed [S168]', async () => {
  const [factors, links] = [await opened(first), await OidcLinks.open(records, clock)]
  const identity = { issuer: 'https://login.example', subject: 'ada', email: 'ada@agency.example' }
  const told = { ...identity, emailVerified: true, firstName: null, lastName: null }
  expect(await links.add('linked', told)).toBe(true)
  expect(await links.add('another', told)).toBe(false)
  expect(await factors.removeAll('linked')).toBe(true)
  expect([await links.of('linked'), await factors.removeAll('linked')]).toEqual([null, false])
  expect(await links.add('another', told)).toBe(true)
})
