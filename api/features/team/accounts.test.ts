/** What an agency's people can change about each other's accounts, and an invitation about the invited one's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from '../../http/client.ts'
import { guestEmail, guestPassword, memberOf, tokenOf } from '../../testing/members.ts'
import { owner, testServer, type TestServer } from '../../testing/server.ts'
import { Authenticator } from '../auth/test/authenticator.ts'
import { addressToken, codeOf, halfSignedIn, personWithApp } from '../auth/test/second-factor.ts'
import { Browser, password, person, resetToken } from '../auth/test/helpers.ts'
import { letter, lettersTo, tokenIn } from '../auth/test/letters.ts'

let server: TestServer
let boss: ApiClient
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
  boss = await owner(server)
})
afterAll(() => server.remove())

const invite = (by: ApiClient, email: string, role = 'writer') =>
  by.callOrThrow('inviteMember', { body: { email, role, clients: 'all' } })
const accept = (by: ApiClient, token: string) => by.ask('acceptInvitation', { body: { token } })
const mailedToken = async (email: string) => tokenIn(await letter(server, email, /^Join North Star/))

/** Joins with an account that has an authenticator app. */
async function memberWithApp(by: ApiClient, role = 'writer') {
  const someone = await personWithApp(server)
  expect((await accept(someone.browser, tokenOf((await invite(by, someone.email, role)).link))).status).toBe(200)
  const { memberId } = (await someone.browser.callOrThrow('getAgency')).me
  return { ...someone, memberId }
}
const reset = async (by: ApiClient, memberId: string, body: object = { password }) => {
  const { status, text } = await by.ask('resetMemberFactors', { params: { id: memberId }, body })
  return { status, text }
}
const canOf = async (by: ApiClient, memberId: string) =>
  (await by.callOrThrow('getTeam')).members.find(({ id }) => id === memberId)?.can

describe("a member's second factors", () => {
  it(
    'are reset by an admin: the password alone signs in again, sessions end, mail and log tell [S180]',
    { tags: 'long' },
    async () => {
      const admin = await memberOf(server, boss, 'admin')
      const { browser, email, memberId, id } = await memberWithApp(boss, 'manager')
      expect(await canOf(admin.caller, memberId)).toContain('reset-factors')
      const half = await halfSignedIn(server, email)
      expect(await reset(admin.caller, memberId)).toEqual({ status: 204, text: '' })
      expect(await browser.isIn()).toBe(false)
      expect((await half.ask('getSignIn')).status).toBe(401)
      expect(await new Browser(server.url).signIn(email)).toBe(200)
      expect(await letter(server, email, /^The second factors/)).toContain('An admin of North Star removed')
      const log = (await boss.ask('exportAudit', { query: { format: 'jsonl' } })).text
      expect(log).toMatch(new RegExp(`MemberFactorsReset.*${id}|${id}.*MemberFactorsReset`))
      expect(await canOf(admin.caller, memberId)).not.toContain('reset-factors')
      expect(await reset(admin.caller, memberId)).toEqual({
        status: 409,
        text: 'This person has no second factor. Nothing was changed.',
      })
    },
  )

  it("are not reset without the admin's own password [S193]", async () => {
    const { browser, memberId } = await memberWithApp(boss)
    expect(await reset(boss, memberId, {})).toEqual({ status: 403, text: 'Enter your password to do this.' })
    expect(await reset(boss, memberId, { password: 'a guess' })).toEqual({
      status: 403,
      text: "That isn't your current password.",
    })
    expect(await browser.isIn()).toBe(true)
    expect(await canOf(boss, memberId)).toContain('reset-factors')
  })

  it('asked for many times at once are one reset', async () => {
    const { memberId } = await memberWithApp(boss)
    const asked = await Promise.all(Array.from({ length: 6 }, () => reset(boss, memberId)))
    expect(asked.filter(({ status }) => status === 204).length).toBeGreaterThan(0)
    const log = (await boss.ask('exportAudit', { query: { format: 'jsonl' } })).text.split('\n')
    const resets = log.filter((line) => line.includes('MemberFactorsReset') && line.includes(memberId))
    expect(resets).toHaveLength(1)
  })

  it('are not reset by an equal, from below, by oneself or from another agency [S180]', { tags: 'long' }, async () => {
    const { browser: admin, memberId } = await memberWithApp(boss, 'admin')
    const equal = await memberOf(server, boss, 'admin')
    const manager = await memberOf(server, boss, 'manager')
    const text = 'You can only reset the second factors of people whose role is below yours.'
    expect(await reset(equal.caller, memberId)).toEqual({ status: 403, text })
    expect(await reset(admin, memberId)).toEqual({
      status: 409,
      text: 'Your own second factors are in Settings, Security.',
    })
    expect((await reset(manager.caller, memberId)).status).toBe(403)
    expect((await reset(await owner(server), memberId)).status).toBe(404)
    expect((await admin.callOrThrow('getFactors')).app).not.toBeNull()
    expect(await canOf(equal.caller, memberId)).not.toContain('reset-factors')
  })

  it('of a person of two agencies are reset by neither [S181]', { tags: 'long' }, async () => {
    const { browser, email, memberId, secret } = await memberWithApp(boss)
    const elsewhere = await owner(server)
    await accept(browser, tokenOf((await invite(elsewhere, email, 'admin')).link))
    const { memberId: there } = (await browser.callOrThrow('getAgency')).me
    for (const [by, id] of [
      [boss, memberId],
      [elsewhere, there],
    ] as const) {
      expect(await reset(by, id)).toMatchObject({ status: 409, text: expect.stringContaining('npm run users') })
      expect(await canOf(by, id)).not.toContain('reset-factors')
    }
    expect(await browser.isIn()).toBe(true)
    const half = await halfSignedIn(server, email)
    expect((await half.ask('completeSignIn', { body: { code: codeOf(server, secret) } })).status).toBe(200)
    expect((await lettersTo(server, email)).filter(({ subject }) => /second factors/.test(subject))).toEqual([])
  })
})

