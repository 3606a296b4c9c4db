/** Commonly guessed passwords are refused wherever a password is set, and never at sign-in. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testHashing } from './test/hashing.ts'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { openFiles } from '../../composition/embedded.ts'
import type { Records } from '../../records/port.ts'
import { storesFor } from '../../testing/servers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { commonPasswords } from './common-passwords.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { usersTable, type UserRecord } from './users.ts'

const common =
  'This is one of the most used passwords and would be guessed quickly. A few words that only you put together are better.'
const obvious =
  'This is one of the first things that somebody would try. A few words that only you put together are better.'
const email = 'ada.lovelace@northstar.example'

let server: TestServer
let haveRecords: (records: Records) => void
const kept = new Promise<Records>((resolve) => (haveRecords = resolve))
beforeAll(async () => {
  const dataDir = await temporaryFolder('socialai')
  const openStores = async () => {
    const stores = await (storesFor(dataDir)?.() ?? openFiles(dataDir))
    haveRecords(stores.records)
    return stores
  }
  server = await testServer({ TRUST_PROXY: 'true', DATA_DIR: dataDir }, { openStores })
})
afterAll(() => server.remove())

const refused: readonly (readonly [given: string, sentence: string])[] = [
  ['password', common],
  ['PassWord', common],
  ['12345678', common],
  [commonPasswords.at(-1) ?? '', common],
  ['        ', obvious],
  ['€'.repeat(8), obvious],
  ['aAaAaAaA', obvious],
  ['🦦'.repeat(8), obvious],
  [email, obvious],
  [email.toUpperCase(), obvious],
  ['Ada.Lovelace', obvious],
]

describe('a commonly guessed password', () => {
  it.each(refused)('%j registers no account, and the message names the field [S7, 9.6]', async (given, sentence) => {
    const browser = new Browser(server.url)
    expect(await browser.ask('register', { body: { email, password: given } })).toMatchObject({
      status: 400,
      text: `Password: ${sentence}`,
    })
    expect(await browser.isIn()).toBe(false)
  })

  it.each(['Password1!', 'my password', 'lovelace', 'northstar.example', 'ada.lovelace1', 'aaaaaaab', 'correct horse'])(
    '%j is accepted: the other hints refuse nothing',
    async (given) => {
      expect(
        await new Browser(server.url).status('register', {
          email: `${crypto.randomUUID()}@example.com`,
          password: given,
        }),
      ).toBe(201)
    },
  )

  it('is refused in a password change, and the old password still works', async () => {
    const { browser, email: own } = await person(server)
    for (const [newPassword, sentence] of [
      ['iloveyou', common],
      [own, obvious],
      [own.split('@')[0] ?? '', obvious],
    ]) {
      expect(await browser.ask('changePassword', { body: { currentPassword: password, newPassword } })).toMatchObject({
        status: 400,
        text: `New password: ${sentence}`,
      })
    }
    expect(await new Browser(server.url).signIn(own)).toBe(200)
  })

  it('is refused through a mailed link, which still works afterwards', async () => {
    const { email: own } = await person(server)
    const token = await resetToken(server, own)
    const reset = (chosen: string) =>
      new Browser(server.url).ask('resetPassword', { body: { token, password: chosen } })
    expect(await reset('sunshine')).toMatchObject({ status: 400, text: `Password: ${common}` })
    expect(await reset(own)).toMatchObject({ status: 400, text: `Password: ${obvious}` })
    expect((await reset('another password')).status).toBe(204)
  })

  it('still signs in a user who chose it before the rule existed [9.8]', async () => {
    const dated = newEmail()
    const at = new Date().toISOString()
    const passwordHash = await testHashing().hash({ source: 'test', isKnown: true }, 'password')
    const record = {
      id: crypto.randomUUID(),
      email: dated,
      passwordHash,
      firstName: null,
      lastName: null,
      profileImageUrl: null,
      createdAt: at,
      updatedAt: at,
    }
    const records = await kept
    await (await records.table<UserRecord>(usersTable)).insert(record)
    expect(await new Browser(server.url).signIn(dated, 'password')).toBe(200)
  })
})

describe('the list of common passwords', () => {
  it('has the 3,000 most common of at least 8 characters, in lower case, each once', () => {
    expect(commonPasswords.slice(0, 3)).toEqual(['password', '12345678', '123456789'])
    expect(commonPasswords.filter((each) => each.length < 8 || each !== each.toLowerCase())).toEqual([])
    expect(new Set(commonPasswords).size).toBe(3000)
  })
  it('comes from a production dependency', () => {
    const { dependencies } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
      readonly dependencies: object
    }
    expect(dependencies).toHaveProperty('@zxcvbn-ts/language-common')
  })
})
