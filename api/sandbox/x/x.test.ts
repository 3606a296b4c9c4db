/** X over plain HTTP, as documented for its API v2. */
import { describe, expect, it } from 'vitest'
import { freshSandbox, gif, png } from '../test/raw.ts'
import { redirectUri } from '../test/serving.ts'

const raw = freshSandbox()
const { ask } = raw
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const scope = 'tweet.read tweet.write users.read media.write offline.access'
const basic = { authorization: `Basic ${Buffer.from('app:secret').toString('base64')}` }
const minute = 60_000

const consent = (query: Readonly<Record<string, string>> = {}, name = 'Blue Cup') =>
  raw.consent(
    '/x/i/oauth2/authorize',
    { scope, code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256', ...query },
    [name],
  )
const token = (form: Readonly<Record<string, string>>) =>
  ask('/x/2/oauth2/token', { headers: basic, form: { client_id: 'app', ...form } })
const trade = (back: URL, more: Readonly<Record<string, string>> = {}) =>
  token({
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...more,
  })
const renew = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken })

async function connected(name?: string) {
  const { body } = await trade(await consent({}, name))
  const key = String(body['access_token'])
  const me = await ask('/x/2/users/me', { key })
  return { key, refresh: String(body['refresh_token']), id: String(me.body['data']?.['id']) }
}
const post = (key: string, json: object) => ask('/x/2/tweets', { key, json })

describe('consent', () => {
  it('returns code and state, and no fragment', async () => {
    const back = await consent()
    expect(back.href).toMatch(/^http:\/\/127\.0\.0\.1:9\/api\/oauth\/callback\?code=[\w-]+&state=s$/)
  })
  it('returns a pair of tokens for the code, and the profile', async () => {
    const { status, body } = await trade(await consent())
    expect(status).toBe(200)
    expect(body).toEqual({
      token_type: 'bearer',
      expires_in: 7200,
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      scope,
    })
    const me = await ask('/x/2/users/me', { key: String(body['access_token']) })
    expect(me.body).toEqual({ data: { id: expect.stringMatching(/^\d{19}$/), name: 'Blue Cup', username: 'blue_cup' } })
  })
  it('returns no refresh token without offline.access', async () => {
    expect((await trade(await consent({ scope: 'tweet.read' }))).body).not.toHaveProperty('refresh_token')
  })
  it('is rejected without a challenge', async () => {
    const back = await raw.consent('/x/i/oauth2/authorize', { scope }, ['A'])
    expect(back.pathname).toBe('/400')
  })
  it('accepts the code once, within 30 s, with its verifier, its redirect URL and its client', async () => {
    const back = await consent()
    expect((await trade(back, { code_verifier: 'other' })).status).toBe(400)
    expect((await trade(back, { redirect_uri: `${redirectUri}/else` })).status).toBe(400)
    expect((await trade(back, { client_id: 'other' })).body).toMatchObject({ error: 'unauthorized_client' })
    expect((await trade(back)).status).toBe(200)
    expect((await trade(back)).body).toEqual({ error: 'invalid_request', error_description: expect.any(String) })
    const late = await consent()
    raw.pass(30_000)
    expect((await trade(late)).status).toBe(400)
  })
})

