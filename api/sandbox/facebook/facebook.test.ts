/** Facebook over plain HTTP, as documented for the Graph API. */
import { describe, expect, it } from 'vitest'
import { freshSandbox, png } from '../test/raw.ts'
import { redirectUri } from '../test/serving.ts'

const raw = freshSandbox()
const { ask } = raw
const scope = 'pages_show_list,pages_manage_posts,pages_read_engagement,business_management,read_insights'
const day = 24 * 3_600_000

const graph = (path: string, asking?: Parameters<typeof ask>[1]) => ask(`/facebook/v25.0/${path}`, asking)
const consent = (profiles: readonly string[], query: Readonly<Record<string, string>> = {}) =>
  raw.consent('/facebook/v25.0/dialog/oauth', { scope, ...query }, profiles)
const app = { client_id: 'app', client_secret: 'secret' }
const trade = (back: URL) =>
  graph('oauth/access_token', {
    form: { ...app, redirect_uri: redirectUri, code: back.searchParams.get('code') ?? '' },
  })
const lengthen = (key: string) =>
  graph('oauth/access_token', { form: { ...app, grant_type: 'fb_exchange_token', fb_exchange_token: key } })

async function person(...names: readonly string[]) {
  const short = await trade(await consent(names))
  const long = await lengthen(String(short.body['access_token']))
  return { short: String(short.body['access_token']), long: String(long.body['access_token']) }
}
async function page(name = 'Blue Cup') {
  const { long } = await person(name)
  const { body } = await graph('me/accounts?fields=id,name,access_token&limit=100', { key: long })
  return { id: String(body['data']?.[0]?.['id']), key: String(body['data']?.[0]?.['access_token']), long }
}
const post = ({ id, key }: { readonly id: string; readonly key: string }, form: Readonly<Record<string, string>>) =>
  graph(`${id}/feed`, { key, form })
const photo = ({ id, key }: { readonly id: string; readonly key: string }, bytes: Uint8Array<ArrayBuffer>) => {
  const data = new FormData()
  data.set('source', new Blob([bytes], { type: 'image/png' }), 'a.png')
  data.set('published', 'false')
  return graph(`${id}/photos`, { key, data })
}

describe('consent', () => {
  it('returns code and state, with #_=_ appended', async () => {
    const back = await consent(['Blue Cup'])
    expect(back.search).toMatch(/^\?code=[\w-]+&state=s$/)
    expect(back.hash).toBe('#_=_')
  })
  it('exchanges the code once for a short-lived token, and that for 60 days', async () => {
    const back = await consent(['Blue Cup'])
    const short = await trade(back)
    expect(short.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 5_400 })
    expect(await trade(back)).toMatchObject({
      status: 400,
      body: { error: { type: 'OAuthException', code: 100, fbtrace_id: expect.any(String) } },
    })
    expect((await lengthen(String(short.body['access_token']))).body).toMatchObject({ expires_in: 60 * 24 * 3600 })
    expect(await lengthen('nothing')).toMatchObject({ status: 401, body: { error: { code: 190 } } })
  })
})

