/** LinkedIn over plain HTTP, as documented for its versioned REST API. */
import { describe, expect, it } from 'vitest'
import { freshSandbox, png } from '../test/raw.ts'
import { redirectUri } from '../test/serving.ts'

const raw = freshSandbox()
const { ask } = raw
const sharing = 'openid profile email w_member_social'
const managing =
  'openid profile w_member_social r_member_social r_member_postAnalytics w_organization_social r_organization_social rw_organization_admin'
const headers = { 'linkedin-version': '202607', 'x-restli-protocol-version': '2.0.0' }
const day = 24 * 3_600_000

const rest = (path: string, key: string, json?: object, more: Readonly<Record<string, string>> = {}) =>
  ask(`/linkedin/rest/${path}`, { key, headers: { ...headers, ...more }, ...(json ? { json } : {}) })
const consent = (scope: string, ...profiles: readonly string[]) =>
  raw.consent('/linkedin/oauth/v2/authorization', { scope }, profiles)
const token = (form: Readonly<Record<string, string>>) =>
  ask('/linkedin/oauth/v2/accessToken', { form: { client_id: 'app', client_secret: 'secret', ...form } })
const trade = (back: URL) =>
  token({ grant_type: 'authorization_code', code: back.searchParams.get('code') ?? '', redirect_uri: redirectUri })

async function member(scope = managing, ...companies: readonly string[]) {
  const { body } = await trade(await consent(scope, 'Ada', ...companies))
  const key = String(body['access_token'])
  const { body: info } = await ask('/linkedin/v2/userinfo', { key })
  return { key, refresh: String(body['refresh_token']), urn: `urn:li:person:${String(info['sub'])}` }
}
async function company(own: { readonly key: string }) {
  const { body } = await rest('organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED', own.key)
  return String(body['elements']?.[0]?.['organization'])
}
const draft = (author: string, commentary = 'Hello', more: object = {}) => ({
  author,
  commentary,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
  ...more,
})
const finder = { 'x-restli-method': 'FINDER' }

