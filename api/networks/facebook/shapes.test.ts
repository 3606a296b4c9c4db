/** Each request, field by field, as in the Graph API's documentation. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Recorder } from '../test/recorder.ts'
import { photo } from '../test/helpers.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await Recorder.open('facebook')
})
afterEach(() => recorder.close())

const fields = 'id,name,access_token'

it('consent and exchange', async () => {
  const { url, profiles, consent } = await recorder.connect('Acme', 'Acme Labs')
  expect(url.pathname).toBe('/sandbox/facebook/v25.0/dialog/oauth')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'sandbox',
    redirect_uri: consent.redirectUri,
    state: 's',
    scope: 'pages_show_list,pages_manage_posts,pages_read_engagement,business_management,read_insights',
    response_type: 'code',
    sandbox_account: 'Acme',
  })
  const app = { client_id: 'sandbox', client_secret: 'sandbox' }
  const trade = {
    method: 'POST',
    path: '/facebook/v25.0/oauth/access_token',
    query: {},
    authorization: undefined,
    type: 'application/x-www-form-urlencoded;charset=UTF-8',
  }
  const list = { method: 'GET', authorization: expect.stringMatching(/^Bearer \S+$/), type: undefined, body: null }
  const [first, second, ...lists] = recorder.take()
  expect(first).toEqual({ ...trade, body: { ...app, redirect_uri: consent.redirectUri, code: consent.code } })
  expect(second).toEqual({
    ...trade,
    body: { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: expect.stringMatching(/./) },
  })
  expect(lists.slice(0, 2)).toEqual([
    { ...list, path: '/facebook/v25.0/me/accounts', query: { fields, limit: '100' } },
    { ...list, path: '/facebook/v25.0/me/businesses', query: { fields: 'id,name', limit: '100' } },
  ])
  for (const { path, query } of lists.slice(2)) {
    expect(path).toMatch(/^\/facebook\/v25\.0\/\w+\/(owned|client)_pages$/)
    expect(query).toEqual({ fields, limit: '100' })
  }
  expect(profiles).toHaveLength(2)
})

it('text with a link, image, look-up, figures and check', async () => {
  const { profile, since } = await recorder.ready()
  const { network } = recorder
  const page = `/facebook/v25.0/${profile.remoteId}`
  const authorization = `Bearer ${profile.tokens.accessToken}`
  const get = { method: 'GET', authorization, type: undefined, body: null }
  const submission = { ...profile, content: 'Read https://example.com/a?b=1.', image: null }

  const outcome = await network.publish(submission, [])
  const postId = outcome.kind === 'accepted' ? outcome.remoteId : ''
  expect(recorder.take()).toEqual([
    {
      method: 'POST',
      path: `${page}/feed`,
      query: {},
      authorization,
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: { message: submission.content, link: 'https://example.com/a?b=1' },
    },
    { ...get, path: `/facebook/v25.0/${postId}`, query: { fields: 'permalink_url' } },
  ])

  const pictured = { ...submission, image: photo() }
  const ready = await network.prepare(pictured)
  const media = ready.kind === 'ready' ? ready.media : []
  await network.publish(pictured, media)
  const [upload, publish] = recorder.take()
  expect(upload).toEqual({
    method: 'POST',
    path: `${page}/photos`,
    query: {},
    authorization,
    type: expect.stringMatching(/^multipart\/form-data; boundary=/),
    body: { source: { name: 'image.jpeg', type: 'image/jpeg', bytes: pictured.image.size }, published: 'false' },
  })
  expect(publish?.body).toEqual({
    message: submission.content,
    'attached_media[0]': JSON.stringify({ media_fbid: media[0] }),
  })

  await network.lookUp(submission, [], since)
  const [lookUp] = recorder.take()
  expect(lookUp).toEqual({
    ...get,
    path: `${page}/feed`,
    query: { fields: 'id,message,created_time,permalink_url', since: expect.stringMatching(/^\d{10}$/), limit: '100' },
  })
  // A little before the attempt: the network's clock may be behind.
  expect(Date.parse(since) / 1000 - Number(lookUp?.query['since'])).toBeGreaterThanOrEqual(600)

  await network.metrics({ ...profile, postId })
  const post = `/facebook/v25.0/${postId}`
  expect(recorder.take()).toEqual([
    { ...get, path: `${post}/insights`, query: { metric: 'post_media_view', period: 'lifetime' } },
    { ...get, path: `${post}/insights`, query: { metric: 'post_reactions_by_type_total', period: 'lifetime' } },
    { ...get, path: post, query: { fields: 'comments.summary(true).limit(0)' } },
    { ...get, path: post, query: { fields: 'shares' } },
  ])

  await network.check(profile)
  await network.disconnect(profile)
  expect(recorder.take()).toEqual([{ ...get, path: page, query: { fields: 'id,name' } }])
})
