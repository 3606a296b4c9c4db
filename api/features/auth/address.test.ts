/** Confirming the address of an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, lettersTo, tokenIn } from './test/letters.ts'
import { addressToken, personWithApp } from './test/second-factor.ts'

const another = 'another password'
let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const over = { status: 403, text: "This link doesn't work any more. Ask for a new one." }
const isConfirmed = async (browser: Browser) => (await browser.callOrThrow('getUser')).emailConfirmed

describe('an address', () => {
  it('is confirmed by a mailed link: other sessions end, and this one goes on under a new id', async () => {
    const { browser, email } = await person(server)
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    const before = browser.cookie
    const token = await addressToken(server, browser, email)
    expect(await isConfirmed(browser)).toBe(false)
    expect((await browser.callOrThrow('confirmAddress', { body: { token } })).emailConfirmed).toBe(true)
    expect([await isConfirmed(browser), await elsewhere.isIn(), browser.cookie === before]).toEqual([
      true,
      false,
      false,
    ])
    const again = await browser.ask('askAddressLink')
    expect([again.status, again.text]).toEqual([409, 'Your email address is confirmed already.'])
  })
  it('is confirmed once, within a day, by the newest link', { tags: 'long' }, async () => {
    const { browser, email } = await person(server)
    const first = await addressToken(server, browser, email)
    const second = await addressToken(server, browser, email, 2)
    expect(await browser.ask('confirmAddress', { body: { token: first } })).toMatchObject(over)
    server.clock.advance(24 * 3_600_000)
    expect(await browser.ask('confirmAddress', { body: { token: second } })).toMatchObject(over)
    const third = await addressToken(server, browser, email, 3)
    expect(await browser.status('confirmAddress', { token: third })).toBe(200)
    expect(await browser.ask('confirmAddress', { body: { token: third } })).toMatchObject(over)
  })
  it('is not confirmed by its owner for a stranger who opened the account [S121]', async () => {
    const { browser: stranger, email } = await person(server)
    const token = await addressToken(server, stranger, email)
    const { browser: owner } = await person(server)
    const { status, text } = await owner.ask('confirmAddress', { body: { token } })
    expect([status, text]).toEqual([403, 'This link is for another account. Sign in with that one first.'])
    expect(await new Browser(server.url).status('confirmAddress', { token })).toBe(401)
    expect(await isConfirmed(stranger)).toBe(false)
  })
  it('is not confirmed by a link of another purpose', async () => {
    const { browser, email } = await person(server)
    expect(await browser.ask('confirmAddress', { body: { token: await resetToken(server, email) } })).toMatchObject(
      over,
    )
    const token = await addressToken(server, browser, email)
    expect(await browser.ask('resetPassword', { body: { token, password: another } })).toMatchObject(over)
  })
  it('is limited in letters: three an hour', async () => {
    const { browser, email } = await person(server)
    const found: number[] = []
    for (let time = 0; time < 4; time++) found.push(await browser.status('askAddressLink'))
    expect(found).toEqual([204, 204, 204, 429])
    await letter(server, email, /^Confirm your email address/, 3)
  })
  it('is confirmed by a new password through a mailed link', async () => {
    const { browser, email } = await person(server)
    const token = await resetToken(server, email)
    expect(await browser.status('resetPassword', { token, password: another })).toBe(204)
    await browser.signIn(email, another)
    expect(await isConfirmed(browser)).toBe(true)
  })
})

describe('a changed address', () => {
  const changed = async (asker: Browser, opener: Browser) => {
    const email = newEmail()
    expect(await asker.status('changeEmail', { email, password })).toBe(204)
    const token = tokenIn(await letter(server, email, /^Confirm your new/))
    await opener.callOrThrow('confirmEmail', { body: { token } })
    return email
  }
  it('is confirmed where the link is opened in a signed-in browser; other sessions end', async () => {
    const { browser, email } = await person(server)
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    const after = await changed(browser, browser)
    expect(await browser.callOrThrow('getUser')).toMatchObject({ email: after, emailConfirmed: true })
    expect(await elsewhere.isIn()).toBe(false)
  })
  it('is not confirmed where the link is opened elsewhere: the password is not asked for there', async () => {
    const { browser } = await person(server)
    const after = await changed(browser, new Browser(server.url))
    expect(await browser.callOrThrow('getUser')).toMatchObject({ email: after, emailConfirmed: false })
  })
  it('of a confirmed account keeps its sessions and factors', async () => {
    const { browser, email } = await personWithApp(server)
    await changed(browser, browser)
    expect((await browser.callOrThrow('getFactors')).app).not.toBeNull()
    expect(await browser.callOrThrow('getUser')).toMatchObject({ emailConfirmed: true })
    expect(await lettersTo(server, email)).not.toEqual([])
  })
})