describe('pages', () => {
  it('are listed directly and by business, the last of three only by its business', async () => {
    const { long } = await person('One', 'Two', 'Three')
    const names = async (path: string) =>
      Object.values((await graph(`${path}?fields=id,name,access_token`, { key: long })).body['data'] ?? {}).map(
        (found) => found['name'],
      )
    expect(await names('me/accounts')).toEqual(['One', 'Two'])
    const business = (await graph('me/businesses?fields=id,name', { key: long })).body['data']?.[0]
    expect(business).toEqual({ id: expect.stringMatching(/^\d+$/), name: 'Sandbox business' })
    expect(await names(`${String(business?.['id'])}/owned_pages`)).toEqual(['Two', 'Three'])
    expect(await names(`${String(business?.['id'])}/client_pages`)).toEqual([])
    expect((await graph('12/owned_pages', { key: long })).status).toBe(400)
  })
  it('are paginated, with a cursor and a URL that contains the token', async () => {
    const { long } = await person(...Array.from({ length: 5 }, (_, index) => `Page ${index}`))
    const first = await graph('me/accounts?fields=id&limit=3', { key: long })
    const paging = first.body['paging']
    expect(String(paging?.['next'])).toContain(`access_token=${long}`)
    const rest = await graph(`me/accounts?fields=id&limit=3&after=${String(paging?.['cursors']?.['after'])}`, {
      key: long,
    })
    expect(rest.body['data']).toHaveLength(1)
    expect(rest.body['paging']).not.toHaveProperty('next')
  })
  it("have tokens that don't expire, unless created from a short-lived one", async () => {
    const { short, long } = await person('Blue Cup')
    const keyFrom = async (key: string) =>
      String((await graph('me/accounts', { key })).body['data']?.[0]?.['access_token'])
    const [ending, lasting] = [await keyFrom(short), await keyFrom(long)]
    const id = String((await graph('me/accounts', { key: long })).body['data']?.[0]?.['id'])
    raw.pass(100 * day)
    expect(await graph(`${id}?fields=id,name`, { key: ending })).toMatchObject({
      status: 401,
      body: { error: { code: 190, error_subcode: 463 } },
    })
    expect((await graph(`${id}?fields=id,name`, { key: lasting })).body).toEqual({ id, name: 'Blue Cup' })
    expect((await graph('me/accounts', { key: long })).status).toBe(401)
  })
  it('lose their tokens with the user’s consent, or individually when revoked', async () => {
    const one = await page('One')
    await graph('me/permissions', { key: one.long, method: 'DELETE' })
    expect((await graph(one.id, { key: one.key })).body['error']).toMatchObject({ code: 190, error_subcode: 458 })
    const two = await page('Two')
    await raw.sandbox.revoke('facebook', 'Two')
    expect((await graph(two.id, { key: two.key })).status).toBe(401)
    expect((await graph('me/accounts', { key: two.long })).status).toBe(200)
  })
})

describe('posts', () => {
  it('have the Page’s id in theirs, and a URL', async () => {
    const own = await page()
    const { status, body } = await post(own, { message: 'Grüße 👋' })
    expect(status).toBe(200)
    expect(body).toEqual({ id: expect.stringMatching(new RegExp(`^${own.id}_\\d+$`)) })
    const result = await graph(`${String(body['id'])}?fields=permalink_url`, { key: own.key })
    const shown = await ask(String(result.body['permalink_url']))
    expect(shown.text).toContain('Grüße 👋')
  })
  it('carry photos that were uploaded before, only once', async () => {
    const own = await page()
    const uploaded = await photo(own, png)
    const attached = { message: 'hi', 'attached_media[0]': JSON.stringify({ media_fbid: String(uploaded.body['id']) }) }
    expect(await raw.sandbox.posts()).toEqual([])
    expect((await post(own, attached)).status).toBe(200)
    expect((await post(own, attached)).status).toBe(400)
    const [shown] = await raw.sandbox.posts()
    expect(shown?.imageHash).toMatch(/^[0-9a-f]{64}$/)
    expect((await ask(`/feeds/facebook/${own.id}`)).text).toContain(`/images/${shown?.imageHash}`)
    const other = await page('Other')
    expect(
      (
        await post(other, {
          message: 'x',
          'attached_media[0]': JSON.stringify({ media_fbid: String((await photo(own, png)).body['id']) }),
        })
      ).status,
    ).toBe(400)
  })
  it('reject photos that are invalid or too large', async () => {
    const own = await page()
    const bad = { status: 400, body: { error: { code: 100, error_subcode: 1366046 } } }
    expect(await photo(own, new Uint8Array(50))).toMatchObject(bad)
    expect(await photo(own, new Uint8Array(5 * 1024 * 1024))).toMatchObject(bad)
  })
  it('are rejected when empty, too long, without a Page’s token, or for another Page', async () => {
    const own = await page()
    const other = await page('Other')
    expect((await post(own, { message: ' ' })).body['error']).toMatchObject({ code: 100 })
    expect((await post(own, { message: 'x'.repeat(63_207) })).body['error']).toMatchObject({ code: 100 })
    expect((await post({ ...own, key: own.long }, { message: 'x' })).body['error']).toMatchObject({ code: 210 })
    expect((await post({ ...own, key: other.key }, { message: 'x' })).status).toBe(400)
    expect((await post({ ...own, key: 'nothing' }, { message: 'x' })).status).toBe(401)
    expect(await raw.sandbox.posts()).toEqual([])
  })
  it('require the permission', async () => {
    const short = await trade(await consent(['Blue Cup'], { scope: 'pages_show_list' }))
    const { body } = await graph('me/accounts', { key: String(short.body['access_token']) })
    const own = { id: String(body['data']?.[0]?.['id']), key: String(body['data']?.[0]?.['access_token']) }
    expect(await post(own, { message: 'x' })).toMatchObject({ status: 403, body: { error: { code: 200 } } })
  })
})

