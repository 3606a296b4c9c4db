/** Single sign-on, with a provider whose answers are right or wrong. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { Browser, newEmail, password, person } from '../test/helpers.ts'
import { letter, lettersTo } from '../test/letters.ts'
import { confirmedPerson, personWithApp, codeOf } from '../test/second-factor.ts'
import { boundedFetch, maxProviderBytes, ProviderUnavailable } from './bounded-fetch.ts'
import { LyingProvider } from './test/lying-provider.ts'
import { locationOf, settings } from './test/settings.ts'

describe('an answer of the provider', () => {
  const provider = new LyingProvider()
  let server: TestServer
  beforeAll(async () => {
    await provider.start()
    server = await testServer(settings(provider.issuer))
  })
  beforeEach(() => {
    provider.lies = {}
    provider.person = { sub: newEmail(), email: newEmail(), email_verified: true }
  })
  afterAll(async () => {
    await server.remove()
    await provider.stop()
  })

  const begin = async (browser: Browser) => provider.signIn(locationOf(await browser.ask('signInWithOidc')))
  const callBack = async (browser: Browser, query: Record<string, string>) =>
    locationOf(await browser.ask('oidcCallback', { query }))
  const signIn = async (browser = new Browser(server.url)) => callBack(browser, await begin(browser))
  const link = async (browser: Browser) => {
    const { url } = await browser.callOrThrow('linkOidc', { body: { password } })
    return callBack(browser, provider.signIn(url))
  }

  it.each([
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['for another client', { claims: { aud: 'another' } }],
    ['to another request', { claims: { nonce: 'another' } }],
    ['that is over', { claims: { exp: 1_000_000 } }],
    ['with a forged signature', { isForged: true }],
    ['that refuses the code', { status: 400 }],
  ])('%s changes nothing [S160]', async (_, lies) => {
    provider.lies = lies
    const browser = new Browser(server.url)
    expect(await signIn(browser)).toBe('/#sign-in:refused')
    expect(await browser.isIn()).toBe(false)
    expect(await new Browser(server.url).signIn(String(provider.person['email']))).toBe(401)
  })

  it('works once, for five minutes, with the right state and in the browser that asked [S161]', async () => {
    const browser = new Browser(server.url)
    const query = await begin(browser)
    const asked = provider.tokenRequests
    const stranger = new Browser(server.url)
    expect(await callBack(stranger, query)).toBe('/#sign-in:refused')
    expect(await callBack(browser, { ...query, state: 'A'.repeat(43) })).toBe('/#sign-in:refused')
    expect(provider.tokenRequests).toBe(asked)
    expect(await callBack(browser, query)).toBe('/')
    expect(await callBack(browser, query)).toMatch(/:refused$/)
    expect(provider.tokenRequests).toBe(asked + 1)
    const late = await begin(stranger)
    server.clock.advance(5 * 60_000)
    expect(await callBack(stranger, late)).toBe('/#sign-in:refused')
  })

  it('of each of two tabs ends where that one began; the browser has one cookie for both', async () => {
    const browser = new Browser(server.url)
    const first = await begin(browser)
    const cookie = browser.visit
    const asked = await browser.ask('signInWithOidc', { query: { from: 'invitation' } })
    const second = provider.signIn(locationOf(asked))
    expect(browser.visit).toBe(cookie)
    expect(await callBack(browser, first)).toBe('/')
    expect(await callBack(browser, second)).toBe('/invitation')
  })

  it('leads back to an invitation, and to no other address [S191]', { tags: 'long' }, async () => {
    const browser = new Browser(server.url)
    const from = (page: string) => browser.ask('signInWithOidc', { query: { from: page } })
    for (const odd of ['/invitation', '//evil.example', 'https://evil.example', '', 'constructor'])
      expect((await from(odd)).status).toBe(400)
    const { state = '' } = provider.signIn(locationOf(await from('invitation')))
    expect(await callBack(browser, { state, error: 'access_denied' })).toBe('/invitation#sign-in:canceled')
    const { browser: person, secret } = await personWithApp(server)
    await link(person)
    const again = provider.signIn(locationOf(await from('invitation')))
    expect(await callBack(browser, again)).toBe('/invitation#sign-in:second-step')
    await browser.callOrThrow('completeSignIn', { body: { code: codeOf(server, secret) } })
  })

  it('with a doubled or overlong parameter is refused by the same redirect [S160]', async () => {
    const browser = new Browser(server.url)
    const asked = provider.tokenRequests
    const odd = async (change: (query: URLSearchParams) => void) => {
      const query = new URLSearchParams(await begin(browser))
      change(query)
      return locationOf(await browser.fetch('GET', `/api/auth/oidc/callback?${query}`))
    }
    for (const name of ['state', 'code', 'iss', 'error']) {
      const doubled = (query: URLSearchParams) => [0, 1].forEach(() => query.append(name, query.get(name) ?? 'a'))
      expect(await odd(doubled)).toBe('/#sign-in:refused')
      expect(await odd((query) => query.set(name, 'a'.repeat(4_001)))).toBe('/#sign-in:refused')
      expect(await odd((query) => query.set(name, '\0'))).toBe('/#sign-in:refused')
    }
    expect(provider.tokenRequests).toBe(asked)
    expect(await odd((query) => query.set('error_description', 'a'.repeat(4_001)))).toBe('/')
  })

  it('goes on after a restart, and is sealed in the records [S161]', async () => {
    const browser = new Browser(server.url)
    const url = locationOf(await browser.ask('signInWithOidc'))
    expect(url).toContain('code_challenge_method=S256')
    server = await server.restart()
    const moved = new Browser(server.url)
    moved.visit = browser.visit
    expect(await callBack(moved, provider.signIn(url))).toBe('/')
  })

  it(
    'without a verified address, or of a foreign domain, opens and links nothing [S162]',
    { tags: 'long' },
    async () => {
      const { browser, email } = await confirmedPerson(server)
      const refusedAs = async (claims: Record<string, unknown>, outcome: string) => {
        provider.person = { sub: newEmail(), ...claims }
        expect(await signIn()).toBe(`/#sign-in:${outcome}`)
        expect(await link(browser)).toBe(`/settings/security#single-sign-on:${outcome}`)
      }
      await refusedAs({ email, email_verified: false }, 'email-unverified')
      await refusedAs({ email, email_verified: 'true' }, 'email-unverified')
      await refusedAs({}, 'email-unverified')
      for (const odd of ['example.com', '@example.com', 'a,b@example.com', '<a>@example.com', 'a b@example.com'])
        await refusedAs({ email: odd, email_verified: true }, 'email-unverified')
      await refusedAs({ email: 'ada@evil.example', email_verified: true }, 'wrong-domain')
      await refusedAs({ email: 'ada@agency.example.evil.example', email_verified: true }, 'wrong-domain')
      await refusedAs({ email: 'ada@agency.example@evil.example', email_verified: true }, 'email-unverified')
      expect((await browser.callOrThrow('getFactors')).signOn?.link).toBeNull()
      provider.person = { sub: 'linked', email, email_verified: true }
      expect(await link(browser)).toBe('/settings/security#single-sign-on:linked')
      provider.person = { sub: 'linked', email: 'ada@evil.example', email_verified: true }
      expect(await signIn()).toBe('/#sign-in:wrong-domain')
    },
  )

  it('links the account with its address if that is confirmed, and tells the owner [S163]', async () => {
    const { email, id } = await confirmedPerson(server)
    provider.person = { ...provider.person, email: email.toUpperCase() }
    const browser = new Browser(server.url)
    expect(await signIn(browser)).toBe('/')
    expect((await browser.callOrThrow('getUser')).id).toBe(id)
    await letter(server, email, /^Single sign-on was linked/)
    // Another person at the provider does not get it by the same address.
    provider.person = { ...provider.person, sub: 'another' }
    expect(await signIn()).toBe('/#sign-in:another-link')
  })

  it('leaves an account with an unconfirmed address alone; confirming it ends what was there before [S163]', async () => {
    const { browser, email } = await person(server)
    provider.person = { ...provider.person, email }
    expect(await signIn()).toBe('/#sign-in:account-unconfirmed')
    expect(await browser.status('linkOidc', { password })).toBe(403)
    expect((await lettersTo(server, email)).filter(({ subject }) => subject.includes('linked'))).toEqual([])
  })

  it(
    'links the account that is signed in, with its password; one person has one account [S164]',
    { tags: 'long' },
    async () => {
      const { browser, id } = await confirmedPerson(server)
      expect(await browser.status('linkOidc', { password: 'a guess' })).toBe(403)
      expect(await browser.status('linkOidc', {})).toBe(403)
      expect(await link(browser)).toBe('/settings/security#single-sign-on:linked')
      const elsewhere = new Browser(server.url)
      expect(await signIn(elsewhere)).toBe('/')
      expect((await elsewhere.callOrThrow('getUser')).id).toBe(id)
      const other = await confirmedPerson(server)
      expect(await link(other.browser)).toBe('/settings/security#single-sign-on:another-account')
      expect(await browser.status('unlinkOidc', { password: 'a guess' })).toBe(403)
      expect(await browser.status('unlinkOidc', { password })).toBe(204)
      expect(await link(other.browser)).toBe('/settings/security#single-sign-on:linked')
    },
  )

  it('links nothing in a session other than the one that asked [S164]', async () => {
    const [mine, another] = [await confirmedPerson(server), await confirmedPerson(server)]
    const { url } = await mine.browser.callOrThrow('linkOidc', { body: { password } })
    const query = provider.signIn(url)
    another.browser.visit = mine.browser.visit
    expect(await callBack(another.browser, query)).toBe('/settings/security#single-sign-on:refused')
    expect((await another.browser.callOrThrow('getFactors')).signOn?.link).toBeNull()
  })

  it('does not skip the second factor [S165]', async () => {
    const { browser, secret } = await personWithApp(server)
    await link(browser)
    const fresh = new Browser(server.url)
    expect(await signIn(fresh)).toBe('/#sign-in:second-step')
    expect(await fresh.isIn()).toBe(false)
    await fresh.callOrThrow('completeSignIn', { body: { code: codeOf(server, secret) } })
    expect((await fresh.callOrThrow('listSessions'))[0]).toMatchObject({ way: 'oidc' })
  })

  it('is waited for and read within limits, and its absence is said in one sentence [S166]', async () => {
    provider.lies = { padding: maxProviderBytes }
    expect(await signIn()).toBe('/#sign-in:unavailable')
    provider.lies = { isSilent: true }
    await expect(boundedFetch(`${provider.issuer}/token`, {}, 20)).rejects.toThrow(ProviderUnavailable)
    provider.lies = { status: 503 }
    expect(await signIn()).toBe('/#sign-in:unavailable')
    const asked = provider.discoveries
    provider.lies = {}
    expect(await signIn()).toBe('/')
    expect(provider.discoveries).toBe(asked)
  })

  it('is asked for no more than sixty times a minute by an address [S167]', async () => {
    const browser = new Browser(server.url, '203.0.113.77')
    const answers = await Promise.all(Array.from({ length: 8 }, () => browser.ask('signInWithOidc')))
    for (let more = answers.length; more < 60; more++) answers.push(await browser.ask('signInWithOidc'))
    expect(locationOf(await browser.ask('signInWithOidc'))).toBe('/#sign-in:too-many')
  })

  it('that cancels says so, and a page of another site starts nothing', async () => {
    const browser = new Browser(server.url)
    const { state = '' } = await begin(browser)
    expect(await callBack(browser, { state, error: 'access_denied' })).toBe('/#sign-in:canceled')
    const foreign = await browser.fetch('GET', '/api/auth/oidc', undefined, { 'Sec-Fetch-Site': 'cross-site' })
    expect(foreign.status).toBe(403)
  })
})

describe('a server', () => {
  it('without a provider knows none of its routes; with one that is away, says so', { tags: 'long' }, async () => {
    const plain = await testServer()
    const browser = new Browser(plain.url)
    expect(await browser.status('signInWithOidc')).toBe(404)
    expect((await browser.ask('oidcCallback', { query: { state: 'x' } })).status).toBe(404)
    await plain.remove()
    const away = await testServer(settings('http://127.0.0.1:9'))
    expect(locationOf(await new Browser(away.url).ask('signInWithOidc'))).toBe('/#sign-in:unavailable')
    await away.remove()
  })
})
