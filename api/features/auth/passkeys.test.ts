/** Passkeys: adding them, signing in with them, and the attacks on that. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../testing/server.ts'
import { PasskeyParty } from './passkey-party.ts'
import { Authenticator, type Lies } from './test/authenticator.ts'
import { Browser, password, person } from './test/helpers.ts'
import { letter } from './test/letters.ts'
import { codeOf, confirmedPerson, halfSignedIn } from './test/second-factor.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ TRUST_PROXY: 'true' })
})
afterAll(() => server.remove())

const notAdded = { status: 403, text: "That passkey couldn't be added. Nothing was changed; please begin again." }
const notHere = { status: 401, text: "That passkey didn't work here. Try again, or sign in with your password." }
const tooLate = { status: 401, text: 'This sign-in took too long. Enter your email and password again.' }
const brief = ({ status, text }: { status: number; text: string }) => ({ status, text })

const begin = (browser: Browser) => browser.callOrThrow('beginPasskey', { body: { password } })
const send = (browser: Browser, response: unknown, name = 'Laptop') =>
  browser.ask('addPasskey', { body: { name, response } })
const ask = (browser: Browser, step: 'first' | 'second' = 'first') =>
  browser.callOrThrow('askPasskey', { body: { step } })
const use = (browser: Browser, response: unknown) => browser.ask('usePasskey', { body: { response } })

async function withPasskey() {
  const someone = await confirmedPerson(server)
  const key = new Authenticator(server.url)
  expect((await send(someone.browser, key.create(await begin(someone.browser)))).status).toBe(201)
  return { ...someone, key }
}
const passkeysOf = async (browser: Browser) => (await browser.callOrThrow('getFactors')).passkeys

describe('a passkey', () => {
  it('is added with the first recovery codes, and its owner is told', { tags: 'long' }, async () => {
    const { browser, email } = await confirmedPerson(server)
    const key = new Authenticator(server.url)
    const { status, text } = await send(browser, key.create(await begin(browser)))
    expect([status, JSON.parse(text)]).toMatchObject([201, { passkey: { name: 'Laptop', usedAt: null } }])
    expect(JSON.parse(text).recoveryCodes).toHaveLength(10)
    await letter(server, email, /^A passkey was added/)
    const another = new Authenticator(server.url)
    const second = await send(browser, another.create(await begin(browser)), 'Phone')
    expect(JSON.parse(second.text).recoveryCodes).toEqual([])
    expect((await passkeysOf(browser)).map(({ name }) => name)).toEqual(['Laptop', 'Phone'])
  })
  it(
    'added at the same moment as an app leaves the one set of recovery codes that was shown [S196]',
    { tags: 'long' },
    async () => {
      const { browser, email } = await confirmedPerson(server)
      const { secret } = await browser.callOrThrow('beginTotp', { body: { password } })
      const response = new Authenticator(server.url).create(await begin(browser))
      const [app, passkey] = await Promise.all([
        browser.ask('confirmTotp', { body: { code: codeOf(server, secret) } }),
        send(browser, response),
      ])
      expect([app.status, passkey.status]).toEqual([200, 201])
      const shown = [app, passkey].map(({ text }) => (JSON.parse(text) as { recoveryCodes: string[] }).recoveryCodes)
      expect(shown.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 10])
      const half = await halfSignedIn(server, email)
      expect(await half.status('completeSignIn', { code: shown.flat()[0] })).toBe(200)
    },
  )
  it('signs in alone where it verified the user, and is then the last used', async () => {
    const { email, key, browser: owner } = await withPasskey()
    const browser = new Browser(server.url)
    const { status, text } = await use(browser, key.get(await ask(browser)))
    expect([status, JSON.parse(text).email, await browser.isIn()]).toEqual([200, email, true])
    expect((await passkeysOf(owner))[0]?.usedAt).not.toBeNull()
  })
  it('does not sign in alone without verifying the user; after the password it does [S130]', async () => {
    const { email, key } = await withPasskey()
    const alone = new Browser(server.url)
    expect(brief(await use(alone, key.get(await ask(alone), { verifiesUser: false })))).toEqual(notHere)
    const half = await halfSignedIn(server, email)
    expect(await half.callOrThrow('getSignIn')).toEqual({ methods: ['passkey', 'recovery'] })
    expect((await use(half, key.get(await ask(half, 'second'), { verifiesUser: false }))).status).toBe(200)
    expect(await half.isIn()).toBe(true)
  })
  it("of another account does not complete a sign-in, nor does it sign in as that account's user", async () => {
    const { email } = await withPasskey()
    const { key: other } = await withPasskey()
    const half = await halfSignedIn(server, email)
    expect(brief(await use(half, other.get(await ask(half, 'second'))))).toEqual(notHere)
    expect(await half.isIn()).toBe(false)
  })
  it('is renamed, and removed with the password; then it no longer signs in', async () => {
    const { browser, email, key } = await withPasskey()
    const [{ id } = { id: '' }] = await passkeysOf(browser)
    await browser.callOrThrow('renamePasskey', { params: { id }, body: { name: 'Old laptop' } })
    expect((await passkeysOf(browser))[0]?.name).toBe('Old laptop')
    expect((await browser.ask('removePasskey', { params: { id }, body: { password: 'a guess' } })).status).toBe(403)
    expect((await browser.ask('removePasskey', { params: { id }, body: { password } })).status).toBe(204)
    expect((await browser.ask('removePasskey', { params: { id }, body: { password } })).status).toBe(404)
    expect(await browser.callOrThrow('getFactors')).toMatchObject({ passkeys: [], recoveryCodes: 0 })
    await letter(server, email, /^A passkey was removed/)
    const thief = new Browser(server.url)
    expect(brief(await use(thief, key.get(await ask(thief))))).toEqual(notHere)
    expect(await new Browser(server.url).signIn(email)).toBe(200)
  })
  it('is added only to a confirmed address, and with the password', async () => {
    const { browser } = await person(server)
    expect(await browser.status('beginPasskey', { password })).toBe(403)
    const { browser: confirmed } = await confirmedPerson(server)
    expect(await confirmed.status('beginPasskey', { password: 'a guess' })).toBe(403)
  })
  it('is one of at most twenty', { tags: 'long' }, async () => {
    const { browser } = await confirmedPerson(server)
    for (let count = 0; count < 20; count++) {
      const key = new Authenticator(server.url)
      expect((await send(browser, key.create(await begin(browser)))).status).toBe(201)
      if (count % 9 === 8) server.clock.advance(16 * 60_000)
    }
    const { status, text } = await browser.ask('beginPasskey', { body: { password } })
    expect([status, text]).toEqual([409, 'You have 20 passkeys already. Remove one to add another.'])
  })
})

describe('an answer', () => {
  const lies: readonly (readonly [string, Lies])[] = [
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another party', { party: 'evil.example' }],
    ['to another challenge', { challenge: Buffer.from('another').toString('base64url') }],
    ['of another kind', { type: 'webauthn.other' }],
  ]
  it.each([...lies, ['with a forged signature', { signature: 'forged' }]] as typeof lies)(
    '%s does not sign in [S131]',
    async (_, lie) => {
      const { key, browser: owner } = await withPasskey()
      const browser = new Browser(server.url)
      expect(brief(await use(browser, key.get(await ask(browser), lie)))).toEqual(notHere)
      expect([await browser.isIn(), (await passkeysOf(owner))[0]?.usedAt]).toEqual([false, null])
    },
  )
  it.each([...lies, ['with certificates', { attestation: 'packed' }]] as typeof lies)(
    '%s adds no passkey',
    async (_, lie) => {
      const { browser } = await confirmedPerson(server)
      const answer = new Authenticator(server.url).create(await begin(browser), lie)
      expect(brief(await send(browser, answer))).toEqual(notAdded)
      expect(await passkeysOf(browser)).toEqual([])
    },
  )
  it('signs in once: replayed, in this or another browser, it does not [S132]', async () => {
    const { key } = await withPasskey()
    const browser = new Browser(server.url)
    const answer = key.get(await ask(browser))
    const pending = browser.pending
    expect((await use(browser, answer)).status).toBe(200)
    expect(brief(await use(browser, answer))).toEqual(tooLate)
    browser.pending = pending
    expect(brief(await use(browser, answer))).toEqual(tooLate)
    const thief = new Browser(server.url)
    await ask(thief)
    expect(brief(await use(thief, answer))).toEqual(notHere)
  })
  it('to a challenge that was answered wrongly is refused: each challenge is tried once', async () => {
    const { email, key } = await withPasskey()
    const half = await halfSignedIn(server, email)
    const options = await ask(half, 'second')
    expect(brief(await use(half, key.get(options, { signature: 'forged' })))).toEqual(notHere)
    expect(brief(await use(half, key.get(options)))).toEqual(notHere)
    expect((await use(half, key.get(await ask(half, 'second')))).status).toBe(200)
  })
  it('after five minutes is refused', async () => {
    const { key, browser: owner } = await withPasskey()
    const browser = new Browser(server.url)
    const options = await ask(browser)
    const creation = await begin(owner)
    server.clock.advance(5 * 60_000)
    expect(brief(await use(browser, key.get(options)))).toEqual(tooLate)
    expect(brief(await send(owner, new Authenticator(server.url).create(creation)))).toEqual(notAdded)
  })
  it('of a copied authenticator, whose count is behind, is refused [S133]', async () => {
    const { key } = await withPasskey()
    const browser = new Browser(server.url)
    expect((await use(browser, key.get(await ask(browser), { counter: 7 }))).status).toBe(200)
    const thief = new Browser(server.url)
    expect(brief(await use(thief, key.get(await ask(thief), { counter: 7 })))).toEqual(notHere)
    expect((await use(thief, key.get(await ask(thief), { counter: 8 }))).status).toBe(200)
  })
  it.each([
    ['no passkey at all', { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }, 400],
    [
      'nonsense',
      {
        id: 'AAAA',
        rawId: 'BBBB',
        type: 'public-key',
        response: { clientDataJSON: '\u00e4', authenticatorData: '', signature: '', userHandle: '%' },
      },
      401,
    ],
  ])('with %s is refused in a sentence', async (_, response, expected) => {
    const browser = new Browser(server.url)
    await ask(browser)
    const { status, text } = await use(browser, response)
    expect([status, /^[A-Z]/.test(text)]).toEqual([expected, true])
  })
  it('without a question before it is refused', async () => {
    const { key } = await withPasskey()
    const browser = new Browser(server.url)
    expect(brief(await use(browser, key.get({ challenge: 'AAAA' })))).toEqual(tooLate)
  })
})

describe('a server', () => {
  it.each([
    ['http://127.0.0.1:3000', 'ip-address'],
    ['https://[2001:db8::1]', 'ip-address'],
    ['http://social.example', 'not-https'],
    ['https://social.example', null],
    ['http://localhost:3000', null],
  ])('at %s has no passkeys because of %s', (publicUrl, reason) => {
    expect(new PasskeyParty(publicUrl).unavailable).toBe(reason)
  })
})
