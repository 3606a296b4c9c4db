/** Single sign-on with a provider that speaks the whole protocol. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testServer, type TestServer } from '../../../testing/server.ts'
import { Browser, newEmail, password } from '../test/helpers.ts'
import { letter } from '../test/letters.ts'
import { RealProvider } from './test/real-provider.ts'
import { locationOf, settings } from './test/settings.ts'

describe('a provider that speaks the protocol', () => {
  const provider = new RealProvider()
  let server: TestServer
  beforeAll(async () => {
    await provider.start()
    server = await testServer(settings(provider.issuer))
    await provider.takeClient(`${server.url}/api/auth/oidc/callback`)
  })
  afterAll(async () => {
    await server.remove()
    await provider.stop()
  })

  it('opens a confirmed account at the first sign-in, and signs the same one in later', { tags: 'long' }, async () => {
    const email = newEmail()
    provider.person = { sub: 'grace', email, email_verified: true, given_name: 'Grace', family_name: 'Hopper' }
    const [first, second] = [new Browser(server.url), new Browser(server.url)]
    for (const browser of [first, second]) {
      const address = await provider.signIn(locationOf(await browser.ask('signInWithOidc')))
      const back = await browser.fetch('GET', address.pathname + address.search)
      expect({ status: back.status, to: locationOf(back) }).toEqual({ status: 302, to: '/' })
    }
    const user = await first.callOrThrow('getUser')
    expect(user).toMatchObject({ email, emailConfirmed: true, firstName: 'Grace', lastName: 'Hopper' })
    expect((await second.callOrThrow('getUser')).id).toBe(user.id)
    expect((await first.callOrThrow('listSessions'))[0]).toMatchObject({ way: 'oidc' })
    await letter(server, email, /^New sign-in/)
    expect(await first.callOrThrow('getFactors')).toMatchObject({ hasPassword: false, signOn: { link: { email } } })
  })

  it('stands in for the password of an account that has none, for five minutes', async () => {
    provider.person = { sub: 'alan', email: newEmail(), email_verified: true }
    const browser = new Browser(server.url)
    const go = async (url: string) => {
      const address = await provider.signIn(url)
      return locationOf(await browser.fetch('GET', address.pathname + address.search))
    }
    await go(locationOf(await browser.ask('signInWithOidc')))
    const begin = () => browser.status('beginTotp', {})
    expect(await begin()).toBe(403)
    const { url } = await browser.callOrThrow('confirmWithOidc', { body: {} })
    expect(new URL(url).searchParams.get('prompt')).toBe('login')
    expect(await go(url)).toBe('/settings/security#single-sign-on:confirmed')
    expect(await begin()).toBe(200)
    server.clock.advance(5 * 60_000)
    expect(await begin()).toBe(403)
    expect(await browser.status('changePassword', { currentPassword: 'x', newPassword: password })).toBe(403)
  })
})
