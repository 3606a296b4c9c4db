/** Each request, field by field, as in X's documentation. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Recorder } from '../test/recorder.ts'
import { photo } from '../test/helpers.ts'
import { pkce } from '../../sandbox/test/helpers.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await Recorder.open('twitter')
})
afterEach(() => recorder.close())

const form = 'application/x-www-form-urlencoded;charset=UTF-8'
const basic = `Basic ${Buffer.from('sandbox:sandbox').toString('base64')}`
const token = { method: 'POST', path: '/x/2/oauth2/token', query: {}, authorization: basic, type: form }

it('consent, exchange, refresh and revocation', async () => {
  const { url, profiles, consent } = await recorder.connect('Acme')
  expect(url.pathname).toBe('/sandbox/x/i/oauth2/authorize')
  // %20 and not +, which some of X's pages show literally.
  expect(url.search).toContain('scope=tweet.read%20tweet.write%20users.read%20media.write%20offline.access')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    client_id: 'sandbox',
    redirect_uri: consent.redirectUri,
    state: 's',
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    sandbox_account: 'Acme',
  })
  const [profile] = profiles
  if (!profile) throw new Error('No profile came')
  const me = {
    method: 'GET',
    path: '/x/2/users/me',
    query: {},
    authorization: `Bearer ${profile.tokens.accessToken}`,
    type: undefined,
    body: null,
  }
  expect(recorder.take()).toEqual([
    {
      ...token,
      body: {
        grant_type: 'authorization_code',
        code: consent.code,
        redirect_uri: consent.redirectUri,
        code_verifier: pkce.verifier,
        client_id: 'sandbox',
      },
    },
    me,
  ])
  await recorder.network.check(profile)
  expect(recorder.take()).toEqual([me])

  const renewed = await recorder.network.renew(profile.tokens)
  expect(recorder.take()).toEqual([
    {
      ...token,
      body: { grant_type: 'refresh_token', refresh_token: profile.tokens.refreshToken, client_id: 'sandbox' },
    },
  ])
  await recorder.network.disconnect({ ...profile, tokens: renewed })
  const revoked = (key: string | null) => ({
    ...token,
    path: '/x/2/oauth2/revoke',
    body: { token: key, client_id: 'sandbox' },
  })
  expect(recorder.take()).toEqual([revoked(renewed.refreshToken), revoked(renewed.accessToken)])
})

it('text, image, look-up and figures', async () => {
  const { profile, since } = await recorder.ready()
  const { network } = recorder
  const authorization = `Bearer ${profile.tokens.accessToken}`
  const get = { method: 'GET', authorization, type: undefined, body: null }
  const post = { method: 'POST', query: {}, authorization, type: 'application/json' }
  const submission = { ...profile, content: 'Read example.org & more', image: null }

  const outcome = await network.publish(submission, [])
  const postId = outcome.kind === 'accepted' ? outcome.remoteId : ''
  expect(recorder.take()).toEqual([{ ...post, path: '/x/2/tweets', body: { text: submission.content } }])

  // Two full segments and a rest, so that the parts differ.
  const whole = photo()
  const bytes = new Uint8Array(2 * 1024 * 1024 + 5)
  bytes.set(await whole.read())
  const image = { ...whole, size: bytes.length, read: () => Promise.resolve(bytes) }
  const ready = await network.prepare({ ...submission, image })
  const media = ready.kind === 'ready' ? ready.media : []
  const id = media[0] ?? ''
  const part = (index: number, size: number) => ({
    ...post,
    path: `/x/2/media/upload/${id}/append`,
    type: expect.stringMatching(/^multipart\/form-data; boundary=/),
    body: { segment_index: String(index), media: { name: 'segment', type: 'application/octet-stream', bytes: size } },
  })
  expect(recorder.take()).toEqual([
    {
      ...post,
      path: '/x/2/media/upload/initialize',
      body: { media_type: 'image/jpeg', total_bytes: bytes.length, media_category: 'tweet_image' },
    },
    part(0, 1024 * 1024),
    part(1, 1024 * 1024),
    part(2, 5),
    { ...post, path: `/x/2/media/upload/${id}/finalize`, type: undefined, body: null },
  ])
  await network.publish({ ...submission, image }, media)
  expect(recorder.take()).toEqual([
    { ...post, path: '/x/2/tweets', body: { text: submission.content, media: { media_ids: [id] } } },
  ])

  await network.lookUp(submission, [], since)
  expect(recorder.take()).toEqual([
    {
      ...get,
      path: `/x/2/users/${profile.remoteId}/tweets`,
      query: {
        start_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        max_results: '100',
        'tweet.fields': 'created_at,text,entities',
        exclude: 'retweets',
      },
    },
  ])
  await network.metrics({ ...profile, postId })
  expect(recorder.take()).toEqual([
    { ...get, path: `/x/2/tweets/${postId}`, query: { 'tweet.fields': 'public_metrics' } },
  ])
})
