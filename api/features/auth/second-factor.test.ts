/** Signing in with a password and a code, and the attacks on it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { names, request, unknown } from '../../testing/every-route.ts'
import { routes } from '../../contract/index.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, password, person, resetToken } from './test/helpers.ts'
import { letter } from './test/letters.ts'
import { addressToken, codeOf, confirmedPerson, halfSignedIn, personWithApp } from './test/second-factor.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const wrong = { status: 401, text: "That code isn't right, or was used before. Try another one." }
const tooLate = { status: 401, text: 'This sign-in took too long. Enter your email and password again.' }
const complete = (browser: Browser, code: string) => browser.ask('completeSignIn', { body: { code } })
const brief = ({ status, text }: { status: number; text: string }) => ({ status, text })

describe('a sign-in with a second factor', () => {
  it('answers 401 after the password, and 200 with the user after the code', async () => {
    const { email, secret } = await personWithApp(server)
    const browser = new Browser(server.url)
    const first = await browser.ask('login', {
      body: { email, password },
      headers: { Accept: 'application/problem+json' },
    })
    expect([first.status, JSON.parse(first.text)]).toEqual([
      401,
      expect.objectContaining({ type: '/problems/second-factor-required', status: 401 }),
    ])
    expect([browser.cookie, await browser.isIn()]).toEqual(['', false])
    expect(await browser.callOrThrow('getSignIn')).toEqual({ methods: ['app', 'recovery'] })
    const second = await complete(browser, codeOf(server, secret))
    expect([second.status, JSON.parse(second.text).email]).toEqual([200, email])
    expect(await browser.isIn()).toBe(true)
    expect(browser.pending).toMatch(/=$/)
  })
  it('is not done after the password: no route that needs a session answers [S122]', { tags: 'long' }, async () => {
    const { email } = await personWithApp(server)
    const browser = await halfSignedIn(server, email)
    browser.cookie = browser.pending.replace('-sign-in', '')
    const answers = await Promise.all(
      names
        .filter((name) => routes[name].access !== 'public')
        .map(async (name) => (await browser.ask(name, request(name, unknown))).status),
    )
    expect(new Set(answers)).toEqual(new Set([401]))
  })
  it('is over after five minutes', async () => {
    const { email, secret } = await personWithApp(server)
    const browser = await halfSignedIn(server, email)
    server.clock.advance(5 * 60_000)
    expect(brief(await complete(browser, codeOf(server, secret)))).toEqual(tooLate)
    expect(brief(await browser.ask('getSignIn'))).toEqual(tooLate)
  })
  it('is over when the password changes', async () => {
    const { browser: owner, email, secret } = await personWithApp(server)
    const browser = await halfSignedIn(server, email)
    expect(await owner.status('changePassword', { currentPassword: password, newPassword: 'another password' })).toBe(
      200,
    )
    expect(brief(await complete(browser, codeOf(server, secret)))).toEqual(tooLate)
  })
  it('is completed by one of two requests', async () => {
    const { email, secret, recoveryCodes } = await personWithApp(server)
    const browser = await halfSignedIn(server, email)
    const answers = await Promise.all([
      complete(browser, codeOf(server, secret)),
      complete(browser, recoveryCodes[0] ?? ''),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
  it('does not begin with a wrong password', async () => {
    const { email } = await personWithApp(server)
    const browser = new Browser(server.url)
    const { status, text } = await browser.ask('login', { body: { email, password: 'a guess' } })
    expect([status, text, browser.pending]).toEqual([401, 'Wrong email or password. Please try again.', ''])
  })
})

describe('a code', () => {
  it('works once: a second sign-in needs the next one [S123]', async () => {
    const { email, secret } = await personWithApp(server)
    const code = codeOf(server, secret)
    expect((await complete(await halfSignedIn(server, email), code)).status).toBe(200)
    const browser = await halfSignedIn(server, email)
    expect(brief(await complete(browser, code))).toEqual(wrong)
    expect((await complete(browser, codeOf(server, secret, 1))).status).toBe(200)
  })
  it('works once for two browsers at once', async () => {
    const { email, secret } = await personWithApp(server)
    const browsers = [await halfSignedIn(server, email), await halfSignedIn(server, email)]
    const answers = await Promise.all(browsers.map((browser) => complete(browser, codeOf(server, secret))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
  // Three steps ahead are two if the clock reaches the next step meanwhile.
  it.each([-2, 3])('of another time does not work: %d steps', async (steps) => {
    const { email, secret } = await personWithApp(server)
    expect(brief(await complete(await halfSignedIn(server, email), codeOf(server, secret, steps)))).toEqual(wrong)
  })
  it('may have spaces', async () => {
    const { email, secret } = await personWithApp(server)
    const code = codeOf(server, secret)
    const typed = ` ${code.slice(0, 3)} ${code.slice(3)}`
    expect((await complete(await halfSignedIn(server, email), typed)).status).toBe(200)
  })
  it.each(['', '12345', '1234567', 'zzzzz-zzzzz', '１２３４５６', '123456\u0000'])(
    'like %j is refused',
    async (code) => {
      const { email } = await personWithApp(server)
      const { status } = await complete(await halfSignedIn(server, email), code)
      expect(status).toBe(code === '' || code.includes('\u0000') ? 400 : 401)
    },
  )
  it(
    'is guessed no more often than a password, and a right password gives no attempt back [S124]',
    { tags: 'long' },
    async () => {
      const { email, secret } = await personWithApp(server)
      const browser = new Browser(server.url)
      const found: number[] = []
      for (let time = 0; time < 11; time++) {
        await browser.signIn(email)
        found.push((await complete(browser, '000000')).status)
      }
      expect(found).toEqual([...Array.from({ length: 10 }, () => 401), 429])
      expect((await complete(browser, codeOf(server, secret))).status).toBe(429)
      expect((await complete(await halfSignedIn(server, email), codeOf(server, secret))).status).toBe(200)
    },
  )
})

describe('a recovery code', () => {
  it('works in place of a code, once, and its owner is told [S125]', { tags: 'long' }, async () => {
    const { email, recoveryCodes } = await personWithApp(server)
    expect(recoveryCodes).toHaveLength(10)
    const [code = ''] = recoveryCodes
    const browser = await halfSignedIn(server, email)
    expect((await complete(browser, code.toUpperCase().replace('-', ' '))).status).toBe(200)
    expect(await browser.callOrThrow('getFactors')).toMatchObject({ recoveryCodes: 9 })
    expect(await letter(server, email, /recovery code was used/)).toContain('9 are left')
    expect(brief(await complete(await halfSignedIn(server, email), code))).toEqual(wrong)
  })
  it('no longer works once there are new ones', async () => {
    const { browser, email, recoveryCodes } = await personWithApp(server)
    const { recoveryCodes: fresh } = await browser.callOrThrow('renewRecoveryCodes', { body: { password } })
    const half = await halfSignedIn(server, email)
    expect(brief(await complete(half, recoveryCodes[0] ?? ''))).toEqual(wrong)
    expect((await complete(half, fresh[9] ?? '')).status).toBe(200)
  })
})

describe('an authenticator app', () => {
  it('is added only to a confirmed address [S126]', async () => {
    const { browser, email } = await person(server)
    const refused = await browser.ask('beginTotp', { body: { password } })
    expect([refused.status, refused.text]).toEqual([403, 'Confirm your email address first.'])
    const token = await addressToken(server, browser, email)
    await browser.callOrThrow('confirmAddress', { body: { token } })
    expect((await browser.callOrThrow('beginTotp', { body: { password } })).uri).toContain('otpauth://totp/SocialAI')
  })
  it('is added and removed with the password only, and its owner is told [S127]', { tags: 'long' }, async () => {
    const { browser, email } = await personWithApp(server)
    await letter(server, email, /^An authenticator app was added/)
    for (const name of ['beginTotp', 'removeTotp', 'renewRecoveryCodes'] as const)
      expect(await browser.status(name, { password: 'a guess' })).toBe(403)
    expect(await browser.status('removeTotp', { password })).toBe(204)
    expect(await browser.callOrThrow('getFactors')).toMatchObject({ app: null, recoveryCodes: 0 })
    await letter(server, email, /^The authenticator app was removed/)
    expect(await new Browser(server.url).signIn(email)).toBe(200)
  })
  it('is not there before its first code, and a wrong one changes nothing', async () => {
    const { browser, email } = await confirmedPerson(server)
    const { secret } = await browser.callOrThrow('beginTotp', { body: { password } })
    expect(await browser.status('confirmTotp', { code: '000000' })).toBe(403)
    expect(await new Browser(server.url).signIn(email)).toBe(200)
    expect(await browser.status('confirmTotp', { code: codeOf(server, secret) })).toBe(200)
    expect(await browser.status('confirmTotp', { code: codeOf(server, secret) })).toBe(409)
    expect(await browser.status('beginTotp', { password })).toBe(409)
  })
  it('is not set up by a code that comes too late', async () => {
    const { browser } = await confirmedPerson(server)
    const { secret } = await browser.callOrThrow('beginTotp', { body: { password } })
    server.clock.advance(15 * 60_000)
    expect(await browser.status('confirmTotp', { code: codeOf(server, secret) })).toBe(409)
  })
})

describe('a mailed link', () => {
  it('that sets a new password does not replace the second factor [S128]', { tags: 'long' }, async () => {
    const { browser, email } = await personWithApp(server)
    const token = await resetToken(server, email)
    expect(await browser.status('resetPassword', { token, password: 'another password' })).toBe(204)
    expect(await browser.isIn()).toBe(false)
    expect(await browser.signIn(email, 'another password')).toBe(401)
    expect(await browser.callOrThrow('getSignIn')).toEqual({ methods: ['app', 'recovery'] })
  })
})

describe('a new browser', () => {
  it('is told to the owner, and a known one is not', async () => {
    const { browser, email } = await person(server)
    await browser.signIn(email)
    await new Browser(server.url).signIn(email)
    expect(await letter(server, email, /^New sign-in/)).toContain('Another program, at 20')
    await browser.signIn(email)
    await resetToken(server, email)
    await expect(letter(server, email, /^New sign-in/)).resolves.toContain('new to it')
  })
})