describe('reading', () => {
  it('paginates the feed, newest first, since a given second', async () => {
    const own = await page()
    await post(own, { message: 'before' })
    raw.pass(1_500)
    for (let number = 0; number < 3; number++) await post(own, { message: `post ${number}` })
    const since = Math.floor(Date.parse(raw.now) / 1000)
    const first = await graph(`${own.id}/feed?fields=id,message,created_time,permalink_url&since=${since}&limit=2`, {
      key: own.key,
    })
    expect(first.body['data']?.[0]).toEqual({
      id: expect.any(String),
      message: 'post 2',
      created_time: '2026-03-01T10:00:01+0000',
      permalink_url: expect.any(String),
    })
    const next = await graph(
      `${own.id}/feed?fields=message&since=${since}&limit=2&after=${String(first.body['paging']?.['cursors']?.['after'])}`,
      { key: own.key },
    )
    expect(next.body['data']).toEqual([{ id: expect.any(String), message: 'post 0' }])
    expect(next.body['paging']).not.toHaveProperty('next')
  })
  it('returns each figure, and fails a call with a retired one', async () => {
    const own = await page()
    const id = String((await post(own, { message: 'hi' })).body['id'])
    const insight = (metric: string) => graph(`${id}/insights?metric=${metric}&period=lifetime`, { key: own.key })
    expect((await graph(`${id}?fields=shares`, { key: own.key })).body).toEqual({ id })
    raw.pass(3 * day)
    const views = (await insight('post_media_view')).body['data']?.[0]
    expect(views).toMatchObject({ name: 'post_media_view', period: 'lifetime' })
    expect(Number(views?.['values']?.[0]?.['value'])).toBeGreaterThan(50)
    expect((await insight('post_reactions_by_type_total')).body['data']?.[0]?.['values']?.[0]?.['value']).toEqual({
      like: expect.any(Number),
      love: expect.any(Number),
    })
    expect(
      (await graph(`${id}?fields=comments.summary(true).limit(0)`, { key: own.key })).body['comments']?.['summary'],
    ).toMatchObject({ total_count: expect.any(Number) })
    expect(await insight('post_impressions,post_media_view')).toMatchObject({
      status: 400,
      body: { error: { code: 100 } },
    })
  })
})

describe('limits and faults', () => {
  it('report the minutes until the limit resets', async () => {
    const own = await page()
    await raw.sandbox.limit('facebook', { posts: 1, windowMs: 3_600_000 })
    await post(own, { message: 'one' })
    raw.pass(600_000)
    const { status, body, headers } = await post(own, { message: 'two' })
    expect({ status, code: body['error']?.['code'] }).toEqual({ status: 400, code: 80001 })
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')[own.id]).toMatchObject([
      { type: 'pages', estimated_time_to_regain_access: 50 },
    ])
    raw.pass(3_000_000)
    expect((await post(own, { message: 'two' })).status).toBe(200)
  })
  it.each([
    ['error-before', { status: 500, body: { error: { code: 2, is_transient: true } } }, 0],
    ['error-after', { status: 500 }, 1],
    ['rate-limited', { status: 400, body: { error: { code: 80001 } } }, 0],
    ['unauthorized', { status: 401, body: { error: { code: 190 } } }, 0],
    ['duplicate', { status: 400, body: { error: { code: 506 } } }, 0],
  ] as const)('%s is reported like by Graph', async (kind, answer, posts) => {
    const own = await page()
    await raw.sandbox.plan('facebook', 'Blue Cup', { kind })
    expect(await post(own, { message: 'hi' })).toMatchObject(answer)
    expect(await raw.sandbox.posts()).toHaveLength(posts)
    await raw.sandbox.plan('facebook', 'Blue Cup', { kind, step: 'prepare' })
    expect(await photo(own, png)).toMatchObject(answer)
  })
})
