/**
 * Changing an account's email address: the new address confirms it, the old address is notified.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, lettersTo, tokenIn } from './test/letters.ts'
import { personWithApp } from './test/second-factor.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const over = { status: 403, text: "This link doesn't work any more. Ask for a new one." }
const confirm = (token: string) => new Browser(server.url).ask('confirmEmail', { body: { token } })

async function asked(browser: Browser, email: string): Promise<string> {
  expect(await browser.status('changeEmail', { email, password })).toBe(204)
  return tokenIn(await letter(server, email, /^Confirm/))
}

describe('a new email address', () => {
  it('takes effect when its link is opened; sessions stay, and the old address is notified', async () => {
    const { browser, email: before } = await person(server)
    const after = newEmail()
    expect(await browser.status('changeEmail', { email: ` ${after.toUpperCase()}`, password })).toBe(204)
    const text = await letter(server, after, /^Confirm/)
    expect(text).toContain(`${server.url}/confirm-email#${tokenIn(text)}\n`)
    expect((await browser.callOrThrow('getUser')).email).toBe(before)

    expect(JSON.parse((await confirm(tokenIn(text))).text)).toEqual({ email: after })
    expect((await browser.callOrThrow('getUser')).email).toBe(after)
    expect([await new Browser(server.url).signIn(before), await new Browser(server.url).signIn(after)]).toEqual([
      401, 200,
    ])
    expect(await letter(server, before, /new email address/)).not.toContain(after)
  })
  it('needs the password: a person at an unlocked screen is refused [S78]', async () => {
    const { browser } = await person(server)
    const email = newEmail()
    expect(await browser.ask('changeEmail', { body: { email, password: 'a guess' } })).toMatchObject({
      status: 403,
      text: "That isn't your current password.",
    })
    await resetToken(server, (await person(server)).email)
    expect(await lettersTo(server, email)).toEqual([])
  })
  it('does not reveal whether the address has an account; its owner is notified', async () => {
    const [{ browser }, { email: taken }] = [await person(server), await person(server)]
    const free = newEmail()
    const answers = await Promise.all(
      [taken, free].map((email) => browser.ask('changeEmail', { body: { email, password } })),
    )
    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
      Array.from({ length: 2 }, () => ({ status: 204, text: '' })),
    )
    expect(tokenIn(await letter(server, taken, /has a SocialAI account/))).toBe('no token')
  })
  it.each([
    ['has an account', async () => (await person(server)).email, /has a SocialAI account/],
    ['has none', async () => newEmail(), /^Confirm/],
  ])('floods no mailbox where the address %s: after many requests, few letters are sent', async (_, emailOf, about) => {
    const email = await emailOf()
    for (let time = 0; time < 5; time++)
      expect(await (await person(server)).browser.status('changeEmail', { email, password })).toBe(204)
    await letter(server, email, about, 3)
    // The outbox works in order: once this last letter is there, all earlier requests are done.
    await resetToken(server, (await person(server)).email)
    expect(await lettersTo(server, email)).toHaveLength(3)
  })
  it('is refused when another account took the address meanwhile', async () => {
    const { browser, email: before } = await person(server)
    const wanted = newEmail()
    const token = await asked(browser, wanted)
    await new Browser(server.url).callOrThrow('register', { body: { email: wanted, password } })
    expect(await confirm(token)).toMatchObject({ status: 409 })
    expect((await browser.callOrThrow('getUser')).email).toBe(before)
  })
  it('goes to one of two accounts that ask for it', async () => {
    const wanted = newEmail()
    const people = [await person(server), await person(server)]
    const tokens: string[] = []
    for (const [index, { browser }] of people.entries()) {
      expect(await browser.status('changeEmail', { email: wanted, password })).toBe(204)
      tokens.push(tokenIn(await letter(server, wanted, /^Confirm/, index + 1)))
    }
    expect((await Promise.all(tokens.map(confirm))).map(({ status }) => status).sort()).toEqual([200, 409])
  })
  it('is confirmed once, within a day, by the newest link', async () => {
    const { browser } = await person(server)
    const first = await asked(browser, newEmail())
    const second = await asked(browser, newEmail())
    expect(await confirm(first)).toMatchObject(over)
    expect((await Promise.all([confirm(second), confirm(second)])).map(({ status }) => status).sort()).toEqual([
      200, 403,
    ])
    const late = await asked(browser, newEmail())
    server.clock.advance(24 * 3_600_000)
    expect(await confirm(late)).toMatchObject(over)
  })
  it('is not confirmed by a link of another purpose', async () => {
    const { browser, email } = await person(server)
    expect(await confirm(await resetToken(server, email))).toMatchObject(over)
    const token = await asked(browser, newEmail())
    expect(await browser.ask('resetPassword', { body: { token, password: 'another password' } })).toMatchObject(over)
  })
  it('is cancelled by a password change, so that a password thief cannot keep the account', async () => {
    const { browser, email } = await person(server)
    const token = await asked(browser, newEmail())
    const reset = await resetToken(server, email)
    expect(await browser.status('resetPassword', { token: reset, password: 'another password' })).toBe(204)
    expect(await confirm(token)).toMatchObject(over)
  })
  it("opened by its owner leaves a stranger's account unconfirmed: a reset removes what the stranger added [S169]", async () => {
    const stranger = await personWithApp(server)
    const email = newEmail()
    expect((await confirm(await asked(stranger.browser, email))).status).toBe(200)
    expect(await stranger.browser.callOrThrow('getUser')).toMatchObject({ email, emailConfirmed: false })
    const reset = { token: await resetToken(server, email), password: 'another password' }
    const owner = new Browser(server.url)
    expect(await owner.status('resetPassword', reset)).toBe(204)
    expect([await owner.signIn(email, reset.password), await stranger.browser.isIn()]).toEqual([200, false])
    expect(await owner.callOrThrow('getFactors')).toMatchObject({ app: null, passkeys: [] })
  })
  it('opened in a browser that is signed in keeps a confirmed account confirmed, and its factors', async () => {
    const { browser } = await personWithApp(server)
    const email = newEmail()
    const token = await asked(browser, email)
    expect((await browser.ask('confirmEmail', { body: { token } })).status).toBe(200)
    expect(await browser.callOrThrow('getUser')).toMatchObject({ email, emailConfirmed: true })
    expect((await browser.callOrThrow('getFactors')).app).not.toBeNull()
  })
  it('revokes links that went to the old one', async () => {
    const { browser, email } = await person(server)
    const reset = await resetToken(server, email)
    expect((await confirm(await asked(browser, newEmail()))).status).toBe(200)
    expect(await browser.ask('resetPassword', { body: { token: reset, password: 'another password' } })).toMatchObject(
      over,
    )
  })
  it('is limited in requests, so that the server cannot be used to spam', async () => {
    const { browser } = await person(server)
    const found: number[] = []
    for (let time = 0; time < 6; time++)
      found.push(await browser.status('changeEmail', { email: newEmail(), password }))
    expect(found).toEqual([204, 204, 204, 204, 204, 429])
  })
})
