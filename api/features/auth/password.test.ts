/** Changing a password and resetting a forgotten one, with an attacker present. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../live-updates/test/helpers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, lettersTo, tokenIn } from './test/letters.ts'

const another = 'another password'
let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

/** One user with sessions in two browsers. */
async function twice() {
  const { browser, email, id } = await person(server)
  const elsewhere = new Browser(server.url)
  await elsewhere.signIn(email)
  return { browser, elsewhere, email, id }
}
const over = { status: 403, text: "This link doesn't work any more. Ask for a new one." }

describe('a changed password', () => {
  it('ends every other session and gives this one a new id [S79]', async () => {
    const { browser, elsewhere, email } = await twice()
    const stolen = new Browser(server.url)
    stolen.cookie = browser.cookie
    const user = await browser.callOrThrow('changePassword', {
      body: { currentPassword: password, newPassword: another },
    })
    expect(user.email).toBe(email)
    expect([await browser.isIn(), await elsewhere.isIn(), await stolen.isIn()]).toEqual([true, false, false])
    expect([await new Browser(server.url).signIn(email), await new Browser(server.url).signIn(email, another)]).toEqual(
      [401, 200],
    )
  })
  it('is reported to the account by mail', async () => {
    const { browser, email } = await person(server)
    await browser.callOrThrow('changePassword', { body: { currentPassword: password, newPassword: another } })
    expect(await letter(server, email, /password was changed/)).not.toContain('another')
  })
  it('needs the current one: a person at an unlocked screen is refused [S77]', async () => {
    const { browser, email } = await person(server)
    const wrong = { status: 403, text: "That isn't your current password." }
    expect(
      await browser.ask('changePassword', { body: { currentPassword: 'a guess', newPassword: another } }),
    ).toMatchObject(wrong)
    expect(await browser.isIn()).toBe(true)
    for (let guess = 0; guess < 9; guess++)
      await browser.status('changePassword', { currentPassword: 'a guess', newPassword: another })
    const last = await browser.ask('changePassword', { body: { currentPassword: password, newPassword: another } })
    expect({ status: last.status, wait: Number(last.headers.get('retry-after')) > 0 }).toEqual({
      status: 429,
      wait: true,
    })
    expect(await new Browser(server.url).signIn(email)).toBe(200)
  })
  it.each([
    [{ currentPassword: password, newPassword: 'short' }, 'New password: Password must be at least 8 characters'],
    [
      { currentPassword: password, newPassword: 'x'.repeat(1025) },
      'New password: Password must be 1,024 characters or fewer',
    ],
    [{ currentPassword: '', newPassword: another }, 'Current password: Password is required'],
  ])('follows the same rules as the first one: %#', async (body, text) => {
    const { browser } = await person(server)
    expect(await browser.ask('changePassword', { body })).toMatchObject({ status: 400, text })
  })
  it('is exactly one of two that are set at once', async () => {
    const { browser, elsewhere, email } = await twice()
    const [one, two] = ['the first of two', 'the second of two']
    const answers = await Promise.all([
      browser.status('changePassword', { currentPassword: password, newPassword: one }),
      elsewhere.status('changePassword', { currentPassword: password, newPassword: two }),
    ])
    expect(answers.filter((status) => status === 200)).toHaveLength(1)
    const works = await Promise.all([one, two].map((each) => new Browser(server.url).signIn(email, each)))
    expect(works).toEqual(answers.map((status) => (status === 200 ? 200 : 401)))
  })
  it('leaves no session of the old one, even for simultaneous sign-ins', async () => {
    const { browser, email } = await person(server)
    const thieves = Array.from({ length: 6 }, () => new Browser(server.url))
    const tries = thieves.map((thief) => thief.signIn(email))
    const changed = browser.status('changePassword', { currentPassword: password, newPassword: another })
    const late = thieves.slice(0, 3).map((thief) => thief.signIn(email))
    await Promise.all([...tries, ...late])
    expect(await changed).toBe(200)
    expect(await Promise.all(thieves.map((thief) => thief.isIn()))).toEqual(thieves.map(() => false))
    expect(await browser.isIn()).toBe(true)
  })
  it('revokes links that were mailed before', async () => {
    const { browser, email } = await person(server)
    const token = await resetToken(server, email)
    expect(await browser.status('changeEmail', { email: newEmail(), password })).toBe(204)
    await browser.callOrThrow('changePassword', { body: { currentPassword: password, newPassword: another } })
    expect(await browser.ask('resetPassword', { body: { token, password: 'a third password' } })).toMatchObject(over)
  })
  it('closes live-update streams', async () => {
    const { browser, elsewhere } = await twice()
    await browser.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@example.com' } })
    const news = await listen(elsewhere)
    expect(news.status).toBe(200)
    await browser.callOrThrow('changePassword', { body: { currentPassword: password, newPassword: another } })
    await news.ended
  })
})

