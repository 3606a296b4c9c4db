/** Which networks are live, which are sandboxes, and which are absent. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { platforms } from '../../domain/core/values.ts'
import { systemClock } from '../core/clock.ts'
import { halfPairs, networkEnvironment } from './config.ts'
import { createNetworks } from './networks.ts'
import { NetworkError } from './port.ts'
import { photo } from './test/helpers.ts'
import { sandboxNetworks } from '../sandbox/connectors.ts'

const settingsOf = (env: Record<string, string>) => z.object(networkEnvironment).parse(env)
const sandbox = sandboxNetworks({ baseUrl: 'http://127.0.0.1:9/sandbox', publicBaseUrl: 'http://localhost:9/sandbox' })
const asked = { state: 's', redirectUri: 'https://social.example/back', accountName: 'Acme', codeChallenge: 'c' }
const whole = {
  FACEBOOK_APP_ID: 'f',
  FACEBOOK_APP_SECRET: 'fs',
  INSTAGRAM_APP_ID: 'i',
  INSTAGRAM_APP_SECRET: 'is',
  X_CLIENT_ID: 'x',
  X_CLIENT_SECRET: 'xs',
  LINKEDIN_CLIENT_ID: 'l',
  LINKEDIN_CLIENT_SECRET: 'ls',
}

describe('the networks', () => {
  it('with an id and secret are live, at their real URLs and without mentioning the sandbox', () => {
    const networks = createNetworks({ settings: settingsOf(whole), sandbox, clock: systemClock })
    const urls = platforms.map((platform) => new URL(networks[platform].consentUrl(asked)))
    expect(urls.map(({ origin, pathname }) => origin + pathname)).toEqual([
      'https://www.facebook.com/v25.0/dialog/oauth',
      'https://www.instagram.com/oauth/authorize',
      'https://x.com/i/oauth2/authorize',
      'https://www.linkedin.com/oauth/v2/authorization',
    ])
    expect(urls.filter(({ href }) => /sandbox|Acme/.test(href))).toEqual([])
    expect(platforms.map((platform) => networks[platform].mode)).toEqual(['live', 'live', 'live', 'live'])
  })

  it('use the configured URLs', () => {
    const settings = settingsOf({
      ...whole,
      FACEBOOK_DIALOG_URL: 'https://f.example/',
      FACEBOOK_API_VERSION: 'v26.0',
      LINKEDIN_SCOPE: 'openid w_member_social',
    })
    const { facebook, linkedin } = createNetworks({ settings, sandbox: null, clock: systemClock })
    expect(facebook.consentUrl(asked)).toMatch(/^https:\/\/f\.example\/v26\.0\/dialog/)
    expect(new URL(linkedin.consentUrl(asked)).searchParams.get('scope')).toBe('openid w_member_social')
  })

  it('without them are sandboxes', () => {
    const { FACEBOOK_APP_ID, FACEBOOK_APP_SECRET } = whole
    const networks = createNetworks({
      settings: settingsOf({ FACEBOOK_APP_ID, FACEBOOK_APP_SECRET }),
      sandbox,
      clock: systemClock,
    })
    expect(platforms.map((platform) => networks[platform].mode)).toEqual(['live', 'sandbox', 'sandbox', 'sandbox'])
  })

  it('without a sandbox report for every call that they are not set up', async () => {
    const { twitter } = createNetworks({ settings: settingsOf({}), sandbox: null, clock: systemClock })
    const sentence = 'X (Twitter) is not set up on this server.'
    const connection = {
      remoteId: '1',
      tokens: { accessToken: 'a', refreshToken: null, expiresAt: null, endsAt: null },
    }
    const submission = { ...connection, content: 'hi', image: photo() }
    expect(() => twitter.consentUrl(asked)).toThrow(new NetworkError(sentence))
    const consent = { code: 'c', redirectUri: asked.redirectUri, codeVerifier: 'v' }
    const asking = [
      () => twitter.exchange(consent),
      () => twitter.renew(connection.tokens),
      () => twitter.check(connection),
      () => twitter.metrics({ ...connection, postId: '1' }),
    ]
    for (const ask of asking) await expect(ask()).rejects.toThrow(sentence)
    expect(await twitter.prepare(submission)).toMatchObject({ kind: 'rejected', cause: sentence })
    expect(await twitter.publish(submission, [])).toMatchObject({ kind: 'rejected', cause: sentence })
    expect(await twitter.lookUp(submission, [], systemClock.now())).toEqual({ kind: 'undecided', cause: sentence })
    await expect(twitter.disconnect(connection)).resolves.toBeUndefined()
    await expect(twitter.quota(connection)).resolves.toBeNull()
  })

  it('with only an id or only a secret cause an error that names the variable, without its value', () => {
    const settings = settingsOf({ X_CLIENT_ID: 'very-own', LINKEDIN_CLIENT_SECRET: 'hidden' })
    expect(halfPairs(settings)).toEqual([
      'X_CLIENT_SECRET: missing, because X_CLIENT_ID is set; a network needs both, or neither',
      'LINKEDIN_CLIENT_ID: missing, because LINKEDIN_CLIENT_SECRET is set; a network needs both, or neither',
    ])
    expect(() => createNetworks({ settings, sandbox, clock: systemClock })).toThrow('X_CLIENT_SECRET: missing')
  })

  it.each([
    ['FACEBOOK_API_VERSION', '25'],
    ['LINKEDIN_VERSION', '2026-07'],
    ['X_API_URL', 'api.x.com'],
  ])('reject %s=%s', (name, value) => {
    expect(z.object(networkEnvironment).safeParse({ [name]: value }).success).toBe(false)
  })
})