describe('an invitation', () => {
  it.each([
    ['mailed', true],
    ['copied', false],
  ] as const)('by its %s link ends what was in a never confirmed account [S182]', async (kind, isConfirmed) => {
    const { browser, email } = await person(server)
    const stranger = new Browser(server.url)
    await stranger.signIn(email)
    const resetLink = await resetToken(server, email)
    const { link } = await invite(boss, email)
    const before = browser.cookie
    const token = kind === 'mailed' ? await mailedToken(email) : tokenOf(link)
    expect((await accept(browser, token)).status).toBe(200)
    expect(browser.cookie).not.toBe(before)
    expect(await stranger.isIn()).toBe(false)
    const body = { token: resetLink, password: guestPassword }
    expect((await browser.ask('resetPassword', { body })).status).toBe(403)
    expect(await browser.callOrThrow('getAgency')).toMatchObject({ name: 'North Star', me: { role: 'writer' } })
    expect((await browser.callOrThrow('getUser')).emailConfirmed).toBe(isConfirmed)
    // Repeated, it is a success.
    expect((await accept(browser, token)).status).toBe(200)
    expect(await browser.isIn()).toBe(true)
  })

  it('that an unconfirmed person accepts many times at once lets them in once, and tells the rest to sign in', async () => {
    const { browser, email } = await person(server)
    const token = tokenOf((await invite(boss, email)).link)
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(browser, token)))
    const told = await Promise.all(answers.map(async (each) => `${each.status} ${each.text}`))
    const refused = told.filter((each) => !each.startsWith('200'))
    expect(refused).toEqual(refused.map(() => '401 Please sign in.'))
    expect(refused.length).toBeLessThan(answers.length)
    const { members } = await boss.callOrThrow('getTeam')
    expect(members.filter((member) => member.email === email)).toHaveLength(1)
  })

  it('by its mailed link makes a confirmed account, by the copied one an unconfirmed one [S183]', async () => {
    const made = async (email: string, token: string) => {
      const guest = new Browser(server.url)
      await guest.callOrThrow('registerByInvitation', { body: { token, password: guestPassword } })
      expect(await guest.callOrThrow('getAgency')).toMatchObject({ name: 'North Star' })
      expect((await guest.callOrThrow('getUser')).email).toBe(email)
      return guest
    }
    const [one, two] = [guestEmail(), guestEmail()]
    const { link } = await invite(boss, one)
    await invite(boss, two)
    const copied = await made(one, tokenOf(link))
    const mailed = await made(two, await mailedToken(two))
    expect((await copied.callOrThrow('getUser')).emailConfirmed).toBe(false)
    expect((await mailed.callOrThrow('getUser')).emailConfirmed).toBe(true)
    const begin = (by: Browser) => by.status('beginTotp', { password: guestPassword })
    expect([await begin(copied), await begin(mailed)]).toEqual([403, 200])
  })

  it('leaves the sessions and factors of a confirmed account', { tags: 'long' }, async () => {
    const { browser, email } = await personWithApp(server)
    const before = browser.cookie
    await invite(boss, email)
    expect((await accept(browser, await mailedToken(email))).status).toBe(200)
    expect(browser.cookie).toBe(before)
    expect((await browser.callOrThrow('getFactors')).app).not.toBeNull()
  })

  it('over, withdrawn or for another address confirms no address', async () => {
    const { browser, email } = await person(server)
    const { id } = await invite(boss, email)
    const token = await mailedToken(email)
    const { browser: another } = await person(server)
    expect((await accept(another, token)).status).toBe(403)
    await boss.callOrThrow('withdrawInvitation', { params: { id } })
    expect((await accept(browser, token)).status).toBe(404)
    for (const each of [browser, another]) expect((await each.callOrThrow('getUser')).emailConfirmed).toBe(false)
  })
})

