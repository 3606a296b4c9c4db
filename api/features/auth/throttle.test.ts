/** Guessing passwords, and locking owners out by guessing. */
import argon2 from 'argon2'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, lettersTo, tokenIn } from './test/letters.ts'

const perAccount = 12
let server: TestServer
beforeAll(async () => {
  server = await testServer(
    { TRUST_PROXY: 'true' },
    { limits: { failures: 5, perAccount, perAddress: 100_000, registrations: 100_000 } },
  )
})
afterAll(() => server.remove())
afterEach(() => void vi.restoreAllMocks())

/** One guess from each of so many addresses. */
async function attack(email: string, addresses: number): Promise<number[]> {
  const found: number[] = []
  for (let one = 0; one < addresses; one++)
    found.push(await new Browser(server.url, `192.0.2.${one}`).signIn(email, 'a guess'))
  return found
}

describe('an account attacked from many addresses', () => {
  it('is closed to strangers, even with the correct password', async () => {
    const { email } = await person(server)
    expect(await attack(email, perAccount + 2)).toEqual([...Array<number>(perAccount).fill(401), 429, 429])
    const answer = await new Browser(server.url).ask('login', { body: { email, password } })
    expect(answer).toMatchObject({
      status: 429,
      text: 'Too many attempts for this email. Sign in where you did before, set a new password by email, or try again in 60 minutes.',
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(3_500)
  })
  it('is open to its owner from any address, in a browser that signed in before [S6]', async () => {
    const { browser, email } = await person(server)
    await browser.ask('logout')
    await attack(email, perAccount + 1)
    const atHome = new Browser(server.url)
    atHome.device = browser.device
    expect(await atHome.signIn(email)).toBe(200)
  })
  it('is open to its owner in a new browser, after a mailed link [S8]', async () => {
    const { email } = await person(server)
    await attack(email, perAccount + 1)
    const fresh = new Browser(server.url)
    const body = { token: await resetToken(server, email), password: 'another password' }
    expect(await fresh.status('resetPassword', body)).toBe(204)
    expect(await fresh.signIn(email, 'another password')).toBe(200)
  })
  it(
    'is open to its owner by a link, even after strangers used up the limits of other mails [S9]',
    { tags: 'long' },
    async () => {
      const { email } = await person(server)
      for (let stranger = 0; stranger < 4; stranger++)
        expect(await (await person(server)).browser.status('changeEmail', { email, password })).toBe(204)
      await letter(server, email, /has a SocialAI account/, 3)
      for (let asked = 1; asked <= 4; asked++) {
        await new Browser(server.url).status('forgotPassword', { email })
        await letter(server, email, /^Set a new password/, Math.min(asked, 3))
      }
      await attack(email, perAccount + 1)
      const fresh = new Browser(server.url)
      const links = (await lettersTo(server, email)).filter(({ subject }) => subject.startsWith('Set a new password'))
      const statuses: number[] = []
      for (const { text } of links)
        statuses.push(await fresh.status('resetPassword', { token: tokenIn(text), password: 'another password' }))
      expect(statuses.sort()).toEqual([204, 403, 403])
      expect(await fresh.signIn(email, 'another password')).toBe(200)
    },
  )
  it('is open to its owner again after a password thief requested all links and revoked them', async () => {
    const { email, browser: thief } = await person(server)
    for (let asked = 1; asked <= 3; asked++) await resetToken(server, email, asked)
    await thief.callOrThrow('changePassword', { body: { currentPassword: password, newPassword: 'of the thief' } })
    const fresh = new Browser(server.url)
    expect(
      await fresh.status('resetPassword', { token: await resetToken(server, email, 4), password: 'another password' }),
    ).toBe(204)
    expect([await thief.isIn(), await fresh.signIn(email, 'another password')]).toEqual([false, 200])
  })
  it('gets the same answers whether or not it exists', async () => {
    const [{ email: known }, unknown] = [await person(server), newEmail()]
    expect(await attack(known, perAccount + 2)).toEqual(await attack(unknown, perAccount + 2))
  })
  it('is one account, however its email address is spelled', async () => {
    const { email } = await person(server)
    await attack(email.toUpperCase(), perAccount)
    expect(await attack(` ${email}`, 1)).toEqual([429])
  })
  it('does not affect other accounts', async () => {
    const [{ email: attacked }, { email: other }] = [await person(server), await person(server)]
    await attack(attacked, perAccount + 1)
    expect(await new Browser(server.url, '192.0.2.1').signIn(other)).toBe(200)
  })
})

describe('an owner', () => {
  it('who signs in often from new browsers is never limited', async () => {
    const { email } = await person(server)
    const found: number[] = []
    for (let time = 0; time < perAccount + 3; time++) found.push(await new Browser(server.url).signIn(email))
    expect(new Set(found)).toEqual(new Set([200]))
  })
  it('signs in while an attacker guesses from the same address', async () => {
    const { browser, email } = await person(server)
    const beside = new Browser(server.url, browser.address)
    for (let guess = 0; guess < 6; guess++) await beside.signIn(email, 'a guess')
    expect([await beside.signIn(email), await browser.signIn(email)]).toEqual([429, 200])
  })
})

describe('a known browser', () => {
  it('becomes a stranger after too many guesses: a thief may have it', async () => {
    const { browser, email } = await person(server)
    await attack(email, perAccount)
    const found: number[] = []
    for (let guess = 0; guess < 7; guess++) found.push(await browser.signIn(email, 'a guess'))
    expect(found).toEqual([401, 401, 401, 401, 401, 429, 429])
  })
  it('has no limit of its own: two of one account guess as often as one', async () => {
    const { browser, email } = await person(server)
    const other = new Browser(server.url, browser.address)
    await other.signIn(email)
    await attack(email, perAccount)
    const found: number[] = []
    for (let guess = 0; guess < 7; guess++)
      found.push(await (guess % 2 === 0 ? browser : other).signIn(email, 'a guess'))
    expect(found).toEqual([401, 401, 401, 401, 401, 429, 429])
  })
  it('is limited in guesses across all addresses', { tags: 'long' }, async () => {
    const { browser, email } = await person(server)
    await attack(email, perAccount)
    const found: number[] = []
    for (let guess = 0; guess < 27; guess++) {
      const moving = new Browser(server.url, `203.0.113.${guess}`)
      moving.device = browser.device
      found.push(await moving.signIn(email, 'a guess'))
    }
    expect(found).toEqual([...Array<number>(25).fill(401), 429, 429])
  })
  it.each([
    [
      'the password was changed',
      (elsewhere: Browser) => elsewhere.status('changePassword', { currentPassword: password, newPassword: password }),
    ],
    ['the account was signed out everywhere', (elsewhere: Browser) => elsewhere.status('signOutEverywhere')],
  ])('becomes a stranger after %s elsewhere [S11]', async (_, act) => {
    const { browser, email } = await person(server)
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    await attack(email, perAccount)
    expect(await browser.signIn(email)).toBe(200)
    expect(await act(elsewhere)).toBeLessThan(300)
    expect(await browser.signIn(email)).toBe(429)
  })
  it('stays known when it changes the password itself', async () => {
    const { browser, email } = await person(server)
    await browser.status('changePassword', { currentPassword: password, newPassword: 'another password' })
    await attack(email, perAccount)
    expect(await browser.signIn(email, 'another password')).toBe(200)
  })
  it('is known for its own account only', async () => {
    const [{ browser: eve }, { email }] = [await person(server), await person(server)]
    await attack(email, perAccount)
    expect(await eve.signIn(email)).toBe(429)
  })
  it('grants nothing without the password, and its cookie is hidden from scripts and other sites', async () => {
    const { browser, email } = await person(server)
    const only = new Browser(server.url)
    only.device = browser.device
    expect([await only.isIn(), await only.signIn(email, 'a guess')]).toEqual([false, 401])
    const { headers } = await only.ask('login', { body: { email, password } })
    expect(headers.getSetCookie().find((each) => each.startsWith('socialai-device='))).toMatch(
      /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/,
    )
  })
})

describe('an attacker', () => {
  it('with a whole IPv6 network counts as one address', async () => {
    const { email } = await person(server)
    const found: number[] = []
    for (let one = 1; one <= 7; one++)
      found.push(await new Browser(server.url, `2001:db8:0:1::${one}`).signIn(email, 'a guess'))
    expect(found).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect(await new Browser(server.url, '2001:db8:0:2::1').signIn(email, 'a guess')).toBe(401)
  })
  it('over the limit costs no hash', async () => {
    const { email } = await person(server)
    await attack(email, perAccount)
    const verify = vi.spyOn(argon2, 'verify')
    await attack(email, 5)
    expect(verify).not.toHaveBeenCalled()
  })
})

describe('registration with an address that has an account', () => {
  it('takes the same work as with a new address', async () => {
    const { email } = await person(server)
    const hash = vi.spyOn(argon2, 'hash')
    const counts: number[] = []
    for (const each of [email, newEmail()]) {
      hash.mockClear()
      await new Browser(server.url).status('register', { email: each, password })
      counts.push(hash.mock.calls.length)
    }
    expect(counts).toEqual([1, 1])
  })
})
