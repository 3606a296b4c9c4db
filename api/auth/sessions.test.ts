/** Sessions that somebody else would like to have. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../testing.ts'
import { Browser, password, person } from './testing.ts'

describe('a session', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({ TRUST_PROXY: 'true' })
  })
  afterAll(() => server.remove())

  it('that was slipped to somebody before they signed in is not theirs after it (fixation)', async () => {
    const { browser: eve } = await person(server)
    const victim = new Browser(server.url)
    victim.cookie = eve.cookie
    const { email } = await person(server)
    expect(await victim.signIn(email)).toBe(200)
    expect(victim.cookie).not.toBe(eve.cookie)
    expect([(await victim.tell('getUser')).email, await eve.isIn()]).toEqual([email, false])
  })
  it('is another one each time, and none can be told from those before', async () => {
    const { browser, email } = await person(server)
    const cookies = new Set<string>()
    for (let time = 0; time < 20; time++) {
      await browser.signIn(email)
      cookies.add(browser.cookie)
    }
    expect(cookies.size).toBe(20)
  })
})

describe('over https', () => {
  it('cookies are sent over nothing else, to this host alone', async () => {
    const server = await testServer({ TRUST_PROXY: 'true', PUBLIC_URL: 'https://social.example' })
    try {
      const { headers } = await new Browser(server.localUrl).ask('register', { body: { email: 'ada@example.com', password } })
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
  it('leaves people signed in as long as the old one is there, and seals what is new', async () => {
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
  })
})

const secret = () => randomBytes(32).toString('hex')
