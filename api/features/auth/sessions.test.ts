/** Sessions and the attacks on them. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { MovableClock } from '../../core/clock.ts'
import { openEmbeddedRecords } from '../../records/embedded.ts'
import type { Records } from '../../records/port.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import type { SessionRecord } from './session-record.ts'
import { Sessions } from './sessions.ts'
import { Browser, password, person } from './test/helpers.ts'
import { usersTable, type UserRecord } from './users.ts'

const hour = 3_600_000

describe('a session', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ TRUST_PROXY: 'true' })
  })
  afterAll(() => server.remove())

  it("fixed before sign-in is not the user's session after it (fixation) [S33]", async () => {
    const { browser: eve } = await person(server)
    const victim = new Browser(server.url)
    victim.cookie = eve.cookie
    const { email } = await person(server)
    expect(await victim.signIn(email)).toBe(200)
    expect(victim.cookie).not.toBe(eve.cookie)
    expect([(await victim.callOrThrow('getUser')).email, await eve.isIn()]).toEqual([email, false])
  })
  it('has a new id each time, and ids are unpredictable', { tags: 'long' }, async () => {
    const { browser, email } = await person(server)
    const cookies = new Set<string>()
    for (let time = 0; time < 20; time++) {
      await browser.signIn(email)
      cookies.add(browser.cookie)
    }
    expect(cookies.size).toBe(20)
  })
})

it('a session from before browsers were recorded goes on, and is listed with its last use', async () => {
  const { sessions, clock, cookie, table } = await counted()
  const started = clock.now()
  const [record] = await table.find('userId', 'ada')
  const {
    browser: _,
    usedAt: __,
    ...old
  } = record ?? { id: '', userId: '', sess: { userId: '', createdAt: '' }, expire: '' }
  await table.put(old)
  clock.advance(hour)
  const session = await sessions.find(cookie)
  const [shown] = session ? await sessions.listOf(session) : []
  expect([shown?.browser, shown?.isThis]).toEqual([null, true])
  expect(Date.parse(shown?.usedAt ?? '') - Date.parse(started)).toBeGreaterThanOrEqual(hour)
})

describe('an idle session', () => {
  const day = 24 * hour
  const withServer = async (env: Readonly<Record<string, string>>, run: (server: TestServer) => Promise<void>) => {
    const server = await testServer({ TRUST_PROXY: 'true', ...env })
    await run(server).finally(() => server.remove())
  }

  it('ends after seven days without use; a used one lasts fourteen days at most [S2]', () =>
    withServer({ SESSION_IDLE_DAYS: '7' }, async (server) => {
      const { browser: used, email } = await person(server)
      const idle = new Browser(server.url)
      await idle.signIn(email)
      for (const days of [4, 3 - 1 / 24]) {
        server.clock.advance(days * day)
        expect(await used.isIn()).toBe(true)
      }
      server.clock.advance(day / 24)
      expect([await used.isIn(), await idle.isIn()]).toEqual([true, false])
      server.clock.advance(6.9 * day)
      expect(await used.isIn()).toBe(true)
      server.clock.advance(0.1 * day)
      expect(await used.isIn()).toBe(false)
    }))

  it('ends after the configured number of days', () =>
    withServer({ SESSION_IDLE_DAYS: '1' }, async (server) => {
      const { browser } = await person(server)
      server.clock.advance(0.9 * day)
      expect(await browser.isIn()).toBe(true)
      server.clock.advance(day)
      expect(await browser.isIn()).toBe(false)
    }))

  it('includes one with only an open live-update stream: the stream does not count as use', async () => {
    const { sessions, clock, user } = await counted()
    const { id } = await sessions.start(user)
    clock.advance(6.9 * day)
    expect(await sessions.goesOn(id)).toBe(true)
    clock.advance(0.2 * day)
    expect(await sessions.goesOn(id)).toBe(false)
  })

  it('has its record written at most once an hour, however often and concurrently it is used', async () => {
    const { sessions, clock, cookie, writes } = await counted()
    await Promise.all(Array.from({ length: 50 }, () => sessions.find(cookie)))
    clock.advance(3_500_000)
    await Promise.all(Array.from({ length: 50 }, () => sessions.find(cookie)))
    expect(writes()).toBe(0)
    clock.advance(200_000)
    await Promise.all(Array.from({ length: 50 }, () => sessions.find(cookie)))
    await sessions.find(cookie)
    expect(writes()).toBe(1)
  })

  it('stays valid while its record cannot be written, and retries a failing store once a minute', async () => {
    const { sessions, clock, cookie, writes, fail } = await counted()
    fail()
    clock.advance(2 * 3_600_000)
    for (let time = 0; time < 20; time++) expect(await sessions.find(cookie)).not.toBeNull()
    expect(writes()).toBe(1)
  })

  it('lasts no longer when the clock ran ahead at its start', async () => {
    const { sessions, clock, cookie } = await counted()
    clock.advance(-30 * day)
    expect(await sessions.find(cookie)).not.toBeNull()
    clock.advance(7 * day)
    expect(await sessions.find(cookie)).toBeNull()
  })
})

describe('a user', () => {
  it('has fifty sessions at most: the oldest ends when the next starts [S3]', { tags: 'long' }, async () => {
    const server = await testServer({ TRUST_PROXY: 'true' })
    const { browser: oldest, email } = await person(server)
    const second = new Browser(server.url)
    await second.signIn(email)
    const newest = new Browser(server.url)
    for (let time = 0; time < 48; time++) await new Browser(server.url).signIn(email)
    expect([await oldest.isIn(), await second.isIn()]).toEqual([true, true])
    await newest.signIn(email)
    expect([await oldest.isIn(), await second.isIn(), await newest.isIn()]).toEqual([false, true, true])
    await server.remove()
  })

  it('keeps to that maximum when many start at once, and when there were more than fifty before', async () => {
    const { sessions, user, table } = await counted()
    for (let before = 0; before < 120; before++)
      await table.insert({
        id: `old-${before}`,
        userId: user.id,
        sess: { userId: user.id, createdAt: `2020-01-01T00:00:${String(before % 60).padStart(2, '0')}.000Z` },
        expire: '2999-01-01T00:00:00.000Z',
      })
    const begun = await Promise.all(Array.from({ length: 20 }, () => sessions.start(user)))
    expect(await table.find('userId', user.id, 1_000)).toHaveLength(50)
    expect(
      (await Promise.all(begun.map(({ cookie }) => sessions.find(cookie)))).filter((found) => found === null),
    ).toEqual([])
  })

  it('keeps the newest session, even when the clock was set back', async () => {
    const { sessions, user, clock } = await counted()
    for (let time = 0; time < 50; time++) await sessions.start(user)
    clock.advance(-86_400_000)
    const { cookie } = await sessions.start(user)
    expect(await sessions.find(cookie)).not.toBeNull()
  })
})

describe('over https', () => {
  it('cookies are restricted to https and to this host [S34]', async () => {
    const server = await testServer({ TRUST_PROXY: 'true', PUBLIC_URL: 'https://social.example' })
    try {
      const { headers } = await new Browser(server.localUrl).ask('register', {
        body: { email: 'ada@example.com', password },
      })
      expect(headers.getSetCookie().map((cookie) => cookie.replace(/=[^;]*/, ''))).toEqual([
        '__Host-socialai; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600; Secure',
        '__Host-socialai-device; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure',
      ])
    } finally {
      await server.remove()
    }
  })
})