describe('signing out everywhere', () => {
  it('ends all sessions, clears the cookie and closes live-update streams', async () => {
    const { browser, elsewhere } = await twice()
    await browser.callOrThrow('openAgency', { body: { name: 'North Star', email: 'hello@example.com' } })
    const open = [await listen(browser), await listen(elsewhere)]
    const before = browser.cookie
    const { status, headers } = await browser.ask('signOutEverywhere')
    expect({ status, cookie: headers.get('set-cookie') }).toMatchObject({
      status: 204,
      cookie: expect.stringMatching(/^socialai=; .*Max-Age=0/),
    })
    for (const news of open) await news.ended
    browser.cookie = before
    expect([await browser.isIn(), await elsewhere.isIn()]).toEqual([false, false])
  })
  it('cannot be triggered by another site [S40]', async () => {
    const { browser } = await person(server)
    expect((await browser.ask('signOutEverywhere', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(403)
    expect(await browser.isIn()).toBe(true)
  })
})

describe('a forgotten password', () => {
  it('is set through a mailed link, which ends all sessions and starts none', async () => {
    const { browser, email } = await person(server)
    const text = await (async () => {
      await new Browser(server.url).callOrThrow('forgotPassword', { body: { email: ` ${email.toUpperCase()} ` } })
      return letter(server, email, /^Set a new password/)
    })()
    expect(text).toContain(`${server.url}/reset-password#${tokenIn(text)}\n`)
    const stranger = new Browser(server.url)
    expect(await stranger.ask('resetPassword', { body: { token: tokenIn(text), password: another } })).toMatchObject({
      status: 204,
      text: '',
    })
    expect([await stranger.isIn(), await browser.isIn()]).toEqual([false, false])
    expect([await stranger.signIn(email), await stranger.signIn(email, another)]).toEqual([401, 200])
  })
  it('does not reveal which accounts exist: the same answer, and no mail for an unknown address [S14]', async () => {
    const [{ email: known }, unknown] = [await person(server), newEmail()]
    const [one, other] = await Promise.all(
      [known, unknown].map((email) => new Browser(server.url).ask('forgotPassword', { body: { email } })),
    )
    const shape = (reply: typeof one) => ({
      status: reply?.status,
      text: reply?.text,
      headers: [...(reply?.headers.keys() ?? [])].sort(),
    })
    expect(shape(one)).toEqual(shape(other))
    await letter(server, known, /^Set a new password/)
    expect(await lettersTo(server, unknown)).toEqual([])
  })
  it('has a link that works once, even when used twice at the same moment [S15]', async () => {
    const { email } = await person(server)
    const token = await resetToken(server, email)
    const passwords = ['the first of two', 'the second of two']
    const answers = await Promise.all(
      passwords.map((each) => new Browser(server.url).status('resetPassword', { token, password: each })),
    )
    expect([...answers].sort()).toEqual([204, 403])
    expect(await new Browser(server.url).signIn(email, passwords[answers.indexOf(204)])).toBe(200)
    expect(await new Browser(server.url).ask('resetPassword', { body: { token, password: another } })).toMatchObject(
      over,
    )
  })
  it('has a link that keeps its clear answer when used many times at once', async () => {
    const { email } = await person(server)
    const token = await resetToken(server, email)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        new Browser(server.url).ask('resetPassword', { body: { token, password: another } }),
      ),
    )
    const others = answers.filter(({ status }) => status !== 204)
    expect(others).toHaveLength(11)
    for (const { status, text } of others)
      expect([
        `403 ${over.text}`,
        '503 Too many of these requests came at once. Please try again in a few seconds.',
      ]).toContain(`${status} ${text}`)
  })
  it('has a link that works for an hour', async () => {
    const { email } = await person(server)
    const token = await resetToken(server, email)
    server.clock.advance(3_600_000)
    expect(await new Browser(server.url).ask('resetPassword', { body: { token, password: another } })).toMatchObject(
      over,
    )
  })
  it('has one valid link: a newer one revokes the older', { tags: 'long' }, async () => {
    const { email } = await person(server)
    const first = await resetToken(server, email)
    const second = await resetToken(server, email, 2)
    const browser = new Browser(server.url)
    expect([
      await browser.status('resetPassword', { token: first, password: another }),
      await browser.status('resetPassword', { token: second, password: another }),
    ]).toEqual([403, 204])
  })
  it('has a link that a refused password does not use up', async () => {
    const { email } = await person(server)
    const token = await resetToken(server, email)
    const browser = new Browser(server.url)
    expect(await browser.ask('resetPassword', { body: { token, password: 'short' } })).toMatchObject({
      status: 400,
      text: 'Password: Password must be at least 8 characters',
    })
    expect(await browser.status('resetPassword', { token, password: another })).toBe(204)
  })
  it('floods no mailbox: further requests get the same answer and send nothing', async () => {
    const { email } = await person(server)
    for (let time = 1; time <= 6; time++) {
      expect(await new Browser(server.url).status('forgotPassword', { email })).toBe(204)
      if (time <= 3) await letter(server, email, /^Set a new password/, time)
    }
    // The outbox works in order: once this last letter is there, all earlier requests are done.
    await resetToken(server, (await person(server)).email)
    expect(await lettersTo(server, email)).toHaveLength(3)
  })
  it('is limited per address, in requests for links and in uses of links', async () => {
    const browser = new Browser(server.url)
    const asked = await statuses(12, () => browser.ask('forgotPassword', { body: { email: newEmail() } }))
    expect(asked).toEqual([...Array<string>(10).fill('204'), '429 later', '429 later'])
    const tried = await statuses(31, () =>
      browser.ask('resetPassword', { body: { token: 'A'.repeat(43), password: another } }),
    )
    expect(tried).toEqual([...Array<string>(30).fill('403'), '429 later'])
  })
  it.each(['', 'x', 'A'.repeat(43), 'A'.repeat(200), '../reset/1', "' or 1=1", '__proto__'])(
    'is not set by a link like %j',
    async (token) => {
      expect(await new Browser(server.url).ask('resetPassword', { body: { token, password: another } })).toMatchObject(
        over,
      )
    },
  )
})

async function statuses(
  times: number,
  ask: () => Promise<{ readonly status: number; readonly headers: Headers }>,
): Promise<string[]> {
  const found: string[] = []
  for (let time = 0; time < times; time++) {
    const { status, headers } = await ask()
    found.push(`${status}${Number(headers.get('retry-after')) > 0 ? ' later' : ''}`)
  }
  return found
}
