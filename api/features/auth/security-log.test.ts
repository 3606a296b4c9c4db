/** The security log: one line per act on an account, without secrets, bounded during a flood. */
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { throughServer } from '../../operations/admin/client.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { Browser, newEmail, password, person, resetToken } from './test/helpers.ts'
import { letter, tokenIn } from './test/letters.ts'

const another = 'another password'
const lines: string[] = []
const log = pino({ level: 'warn' }, { write: (text: string) => void lines.push(text) })

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' }, { log })
})
afterAll(() => server.remove())
beforeEach(() => void lines.splice(0))

interface Line {
  readonly security: string
  readonly outcome: string
  readonly [name: string]: unknown
}
const securityLines = (): Line[] =>
  lines.map((line): Line => JSON.parse(line)).filter(({ security }) => security !== undefined)
const of = (security: string) => securityLines().filter((line) => line.security === security)
const bare = ({ time: _, pid: __, hostname: ___, level: ____, correlationId, ...line }: Line) => ({
  ...line,
  hasId: typeof correlationId === 'string',
})

describe('an act on an account', () => {
  it('that succeeds has one line with the act, the user and the address', async () => {
    const { browser, id, email } = await person(server)
    const stranger = new Browser(server.url)
    await stranger.signIn(email)
    await stranger.ask('logout')
    const source = (who: Browser) => ({ source: who.address, outcome: 'done', userId: id, hasId: true })
    expect(securityLines().map(bare)).toEqual([
      { security: 'register', msg: 'register done', ...source(browser) },
      { security: 'sign-in', msg: 'sign-in done', ...source(stranger) },
      { security: 'sign-out', msg: 'sign-out done', ...source(stranger) },
    ])
  })

  it('with a wrong password has one line, with the user of a known account or a keyed hash of an unknown email', async () => {
    const { email, id } = await person(server)
    const unknown = newEmail()
    const browser = new Browser(server.url)
    await browser.signIn(email, 'a guess')
    await browser.signIn(unknown, 'a guess')
    await browser.signIn(unknown, 'a guess')
    const [known, first, second, ...others] = of('sign-in')
    expect(others).toEqual([])
    expect(known).toMatchObject({
      outcome: 'refused',
      reason: 'wrong-credentials',
      userId: id,
      source: browser.address,
      level: 40,
    })
    expect(first).toMatchObject({ outcome: 'refused', account: expect.stringMatching(/^[0-9a-f]{16}$/) })
    expect(first).not.toHaveProperty('userId')
    expect(second?.['account']).toBe(first?.['account'])
  })

  it('that changes the account permanently has one line each, even when refused [S16]', async () => {
    const { browser, email, id } = await person(server)
    const next = newEmail()
    const token = await resetToken(server, email)
    await browser.status('changePassword', { currentPassword: 'a guess', newPassword: another })
    await browser.status('changePassword', { currentPassword: password, newPassword: another })
    await browser.status('resetPassword', { token, password: another })
    await browser.status('changeEmail', { email: next, password: another })
    await browser.status('confirmEmail', { token: tokenIn(await letter(server, next, /^Confirm/)) })
    await browser.status('resetPassword', { token: await resetToken(server, next), password })
    await browser.signIn(next)
    await browser.ask('signOutEverywhere')
    const acts = securityLines().filter(({ security }) => !/^(register|sign-in|ask-)/.test(security))
    expect(acts.map(({ security, outcome, reason, userId }) => [security, outcome, reason, userId])).toEqual([
      ['change-password', 'refused', 'wrong-password', id],
      ['change-password', 'done', undefined, id],
      ['reset-password', 'refused', 'link-over', undefined],
      ['confirm-email', 'done', undefined, id],
      ['reset-password', 'done', undefined, id],
      ['sign-out-everywhere', 'done', undefined, id],
    ])
  })

  it('by an operator has one line: the erasure of a user', async () => {
    const { id } = await person(server)
    const printed: string[] = []
    const screen = { write: (text: string) => printed.push(text) }
    const code = await throughServer(server.dataDir, 'audit', ['erase-user', id], { screen, errors: screen })
    expect([code, printed.join('')]).toEqual([0, expect.stringMatching(/^Erased the name/)])
    expect(of('erase-account').map(bare)).toEqual([
      {
        security: 'erase-account',
        outcome: 'done',
        msg: 'erase-account done',
        userId: id,
        source: 'operator',
        hasId: false,
      },
    ])
  })

  it('logs no secret: no password, cookie, link or email address', async () => {
    const { browser, email } = await person(server)
    const token = await resetToken(server, email)
    await browser.status('changePassword', { currentPassword: 'a guess of mine', newPassword: 'the one after it' })
    await browser.status('resetPassword', { token, password: 'the one after it' })
    await new Browser(server.url).signIn('unknown.person@example.org', 'a guess of mine')
    const text = lines.join('')
    expect(securityLines().length).toBeGreaterThan(4)
    for (const secret of [
      email,
      'unknown.person',
      password,
      'a guess of mine',
      'the one after it',
      token,
      browser.cookie.slice(20, 60),
    ])
      expect(text).not.toContain(secret)
  })
})

describe('a flood', () => {
  it(
    'of guesses and refused attempts writes ten lines a minute per source; the rest is counted [S17]',
    { tags: 'long' },
    async () => {
      const flooding = await testServer({ TRUST_PROXY: 'true' }, { log })
      const { email } = await person(flooding)
      const browser = new Browser(flooding.url)
      const statuses = new Map<number, number>()
      for (let round = 0; round < 20; round++) {
        const answers = await Promise.all(Array.from({ length: 4 }, () => browser.signIn(email, 'a guess')))
        for (const status of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
      expect(statuses.get(429)).toBe(70)
      const change = await browser.status('register', { email: newEmail(), password })
      await flooding.remove()
      expect(of('sign-in')).toHaveLength(10)
      expect(of('suppressed')).toMatchObject([
        { kind: 'refused', lines: 70, sources: 1, most: [{ source: browser.address, lines: 70 }] },
      ])
      // Other acts of the same source are still logged.
      expect([change, of('register').filter(({ source }) => source === browser.address).length]).toEqual([201, 1])
    },
  )

  it('writes nothing when the log level is silent', async () => {
    const silent = pino({ level: 'silent' }, { write: (text: string) => void lines.push(text) })
    const quiet = await testServer({ TRUST_PROXY: 'true' }, { log: silent })
    await new Browser(quiet.url).signIn(newEmail(), 'a guess')
    await quiet.remove()
    expect(lines).toEqual([])
  })
})