describe('tokens', () => {
  it('expire after two hours, and are refreshed in pairs', async () => {
    const first = await connected()
    raw.pass(120 * minute)
    const dead = await ask('/x/2/users/me', { key: first.key })
    expect({ status: dead.status, body: dead.body }).toMatchObject({
      status: 401,
      body: { title: 'Unauthorized', status: 401 },
    })
    const { body } = await renew(first.refresh)
    expect(body['refresh_token']).not.toBe(first.refresh)
    expect((await ask('/x/2/users/me', { key: String(body['access_token']) })).status).toBe(200)
  })
  it('are all revoked when a refresh token is used twice', async () => {
    const first = await connected()
    const second = await renew(first.refresh)
    expect((await renew(first.refresh)).body).toMatchObject({ error: 'invalid_request' })
    expect((await ask('/x/2/users/me', { key: String(second.body['access_token']) })).status).toBe(401)
    expect((await renew(String(second.body['refresh_token']))).status).toBe(400)
  })
  it('stay single-use across a restart, and of two concurrent uses only one succeeds', async () => {
    const { refresh } = await connected()
    await raw.restart()
    const statuses = (await Promise.all([renew(refresh), renew(refresh)])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 400])
  })
  it('end when the client or the owner revokes them', async () => {
    const { key } = await connected()
    await ask('/x/2/oauth2/revoke', { headers: basic, form: { token: key, client_id: 'app' } })
    expect((await ask('/x/2/users/me', { key })).status).toBe(401)
    const again = await connected()
    await raw.sandbox.revoke('twitter', 'Blue Cup')
    expect((await post(again.key, { text: 'hi' })).status).toBe(401)
    expect((await renew(again.refresh)).status).toBe(400)
  })
})

describe('posts', () => {
  it('return 201, an id and the text as X formats it', async () => {
    const { key } = await connected()
    const { status, body, headers } = await post(key, { text: 'Tea & cake: https://example.com/menu.' })
    expect(status).toBe(201)
    expect(body['data']).toMatchObject({
      id: expect.stringMatching(/^\d{19}$/),
      text: expect.stringMatching(/^Tea &amp; cake: https:\/\/t\.co\/\w{10}\.$/),
    })
    expect(Number(headers.get('x-rate-limit-remaining'))).toBeGreaterThan(0)
    expect(await raw.sandbox.posts()).toMatchObject([
      { content: 'Tea & cake: https://example.com/menu.', platform: 'twitter' },
    ])
  })
  it.each([
    [{ text: 'x'.repeat(281) }, 403],
    [{ text: ' ' }, 400],
    [{ text: 'hi', media: { media_ids: ['12'] } }, 400],
    [{ words: 1 }, 400],
  ])('%j is rejected with %i', async (json, status) => {
    const { key } = await connected()
    expect((await post(key, json)).status).toBe(status)
    expect(await raw.sandbox.posts()).toEqual([])
  })
  it('require the scope', async () => {
    const { body } = await trade(await consent({ scope: 'tweet.read users.read' }))
    expect((await post(String(body['access_token']), { text: 'hi' })).body).toMatchObject({
      status: 403,
      title: 'Forbidden',
      detail: 'You are not permitted to perform this action.',
    })
  })
})