describe('consent', () => {
  it('to sharing gives 60 days and no refresh token', async () => {
    const { body } = await trade(await consent(sharing, 'Ada'))
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 5_184_000,
      scope: sharing.replaceAll(' ', ','),
      token_type: 'Bearer',
    })
  })
  it('to managing gives refreshes for a year that is never extended', async () => {
    const { key, refresh } = await member()
    raw.pass(60 * day)
    expect(await rest('organizationAcls?q=roleAssignee', key)).toMatchObject({
      status: 401,
      body: { status: 401, serviceErrorCode: 65602 },
    })
    const renew = () => token({ grant_type: 'refresh_token', refresh_token: refresh })
    expect((await renew()).body).toMatchObject({
      expires_in: 5_184_000,
      refresh_token: refresh,
      refresh_token_expires_in: 305 * 24 * 3600,
    })
    raw.pass(305 * day)
    expect(await renew()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
  it('is revoked as a whole', async () => {
    const { key, refresh } = await member()
    await raw.sandbox.revoke('linkedin', 'Ada')
    expect(await ask('/linkedin/v2/userinfo', { key })).toMatchObject({
      status: 401,
      body: { code: 'REVOKED_ACCESS_TOKEN' },
    })
    expect((await token({ grant_type: 'refresh_token', refresh_token: refresh })).status).toBe(400)
  })
})

describe('profiles', () => {
  it('are the member and the companies that they manage', async () => {
    const { key, urn } = await member(managing, 'Blue Cup', 'Red Cup')
    expect(urn).toMatch(/^urn:li:person:\w+$/)
    const { body } = await rest('organizationAcls?q=roleAssignee&role=ADMINISTRATOR&state=APPROVED', key)
    expect(body['elements']?.[0]).toEqual({
      roleAssignee: urn,
      role: 'ADMINISTRATOR',
      state: 'APPROVED',
      organization: expect.stringMatching(/^urn:li:organization:\d+$/),
    })
    const id = String(body['elements']?.[1]?.['organization']).split(':').at(-1)
    expect((await rest(`organizations/${id}`, key)).body).toMatchObject({ localizedName: 'Red Cup' })
    const other = await member()
    expect((await rest(`organizations/${id}`, other.key)).status).toBe(404)
  })
  it('are ten per page by default', async () => {
    const { key } = await member(managing, ...Array.from({ length: 12 }, (_, index) => `Company ${index}`))
    const page = (query: string) => rest(`organizationAcls?q=roleAssignee${query}`, key)
    expect((await page('')).body).toMatchObject({
      elements: { length: 10 },
      paging: { start: 0, count: 10, links: [{ rel: 'next' }] },
    })
    expect((await page('&start=10')).body['elements']).toHaveLength(2)
  })
  it('hide companies from a consent to sharing only', async () => {
    const { key } = await member(sharing, 'Blue Cup')
    expect(await rest('organizationAcls?q=roleAssignee', key)).toMatchObject({
      status: 403,
      body: { status: 403, code: 'ACCESS_DENIED' },
    })
  })
})

describe('posts', () => {
  it('have their id in a header, and are shown without escapes', async () => {
    const { key, urn } = await member()
    const { status, headers: replyHeaders, text } = await rest('posts', key, draft(urn, String.raw`Tea \(hot\) \#tea`))
    expect({ status, text }).toEqual({ status: 201, text: '' })
    const id = replyHeaders.get('x-restli-id') ?? ''
    expect(id).toMatch(/^urn:li:share:\d{19}$/)
    expect(await raw.sandbox.posts()).toMatchObject([{ id, content: 'Tea (hot) #tea' }])
    const link = await ask(`/linkedin/feed/update/${id}`)
    expect((await ask(link.headers.get('location') ?? '')).text).toContain('Tea (hot) #tea')
  })
  it('are cut off at an unescaped reserved character', async () => {
    const { key, urn } = await member()
    await rest('posts', key, draft(urn, 'Tea (hot)'))
    expect(await raw.sandbox.posts()).toMatchObject([{ content: 'Tea ' }])
  })
  it('of a company require a consent that covers it', async () => {
    const own = await member(managing, 'Blue Cup')
    const urn = await company(own)
    expect((await rest('posts', own.key, draft(urn))).status).toBe(201)
    const other = await member()
    expect(await rest('posts', other.key, draft(urn))).toMatchObject({ status: 403 })
    expect(await raw.sandbox.posts()).toMatchObject([{ remoteId: urn }])
  })
  it.each([
    [{}, { 'linkedin-version': '' }, 400, 'VERSION_MISSING'],
    [{}, { 'linkedin-version': '1' }, 426, 'NONEXISTENT_VERSION'],
    [{}, { 'x-restli-protocol-version': '1.0.0' }, 400, 'INVALID_REQUEST'],
    [{ commentary: 'x'.repeat(3_001) }, {}, 400, 'INVALID_REQUEST'],
    [{ visibility: undefined }, {}, 422, 'UNPROCESSABLE_ENTITY'],
    [{ content: { media: { id: 'urn:li:image:x' } } }, {}, 400, 'INVALID_REQUEST'],
  ])('%j under %j is rejected with %i %s', async (more, under, status, code) => {
    const { key, urn } = await member()
    expect(await rest('posts', key, draft(urn, 'Hello', more), under)).toMatchObject({ status, body: { status, code } })
    expect(await raw.sandbox.posts()).toEqual([])
  })
  it('carry an image once it is available', async () => {
    const { key, urn } = await member()
    const { body } = await rest('images?action=initializeUpload', key, { initializeUploadRequest: { owner: urn } })
    const image = String(body['value']?.['image'])
    const status = async () => (await rest(`images/${encodeURIComponent(image)}`, key)).body['status']
    const withImage = draft(urn, 'Hello', { content: { media: { id: image, altText: 'A cup' } } })
    expect(await status()).toBe('WAITING_UPLOAD')
    const put = await ask(String(body['value']?.['uploadUrl']), { key, method: 'PUT', data: png })
    expect(put.status).toBe(201)
    expect((await rest('posts', key, withImage)).status).toBe(400)
    expect([await status(), await status()]).toEqual(['PROCESSING', 'AVAILABLE'])
    expect((await rest('posts', key, withImage)).status).toBe(201)
    expect(await raw.sandbox.posts()).toMatchObject([{ imageHash: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })
  it('fail to process an invalid image', async () => {
    const { key, urn } = await member()
    const { body } = await rest('images?action=initializeUpload', key, { initializeUploadRequest: { owner: urn } })
    await ask(String(body['value']?.['uploadUrl']), { key, method: 'PUT', data: new Uint8Array(20) })
    expect((await rest(`images/${encodeURIComponent(String(body['value']?.['image']))}`, key)).body['status']).toBe(
      'PROCESSING_FAILED',
    )
  })
})

describe('reading', () => {
  it('paginates an author’s posts, newest first, as written', async () => {
    const { key, urn } = await member()
    for (let number = 0; number < 3; number++) await rest('posts', key, draft(urn, String.raw`post \(${number}\)`))
    const page = (start: number) =>
      rest(
        `posts?author=${encodeURIComponent(urn)}&q=author&count=2&start=${start}&sortBy=LAST_MODIFIED`,
        key,
        undefined,
        finder,
      )
    const first = await page(0)
    expect(first.body['elements']?.[0]).toMatchObject({
      commentary: String.raw`post \(2\)`,
      createdAt: Date.parse(raw.now),
      lifecycleState: 'PUBLISHED',
    })
    expect(first.body['paging']).toMatchObject({ start: 0, count: 2, links: [{ rel: 'next' }] })
    const last = await page(2)
    expect(last.body['elements']).toMatchObject([{ commentary: String.raw`post \(0\)` }])
    expect(last.body['paging']?.['links']).toEqual([])
  })
  it('is denied to a consent to sharing only', async () => {
    const { key, urn } = await member(sharing)
    expect((await rest(`posts?author=${encodeURIComponent(urn)}&q=author`, key, undefined, finder)).status).toBe(403)
  })
  it('returns a company’s figures at once and a member’s one by one', async () => {
    const own = await member(managing, 'Blue Cup')
    const organization = await company(own)
    const posted = async (author: string) =>
      (await rest('posts', own.key, draft(author))).headers.get('x-restli-id') ?? ''
    const [theirs, mine] = [await posted(organization), await posted(own.urn)]
    raw.pass(3 * day)
    const query = `q=organizationalEntity&organizationalEntity=${encodeURIComponent(organization)}&shares=List(${encodeURIComponent(theirs)})`
    const { body } = await rest(`organizationalEntityShareStatistics?${query}`, own.key)
    expect(Number(body['elements']?.[0]?.['totalShareStatistics']?.['impressionCount'])).toBeGreaterThan(20)
    const figure = (type: string, key = own.key) =>
      rest(
        `memberCreatorPostAnalytics?q=entity&entity=(share:${encodeURIComponent(mine)})&queryType=${type}&aggregation=TOTAL`,
        key,
      )
    expect(Number((await figure('IMPRESSION')).body['elements']?.[0]?.['count'])).toBeGreaterThan(20)
    expect((await figure('SAVES')).status).toBe(400)
    expect((await figure('IMPRESSION', (await member(sharing)).key)).status).toBe(403)
  })
})

describe('limits and faults', () => {
  it('reset at the end of the day, without a header about it', async () => {
    const { key, urn } = await member()
    await raw.sandbox.limit('linkedin', { posts: 1, windowMs: day })
    await rest('posts', key, draft(urn))
    const { status, body, headers: replyHeaders } = await rest('posts', key, draft(urn))
    expect({ status, code: body['code'], retry: replyHeaders.get('retry-after') }).toEqual({
      status: 429,
      code: 'TOO_MANY_REQUESTS',
      retry: null,
    })
    raw.pass(14 * 3_600_000)
    expect((await rest('posts', key, draft(urn))).status).toBe(201)
  })
  it.each([
    ['error-after', { status: 500, body: { status: 500 } }, 1],
    ['rate-limited', { status: 429 }, 0],
    ['unauthorized', { status: 401 }, 0],
    ['duplicate', { status: 422, body: { code: 'DUPLICATE_POST' } }, 0],
  ] as const)('%s is reported like by LinkedIn', async (kind, answer, posts) => {
    const { key, urn } = await member()
    await raw.sandbox.plan('linkedin', 'Ada', { kind, retryAfterSeconds: 17 })
    const result = await rest('posts', key, draft(urn))
    expect(result).toMatchObject(answer)
    if (kind === 'rate-limited') expect(result.headers.get('retry-after')).toBe('17')
    expect(await raw.sandbox.posts()).toHaveLength(posts)
  })
})