describe('a person who owns one agency and works in another one', () => {
  const agencyOf = async (by: ApiClient) => (await by.callOrThrow('getAgency')).id

  /** With an agency of their own, and now in that of `boss`. */
  async function inBoth<P extends { readonly browser: Browser; readonly email: string }>(someone: P) {
    const { browser, email } = someone
    const { id: own } = await browser.callOrThrow('openAgency', {
      body: { name: 'South Star', email },
    })
    await browser.callOrThrow('acceptInvitation', {
      body: { token: tokenOf((await invite(boss, email)).link) },
    })
    return { ...someone, own, shown: await agencyOf(boss) }
  }

  it('goes on there after a password change, a confirmed address and a sign-in in the same browser', async () => {
    const { browser, email, shown } = await inBoth(await person(server))
    // Accepting began a session of its own.
    expect(await agencyOf(browser)).toBe(shown)
    await browser.callOrThrow('confirmAddress', {
      body: { token: await addressToken(server, browser, email) },
    })
    expect(await agencyOf(browser)).toBe(shown)
    const newPassword = 'another password'
    await browser.callOrThrow('changePassword', {
      body: { currentPassword: password, newPassword },
    })
    expect(await agencyOf(browser)).toBe(shown)
    expect(await browser.signIn(email, newPassword)).toBe(200)
    expect(await agencyOf(browser)).toBe(shown)
  })

  it('goes on there after signing in again over its page, by password, code or passkey', { tags: 'long' }, async () => {
    const { browser, email, secret, own, shown: agencyId } = await inBoth(await personWithApp(server))
    const key = new Authenticator(server.url)
    const added = key.create(await browser.callOrThrow('beginPasskey', { body: { password } }))
    await browser.callOrThrow('addPasskey', {
      body: { name: 'Laptop', response: added } as never,
    })

    const byCode = await halfSignedIn(server, email)
    await byCode.callOrThrow('completeSignIn', {
      body: { code: codeOf(server, secret), agencyId },
    })
    expect(await agencyOf(byCode)).toBe(agencyId)
    const byKey = new Browser(server.url)
    const response = key.get(await byKey.callOrThrow('askPasskey', { body: { step: 'first' } }))
    await byKey.callOrThrow('usePasskey', {
      body: { response, agencyId } as never,
    })
    expect(await agencyOf(byKey)).toBe(agencyId)

    const another = await inBoth(await person(server))
    const byPassword = new Browser(server.url)
    await byPassword.callOrThrow('login', {
      body: { email: another.email, password, agencyId },
    })
    expect(await agencyOf(byPassword)).toBe(agencyId)
    await byPassword.callOrThrow('leaveTeam')
    for (const notTheirs of [agencyId, own]) {
      const elsewhere = new Browser(server.url)
      await elsewhere.callOrThrow('login', {
        body: { email: another.email, password, agencyId: notTheirs },
      })
      expect(await agencyOf(elsewhere)).toBe(another.own)
    }
  })

  it('was last seen when a session of that agency was last used, and not when one of their own was', async () => {
    const { browser, email, shown } = await inBoth(await person(server))
    const lastSeen = async () =>
      (await boss.callOrThrow('getTeam')).members.find((member) => member.email === email)?.lastSeenAt ?? null
    server.clock.advance(10 * 24 * 3_600_000)
    const before = server.clock.now()
    expect(await agencyOf(browser)).toBe(shown)
    expect(((await lastSeen()) ?? '') >= before).toBe(true)
    await browser.ask('logout')
    const elsewhere = new Browser(server.url)
    await elsewhere.signIn(email)
    expect([(await agencyOf(elsewhere)) === shown, await lastSeen()]).toEqual([false, null])
  })
})

it(
  'A token that is no invitation is tried thirty times by an address; invitations are not counted [S192]',
  { tags: 'long' },
  async () => {
    const token = tokenOf((await invite(await owner(server), guestEmail())).link)
    const office = new Browser(server.url)
    const look = (each: string) => office.status('lookAtInvitation', { token: each })
    for (let n = 0; n < 40; n++) expect(await look(token)).toBe(200)
    const guesses = []
    for (let n = 0; n < 31; n++) guesses.push(await look(String(n).padStart(43, 'a')))
    expect(guesses).toEqual([...Array.from({ length: 30 }, () => 404), 429])
  },
)
