/** Each request, field by field, as in the Instagram Platform's documentation. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Recorder } from '../test/recorder.ts'
import { photo } from '../test/helpers.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await Recorder.open('instagram')
})
afterEach(() => recorder.close())

const form = 'application/x-www-form-urlencoded;charset=UTF-8'
const bare = { authorization: undefined, type: undefined, body: null }

it('consent, exchange and refresh', async () => {
  const { url, profiles, consent } = await recorder.connect('Acme')
  expect(url.pathname).toBe('/sandbox/instagram/oauth/authorize')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'sandbox',
    redirect_uri: consent.redirectUri,
    response_type: 'code',
    scope: 'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights',
    state: 's',
    sandbox_account: 'Acme',
  })
  const [{ tokens } = { tokens: null }] = profiles
  const secret = { client_secret: 'sandbox' }
  expect(recorder.take()).toEqual([
    {
      method: 'POST',
      path: '/instagram/oauth/access_token',
      query: {},
      authorization: undefined,
      type: form,
      body: {
        client_id: 'sandbox',
        ...secret,
        grant_type: 'authorization_code',
        redirect_uri: consent.redirectUri,
        code: consent.code,
      },
    },
    {
      ...bare,
      method: 'GET',
      path: '/instagram/access_token',
      query: { grant_type: 'ig_exchange_token', ...secret, access_token: expect.stringMatching(/./) },
    },
    {
      ...bare,
      method: 'GET',
      path: '/instagram/v25.0/me',
      query: { fields: 'user_id,username' },
      authorization: `Bearer ${tokens?.accessToken ?? ''}`,
    },
  ])
  if (!tokens) throw new Error('No profile came')
  recorder.clock.advance(25 * 3_600_000)
  await recorder.network.renew(tokens)
  expect(recorder.take()).toEqual([
    {
      ...bare,
      method: 'GET',
      path: '/instagram/refresh_access_token',
      query: { grant_type: 'ig_refresh_token', access_token: tokens.accessToken },
    },
  ])
})

it('a code is returned with #_ appended, which is not part of it', async () => {
  const { consent } = await recorder.connect('Acme')
  recorder.raw()
  await recorder.network.exchange({ ...consent, code: `${consent.code}#_` }).catch(() => null)
  expect(recorder.take()[0]?.body).toMatchObject({ code: consent.code })
})

it('container, publication, look-up, figures, quota and check', async () => {
  const { profile, since } = await recorder.ready()
  const { network } = recorder
  const account = `/instagram/v25.0/${profile.remoteId}`
  const authorization = `Bearer ${profile.tokens.accessToken}`
  const get = { ...bare, method: 'GET', authorization }
  const post = { method: 'POST', query: {}, authorization, type: form }
  const submission = { ...profile, content: 'Spring #new', image: photo() }

  const ready = await network.prepare(submission)
  const [container = ''] = ready.kind === 'ready' ? ready.media : []
  const [created, ...polls] = recorder.take()
  expect(created).toEqual({
    ...post,
    path: `${account}/media`,
    body: { image_url: submission.image.publicUrl, caption: 'Spring #new' },
  })
  const status = { ...get, path: `/instagram/v25.0/${container}`, query: { fields: 'status_code,status' } }
  expect(polls.length).toBeGreaterThan(0)
  for (const poll of polls) expect(poll).toEqual(status)

  const outcome = await network.publish(submission, [container])
  const postId = outcome.kind === 'accepted' ? outcome.remoteId : ''
  const media = `/instagram/v25.0/${postId}`
  expect(recorder.take()).toEqual([
    { ...post, path: `${account}/media_publish`, body: { creation_id: container } },
    { ...get, path: media, query: { fields: 'permalink' } },
  ])

  await network.lookUp(submission, [container], since)
  expect(recorder.take()).toEqual([
    status,
    { ...get, path: `${account}/media`, query: { fields: 'id,caption,permalink,timestamp', limit: '50' } },
  ])

  await network.metrics({ ...profile, postId })
  const insight = (metric: string) => ({ ...get, path: `${media}/insights`, query: { metric } })
  expect(recorder.take()).toEqual(['views', 'likes', 'comments', 'shares'].map(insight))

  await network.quota(profile)
  await network.check(profile)
  await network.disconnect(profile)
  expect(recorder.take()).toEqual([
    { ...get, path: `${account}/content_publishing_limit`, query: { fields: 'quota_usage,config' } },
    { ...get, path: '/instagram/v25.0/me', query: { fields: 'user_id,username' } },
  ])
})

it('an unpublished container proves that nothing is live, and only its status is requested', async () => {
  const { profile, since } = await recorder.ready()
  const submission = { ...profile, content: 'Spring', image: photo() }
  const ready = await recorder.network.prepare(submission)
  recorder.raw()
  expect(await recorder.network.lookUp(submission, ready.kind === 'ready' ? ready.media : [], since)).toEqual({
    kind: 'absent',
  })
  expect(recorder.take()).toHaveLength(1)
})
