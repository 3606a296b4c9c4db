/** User records, on files. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import argon2 from 'argon2'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testHashing } from './test/hashing.ts'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { MovableClock } from '../../core/clock.ts'
import { TokenCipher } from '../../networks/token-cipher.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import { Letters } from '../mail/letters.ts'
import { PostOffice } from '../mail/post-office.ts'
import { userAccountHandlers } from './account.ts'
import { AccountLimits } from './account-limits.ts'
import { Devices } from './devices.ts'
import { Factors } from './factors.ts'
import { Hashing } from './hashing.ts'
import { MailedLinks } from './mailed-links.ts'
import { SecurityLog } from './security-log.ts'
import { Sessions } from './sessions.ts'
import { newEmail, password } from './test/helpers.ts'
import { Users, type UserRecord } from './users.ts'

const clock = new MovableClock()
const asker = { source: 'somebody', isKnown: false }
let folder: string
let records: Records
let users: Users
beforeAll(async () => {
  folder = await temporaryFolder('users')
  records = await openEmbeddedRecords(join(folder, 'records.db'))
  users = await Users.open(records, clock)
})
afterAll(async () => {
  await records.close()
  await removeFolder(folder)
})
const registered = async (): Promise<UserRecord> => {
  const user = await users.register({ email: newEmail(), password }, asker)
  if (!user) throw new Error('Not registered')
  return user
}

describe('a password hash with outdated parameters', () => {
  const aged = async () => {
    const user = await registered()
    const passwordHash = await argon2.hash(password, {
      type: argon2.argon2id,
      memoryCost: 8_192,
      timeCost: 1,
      parallelism: 1,
    })
    const table = await records.table<UserRecord>({ table: 'users', unique: ['email'] })
    await table.put({ ...user, passwordHash })
    return { ...user, passwordHash }
  }
  it('is replaced at the next sign-in, and the password stays the same', async () => {
    const user = await aged()
    expect(await users.verify(user.email, password, asker)).not.toBeNull()
    const now = await users.get(user.id)
    expect(now?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await users.verify(user.email, password, asker)).not.toBeNull()
    expect(await users.isStill(user)).toBe(true)
  })
  it('stays unchanged after a wrong guess', async () => {
    const user = await aged()
    expect(await users.verify(user.email, 'a guess', asker)).toBeNull()
    expect((await users.get(user.id))?.passwordHash).toBe(user.passwordHash)
  })
  it('does not prevent sign-in while there is no capacity to rehash', async () => {
    const user = await aged()
    const crowded = await Users.open(records, clock, new Hashing({ atOnce: 1, maxWaiting: 2, maxOfSource: 1 }))
    const others = [{ source: 'another', isKnown: false }, asker]
    const [found] = await Promise.all([
      crowded.verify(user.email, password, asker),
      ...others.map((each) => crowded.verify(newEmail(), password, each)),
    ])
    expect(found?.id).toBe(user.id)
    expect((await users.get(user.id))?.passwordHash).toBe(user.passwordHash)
  })
})

describe('sign-ins beyond capacity', () => {
  it.each([
    ['of one', (_: number) => 'somebody', /^Too many of these requests came at once\. /],
    [
      'of many',
      (one: number) => `somebody ${one}`,
      /^Too many people are signing in or setting a password at this moment\. /,
    ],
  ])('%s are refused with a reason and a time to retry', async (_, sourceOf, message) => {
    const crowded = await Users.open(records, clock, testHashing({ atOnce: 1, maxWaiting: 2, maxOfSource: 2 }))
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, (__, one) =>
        crowded.verify(newEmail(), password, { source: sourceOf(one), isKnown: false }),
      ),
    )
    const refused = tries.filter((each) => each.status === 'rejected').map(({ reason }) => reason as unknown)
    expect(refused).toHaveLength(2)
    expect(refused[0]).toMatchObject({
      status: 503,
      message: expect.stringMatching(message),
      headers: { 'Retry-After': '2' },
    })
  })
})

describe('a password change', () => {
  it('fails if the password changed since the check, and keeps other changes', async () => {
    const known = await registered()
    const moved = await users.setEmail(known, newEmail())
    const first = await users.setPassword(known, 'the first hash')
    expect(first).toMatchObject({ passwordHash: 'the first hash', email: moved !== 'taken' && moved?.email })
    expect(await users.setPassword(known, 'the second hash')).toBeNull()
    expect(await users.setEmail(known, newEmail())).toBeNull()
    expect(await users.isStill(known)).toBe(false)
  })
})

async function accounts(storedIn = records) {
  const secrets = ['s'.repeat(32)] as const
  const mailedLinks = await MailedLinks.open(records, clock)
  const log = pino({ level: 'silent' })
  const letters = await Letters.open(storedIn, new TokenCipher({ current: randomBytes(32) }), clock)
  const ports = {
    users,
    sessions: await Sessions.open(records, clock, secrets),
    devices: new Devices(secrets),
    mailedLinks,
    factors: await Factors.open(records, clock, new TokenCipher({ current: randomBytes(32) }), testHashing()),
    accountLimits: new AccountLimits(),
    securityLog: new SecurityLog(log, secrets[0]),
    log,
  }
  return {
    letters,
    mailedLinks,
    handlers: userAccountHandlers({
      ...ports,
      postOffice: new PostOffice(letters, log),
      publicUrl: 'https://social.example',
    }),
  }
}
const asked = {
  address: '',
  device: null,
  requestId: '',
  idempotencyKey: null,
  signIn: null,
  oidc: null,
  userAgent: '',
  lastEventId: null,
  visible: async () => true,
  charge: async () => undefined,
  params: undefined,
  query: undefined,
}

describe('a link', () => {
  it('is invalid after a password change, even when the server died before it could delete the link', async () => {
    const { handlers, mailedLinks } = await accounts()
    const user = await registered()
    const [reset, confirm] = [
      await mailedLinks.issue('reset', user),
      await mailedLinks.issue('email', user, newEmail()),
    ]
    await users.setPassword(user, 'another hash')
    const over = { status: 403, type: 'link-over' }
    await expect(
      handlers.resetPassword({ ...asked, session: null, body: { token: reset, password } }),
    ).rejects.toMatchObject(over)
    await expect(handlers.confirmEmail({ ...asked, session: null, body: { token: confirm } })).rejects.toMatchObject(
      over,
    )
  })
  it('is invalid after a change of address, even when it was issued just after another one was confirmed', async () => {
    const { handlers, mailedLinks } = await accounts()
    const user = await registered()
    await users.setEmail(user, newEmail())
    await mailedLinks.endAllOf(user.id)
    const late = await mailedLinks.issue('reset', user)
    await expect(
      handlers.resetPassword({ ...asked, session: null, body: { token: late, password } }),
    ).rejects.toMatchObject({ status: 403, type: 'link-over' })
    expect((await users.get(user.id))?.passwordHash).toBe(user.passwordHash)
  })
  it('found twice is used once', async () => {
    const { mailedLinks } = await accounts()
    const user = await registered()
    const token = await mailedLinks.issue('reset', user)
    const both = [await mailedLinks.find('reset', token), await mailedLinks.find('reset', token)]
    const set = await Promise.all(both.map((link, one) => users.setPassword(user, `hash ${one}`, link?.isStillOf)))
    expect(set.filter((changed) => changed !== null)).toHaveLength(1)
  })
  it('sets no password when the address changed after it was found', async () => {
    const { mailedLinks } = await accounts()
    const user = await registered()
    const link = await mailedLinks.find('reset', await mailedLinks.issue('reset', user))
    await users.setEmail(user, newEmail())
    expect(await users.setPassword(user, 'another hash', link?.isStillOf)).toBeNull()
  })
})

/** Names each use of a table. */
const watched = (used: string[]): Records => ({
  ...records,
  async table<T extends { readonly id: string }>(definition: RecordDefinition<T>) {
    const table = await records.table(definition)
    return new Proxy(table, {
      get(target, name: keyof RecordTable<T>) {
        if (!(name in target)) return undefined
        used.push(name)
        return target[name].bind(target)
      },
    })
  },
})

describe('a request for a link', () => {
  it('does the same work whether or not the account exists, and whatever became of earlier letters [S101]', async () => {
    const used: string[] = []
    const { handlers, letters } = await accounts(watched(used))
    const known = (await registered()).email
    const work = async (email: string) => {
      used.length = 0
      await handlers.forgotPassword({ ...asked, session: null, body: { email } })
      return used.join(' ')
    }
    const [first, unknown] = [await work(known), await work(newEmail())]
    for (const due of await letters.due(10)) {
      const claimed = await letters.claim(due)
      if (claimed) await letters.sent(claimed)
    }
    const again = await work(known)
    for (const due of await letters.due(10)) {
      const claimed = await letters.claim(due)
      if (claimed) await letters.failed(claimed, 'ECONNECTION', true)
    }
    expect([first, unknown, again, await work(known)]).toEqual(['put', 'put', 'put', 'put'])
  })
})
