/** Each request, field by field, as in LinkedIn's documentation. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Recorder } from '../test/recorder.ts'
import { photo } from '../test/helpers.ts'

let recorder: Recorder
beforeEach(async () => {
  recorder = await Recorder.open('linkedin')
})
afterEach(() => recorder.close())

const form = 'application/x-www-form-urlencoded;charset=UTF-8'
const versioned = { 'linkedin-version': '202607', 'x-restli-protocol-version': '2.0.0' }
const json = 'application/json'

it('consent, exchange, profiles and refresh', async () => {
  const { url, profiles, consent } = await recorder.connect('Acme', 'Acme Labs')
  expect(url.pathname).toBe('/sandbox/linkedin/oauth/v2/authorization')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'sandbox',
    redirect_uri: consent.redirectUri,
    state: 's',
    scope: expect.stringMatching(/^openid profile email w_member_social .*r_organization_social/),
    sandbox_account: 'Acme',
  })
  const [member, organisation] = profiles
  if (!member || !organisation) throw new Error('A profile is missing')
  const app = { client_id: 'sandbox', client_secret: 'sandbox' }
  const trade = {
    method: 'POST',
    path: '/linkedin/oauth/v2/accessToken',
    query: {},
    authorization: undefined,
    type: form,
  }
  const get = {
    method: 'GET',
    query: {},
    authorization: `Bearer ${member.tokens.accessToken}`,
    type: undefined,
    body: null,
  }
  const sent = recorder.raw()
  const [, , acls, name] = sent
  expect(acls?.headers).toMatchObject({ ...versioned, 'x-restli-method': 'FINDER' })
  expect(name?.headers).toMatchObject(versioned)
  expect(sent.map(({ method, path, query }) => ({ method, path, query }))).toEqual([
    { method: 'POST', path: trade.path, query: {} },
    { method: 'GET', path: '/linkedin/v2/userinfo', query: {} },
    {
      method: 'GET',
      path: '/linkedin/rest/organizationAcls',
      query: { q: 'roleAssignee', role: 'ADMINISTRATOR', state: 'APPROVED', start: '0', count: '100' },
    },
    {
      method: 'GET',
      path: `/linkedin/rest/organizations/${organisation.remoteId.replace('urn:li:organization:', '')}`,
      query: {},
    },
  ])
  expect(sent[0]?.body).toEqual({
    grant_type: 'authorization_code',
    code: consent.code,
    redirect_uri: consent.redirectUri,
    ...app,
  })

  await recorder.network.renew(member.tokens)
  await recorder.network.check(member)
  await recorder.network.disconnect(member)
  expect(recorder.take()).toEqual([
    { ...trade, body: { grant_type: 'refresh_token', refresh_token: member.tokens.refreshToken, ...app } },
    { ...get, path: '/linkedin/v2/userinfo' },
  ])
})

it('text, image, look-up and figures of a member', async () => {
  const { profile, since } = await recorder.ready()
  const { network } = recorder
  const authorization = `Bearer ${profile.tokens.accessToken}`
  const get = { method: 'GET', authorization, type: undefined, body: null }
  const submission = { ...profile, content: String.raw`a\b |c| {d} @e [f] (g) <h> #i *j* _k_ ~l`, image: null }
  const body = {
    author: profile.remoteId,
    commentary: String.raw`a\\b \|c\| \{d\} \@e \[f\] \(g\) \<h\> \#i \*j\* \_k\_ \~l`,
    visibility: 'PUBLIC',
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  }

  const outcome = await network.publish(submission, [])
  const postId = outcome.kind === 'accepted' ? outcome.remoteId : ''
  const [published] = recorder.raw()
  expect(published).toMatchObject({
    method: 'POST',
    path: '/linkedin/rest/posts',
    query: {},
    headers: { ...versioned, authorization, 'content-type': json },
  })
  expect(published?.body).toEqual(body)

  const image = photo()
  const ready = await network.prepare({ ...submission, image })
  const media = ready.kind === 'ready' ? ready.media : []
  const [begun, put, ...looks] = recorder.take()
  expect(begun).toEqual({
    method: 'POST',
    path: '/linkedin/rest/images',
    query: { action: 'initializeUpload' },
    authorization,
    type: json,
    body: { initializeUploadRequest: { owner: profile.remoteId } },
  })
  expect(put).toEqual({
    method: 'PUT',
    path: expect.stringMatching(/^\/linkedin\/dms-uploads\//),
    query: {},
    authorization,
    type: 'image/jpeg',
    body: { bytes: image.size },
  })
  expect(looks.length).toBeGreaterThan(0)
  for (const look of looks)
    expect(look).toEqual({ ...get, path: `/linkedin/rest/images/${encodeURIComponent(media[0] ?? '')}`, query: {} })
  await network.publish({ ...submission, image }, media)
  expect(recorder.take()[0]?.body).toEqual({ ...body, content: { media: { id: media[0] } } })

  await network.lookUp(submission, [], since)
  const [lookUp] = recorder.raw()
  expect(lookUp).toMatchObject({
    method: 'GET',
    path: '/linkedin/rest/posts',
    query: { author: profile.remoteId, q: 'author', count: '50', sortBy: 'LAST_MODIFIED', start: '0' },
    headers: { ...versioned, authorization, 'x-restli-method': 'FINDER' },
  })

  await network.metrics({ ...profile, postId })
  const figures = recorder.raw()
  expect(figures.map(({ path, query }) => [path, query])).toEqual(
    ['IMPRESSION', 'REACTION', 'COMMENT', 'RESHARE'].map((queryType) => [
      '/linkedin/rest/memberCreatorPostAnalytics',
      { q: 'entity', entity: expect.stringMatching(/^\(share:urn(:|%3A)li/), queryType, aggregation: 'TOTAL' },
    ]),
  )
  for (const { headers } of figures)
    expect(headers).toMatchObject({ ...versioned, authorization, 'x-restli-method': 'FINDER' })
})

it("an organization's figures come in one call", async () => {
  const { profiles } = await recorder.connect('Acme', 'Acme Labs')
  const organisation = profiles[1]
  if (!organisation) throw new Error('The organisation is missing')
  const outcome = await recorder.network.publish({ ...organisation, content: 'hi', image: null }, [])
  recorder.raw()
  const totals = await recorder.network.metrics({
    ...organisation,
    postId: outcome.kind === 'accepted' ? outcome.remoteId : '',
  })
  expect(totals).toEqual({
    views: expect.any(Number),
    likes: expect.any(Number),
    comments: expect.any(Number),
    shares: expect.any(Number),
  })
  expect(recorder.raw().map(({ path, query }) => [path, query])).toEqual([
    [
      '/linkedin/rest/organizationalEntityShareStatistics',
      {
        q: 'organizationalEntity',
        organizationalEntity: organisation.remoteId,
        shares: expect.stringMatching(/^List\(urn(:|%3A)li/),
      },
    ],
  ])
})
