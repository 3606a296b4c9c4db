/** A user sees the own sessions and ends them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, person } from './test/helpers.ts'

const hour = 3_600_000
const firefox = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

async function withTwo() {
  const { browser: first, email } = await person(server)
  const second = new Browser(server.url)
  const body = { email, password: 'correct horse' }
  expect((await second.ask('login', { body, headers: firefox })).status).toBe(200)
  return { first, second, email }
}
const list = (browser: Browser) => browser.callOrThrow('listSessions')

it('the list names the browser, the start, the last use and this session, the last used first', async () => {
  const { first } = await withTwo()
  server.clock.advance(2 * hour)
  expect(await first.isIn()).toBe(true)
  const hoursUsed = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / hour)
  const shown = (await list(first)).map(({ id, startedAt, usedAt, ...rest }) => ({
    ...rest,
    hasId: id.length > 20,
    hours: hoursUsed(startedAt, usedAt),
  }))
  expect(shown).toEqual([
    { browser: 'Another program', isThis: true, hasId: true, way: 'password', hours: 2 },
    { browser: 'Firefox on Linux', isThis: false, hasId: true, way: 'password', hours: 0 },
  ])
})

it('a listed id opens no session', async () => {
  const { first } = await withTwo()
  const [shown] = await list(first)
  const thief = new Browser(server.url)
  thief.cookie = `${first.cookie.split('=')[0]}=${shown?.id}`
  expect(await thief.isIn()).toBe(false)
})

it('one session ends and the other one goes on', async () => {
  const { first, second } = await withTwo()
  const other = (await list(first)).find(({ isThis }) => !isThis)
  expect((await first.ask('endSession', { params: { id: other?.id ?? '' } })).status).toBe(204)
  expect([await first.isIn(), await second.isIn()]).toEqual([true, false])
  const again = await first.ask('endSession', { params: { id: other?.id ?? '' } })
  expect([again.status, again.text]).toEqual([404, "This session doesn't exist."])
})

it("another user's session does not end [S120]", async () => {
  const { first } = await withTwo()
  const { browser: eve } = await person(server)
  const [mine] = await list(first)
  expect((await eve.ask('endSession', { params: { id: mine?.id ?? '' } })).status).toBe(404)
  expect(await first.isIn()).toBe(true)
})

it('all other sessions end and this one goes on', async () => {
  const { first, second, email } = await withTwo()
  const third = new Browser(server.url)
  await third.signIn(email)
  expect(await second.status('endOtherSessions')).toBe(204)
  expect([await first.isIn(), await second.isIn(), await third.isIn()]).toEqual([false, true, false])
  expect(await list(second)).toHaveLength(1)
})
