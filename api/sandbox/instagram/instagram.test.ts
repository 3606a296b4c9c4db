/** Instagram over plain HTTP, as documented for its API with Instagram Login. */
import { describe, expect, it } from 'vitest'
import { freshSandbox } from '../test/raw.ts'
import { redirectUri } from '../test/serving.ts'

const photo = { type: 'image/jpeg', size: 100_000, width: 1080, height: 1080 }
const found = new Map([
  ['https://images.test/a.jpg', photo],
  ['https://images.test/large.jpg', { ...photo, size: 9_000_000 }],
  ['https://images.test/tall.jpg', { ...photo, height: 1920 }],
  ['https://images.test/a.png', { ...photo, type: 'image/png' }],
])
const raw = freshSandbox((url) => Promise.resolve(found.get(url) ?? null))
const { ask } = raw
const scope = 'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_insights'
const hour = 3_600_000

const graph = (path: string, key: string, form?: Readonly<Record<string, string>>) =>
  ask(`/instagram/v25.0/${path}`, { key, ...(form ? { form } : {}) })
const consent = (name = 'Blue Cup') => raw.consent('/instagram/oauth/authorize', { scope }, [name])
const trade = (back: URL) =>
  ask('/instagram/oauth/access_token', {
    form: {
      client_id: 'app',
      client_secret: 'secret',
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code: back.searchParams.get('code') ?? '',
    },
  })
const lengthen = (key: string) =>
  ask(`/instagram/access_token?grant_type=ig_exchange_token&client_secret=secret&access_token=${key}`)
const refresh = (key: string) => ask(`/instagram/refresh_access_token?grant_type=ig_refresh_token&access_token=${key}`)

async function account(name?: string) {
  const short = String((await trade(await consent(name))).body['access_token'])
  const key = String((await lengthen(short)).body['access_token'])
  const id = String((await graph('me?fields=user_id,username', key)).body['user_id'])
  return { id, key, short }
}
type Account = Awaited<ReturnType<typeof account>>
const contain = ({ id, key }: Account, more: Readonly<Record<string, string>> = {}) =>
  graph(`${id}/media`, key, { image_url: 'https://images.test/a.jpg', caption: 'Hi #tea', ...more })
const publish = ({ id, key }: Account, container: string) =>
  graph(`${id}/media_publish`, key, { creation_id: container })
const statusOf = async ({ key }: Account, container: string) =>
  (await graph(`${container}?fields=status_code,status`, key)).body['status_code']
async function published(own: Account) {
  const container = String((await contain(own)).body['id'])
  await statusOf(own, container)
  return String((await publish(own, container)).body['id'])
}

describe('consent', () => {
  it('returns the code with #_ appended', async () => {
    expect((await consent()).hash).toBe('#_')
  })
  it('returns an hour’s token, 60 days in exchange, and an account with two ids', async () => {
    const short = await trade(await consent())
    expect(short.body).toEqual({
      access_token: expect.any(String),
      user_id: expect.any(String),
      permissions: scope.split(','),
    })
    const long = await lengthen(String(short.body['access_token']))
    expect(long.body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 60 * 24 * 3600 })
    const me = await graph('me?fields=user_id,username', String(long.body['access_token']))
    expect(me.body).toEqual({
      user_id: expect.stringMatching(/^17841\d{12}$/),
      username: 'blue_cup',
      id: short.body['user_id'],
    })
    expect(me.body['id']).not.toBe(me.body['user_id'])
  })
  it('rejects a used code, in its own error format', async () => {
    const back = await consent()
    await trade(back)
    expect(await trade(back)).toMatchObject({
      status: 400,
      body: { error_type: 'OAuthException', code: 400, error_message: expect.any(String) },
    })
  })
})

describe('tokens', () => {
  it('can be refreshed after a day, before they expire', async () => {
    const { key, short } = await account()
    expect((await refresh(key)).status).toBe(400)
    raw.pass(24 * hour)
    const renewed = await refresh(key)
    expect(renewed.body).toMatchObject({ expires_in: 60 * 24 * 3600 })
    expect(await refresh(short)).toMatchObject({ status: 401, body: { error: { code: 190 } } })
    raw.pass(59.5 * 24 * hour)
    expect((await graph('me', key)).status).toBe(401)
    expect((await graph('me', String(renewed.body['access_token']))).status).toBe(200)
  })
  it('end when the owner revokes them', async () => {
    const { key } = await account()
    await raw.sandbox.revoke('instagram', 'Blue Cup')
    expect(await graph('me', key)).toMatchObject({ status: 401, body: { error: { code: 190 } } })
  })
})