describe('media', () => {
  const begin = (key: string, bytes: Uint8Array, type: string, category: string) =>
    ask('/x/2/media/upload/initialize', {
      key,
      json: { media_type: type, total_bytes: bytes.length, media_category: category },
    })
  const append = (key: string, id: string, part: Uint8Array<ArrayBuffer>, index: number) => {
    const data = new FormData()
    data.set('segment_index', String(index))
    data.set('media', new Blob([part]))
    return ask(`/x/2/media/upload/${id}/append`, { key, data })
  }

  it('arrive in segments, in any order, and are in the feed', async () => {
    const { key } = await connected()
    const id = String((await begin(key, png, 'image/png', 'tweet_image')).body['data']?.['id'])
    expect((await append(key, id, png.slice(40), 1)).status).toBe(200)
    expect((await append(key, id, png.slice(0, 40), 0)).status).toBe(200)
    const done = await ask(`/x/2/media/upload/${id}/finalize`, { key, method: 'POST' })
    expect(done.body['data']).toEqual({ id, media_key: `3_${id}`, size: png.length, expires_after_secs: 86_400 })
    expect((await post(key, { text: 'hi', media: { media_ids: [id] } })).body['data']).toMatchObject({
      text: expect.stringMatching(/^hi https:\/\/t\.co\//),
    })
    const [shown] = await raw.sandbox.posts()
    const image = await ask(`/images/${shown?.imageHash}`)
    expect({ status: image.status, type: image.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'image/png',
    })
    expect((await post(key, { text: 'again', media: { media_ids: [id] } })).status).toBe(400)
  })
  it('are processed asynchronously when animated', async () => {
    const { key } = await connected()
    const id = String((await begin(key, gif, 'image/gif', 'tweet_gif')).body['data']?.['id'])
    await append(key, id, gif, 0)
    const done = await ask(`/x/2/media/upload/${id}/finalize`, { key, method: 'POST' })
    expect(done.body['data']?.['processing_info']).toEqual({ state: 'pending', check_after_secs: 1 })
    expect((await post(key, { text: 'hi', media: { media_ids: [id] } })).status).toBe(400)
    const status = async () =>
      (await ask(`/x/2/media/upload?command=STATUS&media_id=${id}`, { key })).body['data']?.['processing_info']?.[
        'state'
      ]
    expect([await status(), await status()]).toEqual(['in_progress', 'succeeded'])
    expect((await post(key, { text: 'hi', media: { media_ids: [id] } })).status).toBe(201)
  })
  it('accept no more bytes than announced', async () => {
    const { key } = await connected()
    const id = String((await begin(key, png, 'image/png', 'tweet_image')).body['data']?.['id'])
    expect((await append(key, id, png.slice(0, 40), 0)).status).toBe(200)
    expect((await append(key, id, png.slice(39), 1)).status).toBe(400)
    expect((await append(key, id, new Uint8Array(0), 2)).status).toBe(400)
    // A segment at an existing place replaces it.
    expect((await append(key, id, png.slice(0, 40), 0)).status).toBe(200)
    expect((await append(key, id, png.slice(40), 1)).status).toBe(200)
    expect((await ask(`/x/2/media/upload/${id}/finalize`, { key, method: 'POST' })).status).toBe(200)
  })
  it('are rejected when incomplete, invalid or another user’s', async () => {
    const { key } = await connected()
    const id = String((await begin(key, png, 'image/png', 'tweet_image')).body['data']?.['id'])
    await append(key, id, png.slice(40), 0)
    expect((await ask(`/x/2/media/upload/${id}/finalize`, { key, method: 'POST' })).status).toBe(400)
    const other = await connected('Other')
    expect((await append(other.key, id, png, 0)).status).toBe(400)
    expect((await begin(key, new Uint8Array(6 * 1024 * 1024), 'image/png', 'tweet_image')).status).toBe(400)
  })
})

describe('the timeline', () => {
  it('paginates newest first from a time on, with links to be restored', async () => {
    const { key, id } = await connected()
    await post(key, { text: 'before' })
    raw.pass(2_000)
    for (let number = 0; number < 7; number++) await post(key, { text: `post ${number} example.com <3` })
    const query = {
      start_time: raw.now.replace('.000Z', 'Z'),
      max_results: '5',
      'tweet.fields': 'created_at,text,entities',
      exclude: 'retweets',
    }
    const first = await ask(`/x/2/users/${id}/tweets?${new URLSearchParams(query)}`, { key })
    expect(first.body['meta']).toEqual({ result_count: 5, next_token: expect.any(String) })
    expect(first.body['data']?.[0]).toMatchObject({
      created_at: raw.now,
      text: expect.stringMatching(/^post 6 https:\/\/t\.co\/\w+ &lt;3$/),
      entities: { urls: [{ start: 7, expanded_url: 'http://example.com' }] },
    })
    const token = String(first.body['meta']?.['next_token'])
    const second = await ask(`/x/2/users/${id}/tweets?${new URLSearchParams({ ...query, pagination_token: token })}`, {
      key,
    })
    expect(second.body['meta']).toEqual({ result_count: 2 })
  })
  it('has no data when it is empty, and rejects fractions of seconds and other users', async () => {
    const { key, id } = await connected()
    expect((await ask(`/x/2/users/${id}/tweets`, { key })).body).toEqual({ meta: { result_count: 0 } })
    expect((await ask(`/x/2/users/${id}/tweets?start_time=${raw.now}`, { key })).status).toBe(400)
    expect((await ask('/x/2/users/1/tweets', { key })).status).toBe(403)
  })
  it('returns growing figures, and reports missing posts with 200', async () => {
    const { key } = await connected()
    const { body } = await post(key, { text: 'hi' })
    const figures = async () =>
      (await ask(`/x/2/tweets/${String(body['data']?.['id'])}?tweet.fields=public_metrics`, { key })).body['data']?.[
        'public_metrics'
      ]
    expect(await figures()).toEqual({
      retweet_count: 0,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
      bookmark_count: 0,
      impression_count: 0,
    })
    raw.pass(60 * minute)
    expect(Number((await figures())?.['impression_count'])).toBeGreaterThan(5)
    expect(await ask('/x/2/tweets/1', { key })).toMatchObject({
      status: 200,
      body: { errors: [{ title: 'Not Found Error' }] },
    })
  })
})

describe('limits', () => {
  it('reset every quarter of an hour, and every response counts them down', async () => {
    await raw.sandbox.limit('twitter', { posts: 2, windowMs: 15 * minute })
    const { key } = await connected()
    const seen = async () => {
      const { status, headers } = await post(key, { text: 'hi' })
      return [
        status,
        headers.get('x-rate-limit-limit'),
        headers.get('x-rate-limit-remaining'),
        headers.get('x-rate-limit-reset'),
      ]
    }
    const reset = String(Date.parse('2026-03-01T10:15:00Z') / 1000)
    expect(await seen()).toEqual([201, '2', '1', reset])
    expect(await seen()).toEqual([201, '2', '0', reset])
    expect(await seen()).toEqual([429, '2', '0', reset])
    raw.pass(15 * minute)
    expect((await seen())[0]).toBe(201)
  })
})

describe('faults', () => {
  it.each([
    ['error-before', 503, 0],
    ['error-after', 503, 1],
    ['rate-limited', 429, 0],
    ['unauthorized', 401, 0],
    ['duplicate', 403, 0],
    ['slow', 201, 1],
  ] as const)('%s returns %i with %i posts accepted', async (kind, status, posts) => {
    const { key } = await connected()
    await raw.sandbox.plan('twitter', 'Blue Cup', { kind, retryAfterSeconds: 17, delayMs: 5 })
    const answer = await post(key, { text: 'hi' })
    expect(answer.status).toBe(status)
    if (kind === 'rate-limited')
      expect(answer.headers.get('x-rate-limit-reset')).toBe(String(Date.parse(raw.now) / 1000 + 17))
    if (kind === 'duplicate') expect(answer.body).toMatchObject({ detail: expect.stringContaining('duplicate') })
    expect(await raw.sandbox.posts()).toHaveLength(posts)
    expect((await post(key, { text: 'hi' })).status).toBe(201)
  })
  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
  ] as const)('%s disconnects with %i posts accepted', async (kind, posts) => {
    const { key } = await connected()
    await raw.sandbox.plan('twitter', 'Blue Cup', { kind })
    await expect(post(key, { text: 'hi' })).rejects.toThrow('fetch failed')
    expect(await raw.sandbox.posts()).toHaveLength(posts)
  })
  it('apply only to their planned step', async () => {
    const { key, id, refresh } = await connected()
    for (const step of ['lookup', 'renew', 'prepare', 'metrics'] as const)
      await raw.sandbox.plan('twitter', 'Blue Cup', { kind: 'error-before', step })
    expect((await post(key, { text: 'hi' })).status).toBe(201)
    expect((await ask(`/x/2/users/${id}/tweets`, { key })).status).toBe(503)
    expect((await ask('/x/2/tweets/1', { key })).status).toBe(503)
    expect((await ask('/x/2/media/upload/initialize', { key, json: {} })).status).toBe(503)
    expect((await renew(refresh)).status).toBe(503)
    expect((await renew(refresh)).status).toBe(200)
  })
})