describe('a new session secret', () => {
  it(
    'keeps users signed in while the old secret is configured, and encrypts new cookies',
    { tags: 'long' },
    async () => {
      const [first, second] = [secret(), secret()]
      let server = await testServer({ SESSION_SECRET: first })
      const withSecrets = async (env: Readonly<Record<string, string>>) => {
        const { dataDir: DATA_DIR } = server
        await server.close()
        server = await testServer({ ...env, DATA_DIR })
        return (browser: Browser) => {
          const again = new Browser(server.url)
          again.cookie = browser.cookie
          return again.isIn()
        }
      }
      const { browser: before, email } = await person(server)

      const isInWithBoth = await withSecrets({ SESSION_SECRET: second, SESSION_SECRETS_OLD: `${secret()},${first}` })
      const after = new Browser(server.url)
      await after.signIn(email)
      expect([await isInWithBoth(before), await isInWithBoth(after)]).toEqual([true, true])

      const isInWithNew = await withSecrets({ SESSION_SECRET: second })
      expect([await isInWithNew(before), await isInWithNew(after)]).toEqual([false, true])
      await server.remove()
    },
  )
})

const secret = () => randomBytes(32).toString('hex')

/** Sessions of one user on real records, with their writes counted. */
async function counted() {
  const folder = await temporaryFolder('sessions')
  const records = await openEmbeddedRecords(join(folder, 'records.db'))
  onTestFinished(async () => {
    await records.close()
    await removeFolder(folder)
  })
  let writes = 0
  let isFailing = false
  const observed: Records = {
    ...records,
    async table(definition) {
      const table = await records.table(definition)
      return {
        get: (id) => table.get(id),
        insert: (record) => table.insert(record),
        put: (record) => table.put(record),
        remove: (...asked) => table.remove(...asked),
        find: (...asked) => table.find(...asked),
        removeBefore: (...asked) => table.removeBefore(...asked),
        first: (...asked) => table.first(...asked),
        count: () => table.count(),
        async replace(...asked) {
          if (isFailing) {
            writes += 1
            throw new StoreUnavailable('away')
          }
          const isDone = await table.replace(...asked)
          if (isDone) writes += 1
          return isDone
        },
      }
    },
  }
  const clock = new MovableClock()
  const sessions = await Sessions.open(observed, clock, ['s'.repeat(32)])
  const user = {
    id: 'ada',
    email: 'ada',
    passwordHash: '',
    firstName: null,
    lastName: null,
    profileImageUrl: null,
    createdAt: clock.now(),
    updatedAt: clock.now(),
  }
  await (await records.table<UserRecord>(usersTable)).insert(user)
  const { cookie } = await sessions.start(user)
  const table = await records.table<SessionRecord>({ table: 'sessions', indexed: ['expire', 'userId'] })
  return { sessions, clock, cookie, user, table, writes: () => writes, fail: () => void (isFailing = true) }
}