describe('posts', () => {
  it('start as containers, are processed, and are published once', async () => {
    const own = await account()
    const container = String((await contain(own)).body['id'])
    expect((await publish(own, container)).body['error']).toMatchObject({ code: 9007, error_subcode: 2207027 })
    expect([await statusOf(own, container), await statusOf(own, container)]).toEqual(['IN_PROGRESS', 'FINISHED'])
    expect(await raw.sandbox.posts()).toEqual([])
    const id = String((await publish(own, container)).body['id'])
    expect(await statusOf(own, container)).toBe('PUBLISHED')
    expect((await publish(own, container)).status).toBe(400)
    const { body } = await graph(`${id}?fields=permalink`, own.key)
    expect((await ask(String(body['permalink']))).text).toContain('src="https://images.test/a.jpg"')
    expect(await raw.sandbox.posts()).toMatchObject([{ id, content: 'Hi #tea' }])
  })
  it('are ready after a second without a status request, and expire after a day', async () => {
    const own = await account()
    const [one, two] = [String((await contain(own)).body['id']), String((await contain(own)).body['id'])]
    raw.pass(1_000)
    expect((await publish(own, one)).status).toBe(200)
    raw.pass(24 * hour)
    expect(await statusOf(own, two)).toBe('EXPIRED')
    expect((await publish(own, two)).body['error']).toMatchObject({ code: 24, error_subcode: 2207008 })
  })
  it.each([
    ['https://images.test/none.jpg', 9004, 2207052],
    ['https://images.test/large.jpg', 36000, 2207004],
    ['https://images.test/a.png', 36001, 2207005],
    ['https://images.test/tall.jpg', 36003, 2207009],
  ])('%s is rejected with %i/%i', async (imageUrl, code, subcode) => {
    expect(await contain(await account(), { image_url: imageUrl })).toMatchObject({
      status: 400,
      body: { error: { code, error_subcode: subcode } },
    })
  })
  it('require an image, a short enough caption and the own account', async () => {
    const own = await account()
    const other = await account('Other')
    expect((await contain(own, { image_url: '' })).body['error']).toMatchObject({ code: 100 })
    expect((await contain(own, { caption: 'x'.repeat(2_201) })).body['error']).toMatchObject({ code: 36004 })
    expect((await contain({ ...own, key: other.key })).status).toBe(400)
    const container = String((await contain(own)).body['id'])
    raw.pass(1_000)
    expect((await publish(other, container)).body['error']).toMatchObject({ code: 24 })
  })
  it('count against the quota, which the account can request', async () => {
    const own = await account()
    await raw.sandbox.limit('instagram', { posts: 1, windowMs: 24 * hour })
    const quota = async () =>
      (await graph(`${own.id}/content_publishing_limit?fields=quota_usage,config`, own.key)).body['data']?.[0]
    expect(await quota()).toEqual({ quota_usage: 0, config: { quota_total: 1, quota_duration: 86_400 } })
    await published(own)
    expect(await quota()).toMatchObject({ quota_usage: 1 })
    const container = String((await contain(own)).body['id'])
    await statusOf(own, container)
    expect((await publish(own, container)).body['error']).toMatchObject({ code: 9, error_subcode: 2207042 })
    expect(await statusOf(own, container)).toBe('FINISHED')
  })
})

describe('reading', () => {
  it('paginates the media, newest first', async () => {
    const own = await account()
    const ids = [await published(own), await published(own), await published(own)]
    const first = await graph(`${own.id}/media?fields=id,caption,permalink,timestamp&limit=2`, own.key)
    expect(first.body['data']?.[0]).toEqual({
      id: ids[2],
      caption: 'Hi #tea',
      permalink: expect.any(String),
      timestamp: '2026-03-01T10:00:00+0000',
    })
    const next = await graph(
      `${own.id}/media?fields=id&limit=2&after=${String(first.body['paging']?.['cursors']?.['after'])}`,
      own.key,
    )
    expect(next.body['data']).toEqual([{ id: ids[0] }])
  })
  it('returns each figure by itself, and none that isn’t offered', async () => {
    const own = await account()
    const id = await published(own)
    raw.pass(24 * hour)
    const insight = (metric: string) => graph(`${id}/insights?metric=${metric}`, own.key)
    const views = (await insight('views')).body['data']?.[0]
    expect(views).toMatchObject({ name: 'views', period: 'lifetime' })
    expect(Number(views?.['values']?.[0]?.['value'])).toBeGreaterThan(50)
    expect((await insight('impressions')).body['error']).toMatchObject({ code: 100 })
    const other = await account('Other')
    expect((await graph(`${id}/insights?metric=views`, other.key)).status).toBe(400)
  })
})

describe('faults', () => {
  it.each([
    ['error-after', { status: 500, body: { error: { code: 2 } } }, 1],
    ['rate-limited', { status: 400, body: { error: { code: 80002 } } }, 0],
    ['unauthorized', { status: 401, body: { error: { code: 190 } } }, 0],
  ] as const)(
    '%s is reported like by Instagram, and the container shows whether it was published',
    async (kind, answer, posts) => {
      const own = await account()
      const container = String((await contain(own)).body['id'])
      await statusOf(own, container)
      await raw.sandbox.plan('instagram', 'Blue Cup', { kind })
      expect(await publish(own, container)).toMatchObject(answer)
      expect(await raw.sandbox.posts()).toHaveLength(posts)
      expect(await statusOf(own, container)).toBe(posts === 1 ? 'PUBLISHED' : 'FINISHED')
    },
  )
})
