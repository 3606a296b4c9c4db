/** The answers and mails when the records fail in the middle of an account change. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { MailedLinks } from './mailed-links.ts'
import { Sessions } from './sessions.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, tokenIn } from './test/letters.ts'
import { Users } from './users.ts'

const another = 'another password'
const away = () => new StoreUnavailable('away')
let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())
afterEach(() => void vi.restoreAllMocks())

const change = (browser: Browser) =>
  browser.ask('changePassword', { body: { currentPassword: password, newPassword: another } })
const worksWith = async (email: string, each: string) => (await new Browser(server.url).signIn(email, each)) === 200

/** The records make the change, then fail to answer. */
function doneUnsaid(name: 'setPassword' | 'setEmail' | 'endTrust') {
  const real: (...asked: never[]) => Promise<unknown> = Users.prototype[name]
  vi.spyOn(Users.prototype, name).mockImplementationOnce(async function (this: Users, ...asked: unknown[]) {
    await real.apply(this, asked as never[])
    throw away()
  })
}

describe('a password change', () => {
  it('revokes other sessions even when their records could not be deleted, and notifies the owner [S80]', async () => {
    const { browser, email } = await person(server)
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    vi.spyOn(Sessions.prototype, 'endAllOf').mockRejectedValueOnce(away())
    expect((await change(browser)).status).toBe(200)
    expect([await browser.isIn(), await elsewhere.isIn()]).toEqual([true, false])
    await letter(server, email, /password was changed/)
  })
  it('is reported as unknown when the records stop answering; if it took effect, the owner is notified and old sessions end', async () => {
    const { browser, email } = await person(server)
    doneUnsaid('setPassword')
    const { status, text } = await change(browser)
    expect({ status, text }).toMatchObject({
      status: 503,
      text: expect.stringMatching(/^The data store stopped answering while your new password was being saved\./),
    })
    expect([await browser.isIn(), await worksWith(email, another)]).toEqual([false, true])
    await letter(server, email, /password was changed/)
  })
  it('by a link is reported as unknown too', async () => {
    const { browser, email } = await person(server)
    const body = { token: await resetToken(server, email), password: another }
    doneUnsaid('setPassword')
    expect(await new Browser(server.url).ask('resetPassword', { body })).toMatchObject({
      status: 503,
      text: expect.stringContaining('if that does not work, open the link again'),
    })
    expect([await browser.isIn(), await worksWith(email, another)]).toEqual([false, true])
    await letter(server, email, /password was changed/)
  })
  it('is reported as done even when no new session could start', async () => {
    const { browser, email } = await person(server)
    vi.spyOn(Sessions.prototype, 'start').mockRejectedValueOnce(away())
    const { status, text } = await change(browser)
    expect({ status, text }).toEqual({
      status: 503,
      text: 'Your password was changed, but you are signed out here as well. Sign in with the new one in a moment.',
    })
    expect(await worksWith(email, another)).toBe(true)
    await letter(server, email, /password was changed/)
  })
})

describe('a password that was changed twice at once', () => {
  it('is reported to the first caller as changed, and changed again since', async () => {
    const { browser } = await person(server)
    const { setPassword } = Users.prototype
    vi.spyOn(Users.prototype, 'setPassword').mockImplementationOnce(async function (this: Users, known, ...how) {
      const changed = await setPassword.call(this, known, ...how)
      await this.endTrust(known.id)
      return changed
    })
    const { status, text } = await change(browser)
    expect({ status, text }).toEqual({
      status: 409,
      text: expect.stringMatching(/^Your password was changed, but then it was changed again elsewhere/),
    })
  })
})

describe('a mailed link', () => {
  it('works again after setting the password by it failed', async () => {
    const { email } = await person(server)
    const browser = new Browser(server.url)
    const body = { token: await resetToken(server, email), password: another }
    vi.spyOn(Users.prototype, 'setPassword').mockRejectedValueOnce(away())
    expect(await browser.status('resetPassword', body)).toBe(503)
    expect(await browser.status('resetPassword', body)).toBe(204)
    expect(await worksWith(email, another)).toBe(true)
  })
  it('changes the address even when old links could not be deleted: both addresses are notified, and the old links fail', async () => {
    const { browser, email: before } = await person(server)
    const after = newEmail()
    const reset = await resetToken(server, before)
    expect(await browser.status('changeEmail', { email: after, password })).toBe(204)
    const token = tokenIn(await letter(server, after, /^Confirm/))
    vi.spyOn(MailedLinks.prototype, 'endAllOf').mockRejectedValueOnce(away())
    expect((await browser.callOrThrow('confirmEmail', { body: { token } })).email).toBe(after)
    await letter(server, before, /new email address/)
    expect(await browser.status('resetPassword', { token: reset, password: another })).toBe(403)
    expect(await browser.status('confirmEmail', { token })).toBe(403)
  })
})

describe('an address change with an unknown outcome', () => {
  it('is reported as such, and the old address is notified if it took effect', async () => {
    const { browser, email: before } = await person(server)
    const after = newEmail()
    expect(await browser.status('changeEmail', { email: after, password })).toBe(204)
    const token = tokenIn(await letter(server, after, /^Confirm/))
    doneUnsaid('setEmail')
    expect(await browser.ask('confirmEmail', { body: { token } })).toMatchObject({
      status: 503,
      text: expect.stringMatching(/while your new address was being saved/),
    })
    expect(await worksWith(after, password)).toBe(true)
    await letter(server, before, /new email address/)
  })
})

describe('signing out', () => {
  it('clears the cookie even when the end of the session could not be stored', async () => {
    const { browser } = await person(server)
    vi.spyOn(Sessions.prototype, 'end').mockRejectedValueOnce(away())
    const { status, headers } = await browser.ask('logout')
    expect({ status, cookie: headers.get('set-cookie') }).toMatchObject({
      status: 302,
      cookie: expect.stringMatching(/^socialai=; .*Max-Age=0/),
    })
    expect(await browser.isIn()).toBe(false)
  })
})

describe('signing out everywhere', () => {
  it('ends every session, including those whose records could not be deleted', async () => {
    const { browser, email } = await person(server)
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    vi.spyOn(Sessions.prototype, 'endAllOf').mockRejectedValueOnce(away())
    expect(await browser.status('signOutEverywhere')).toBe(204)
    expect(await elsewhere.isIn()).toBe(false)
  })
  it('is reported as unknown when the records stop answering', async () => {
    const { browser } = await person(server)
    doneUnsaid('endTrust')
    expect(await browser.ask('signOutEverywhere')).toMatchObject({
      status: 503,
      text: expect.stringContaining('if you are still signed in, choose it again'),
    })
    expect(await browser.isIn()).toBe(false)
  })
})
