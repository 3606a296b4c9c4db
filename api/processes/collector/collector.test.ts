import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Platform } from '../../../domain/core/values.ts'
import { createPublisher } from '../publisher/publisher.ts'
import { facebook } from '../../networks/facebook/connector.ts'
import { facebookDefaults } from '../../networks/facebook/settings.ts'
import { scripted } from '../../networks/test/helpers.ts'
import { openWorld, soon, type Account, type World } from '../test/helpers.ts'
import { collectorDefaults, createCollector, type Collector } from './collector.ts'

let world: World
let running: Collector[]
const hour = 3_600_000

beforeEach(async () => {
  running = []
  world = await openWorld()
})
afterEach(async () => {
  await Promise.all(running.map((collector) => collector.stop()))
  await world.remove()
})

const start = (networks = world.networks, postsAtATime = 500) => {
  const collector = createCollector({ ...world, networks, config: { pollMs: 10, postsAtATime } })
  running.push(collector)
  collector.start()
}
const published = async (account: Account): Promise<string> => {
  const postId = await world.schedule(account, `Hello ${account.platform}`)
  world.clock.advance(60_000)
  const publisher = createPublisher({ ...world, config: { pollMs: 10, settleMs: 10 } })
  publisher.start()
  await vi.waitFor(
    async () => expect(await world.views.figuresDue.get(postId)).toMatchObject({ publishedAt: world.clock.now() }),
    soon,
  )
  await publisher.stop()
  return postId
}
const hasReadings = (postId: string, readings: number) =>
  vi.waitFor(async () => expect(await world.views.figuresDue.get(postId)).toMatchObject({ readings }), soon)
const recordedOf = async (postId: string) =>
  (await world.eventsOf(`post-${postId}`)).filter(({ type }) => type === 'PostMetricsRecorded').map(({ data }) => data)
const addAccount = async (platform: Platform) => world.addAccount(await world.addClient(), platform)

it("reads a post's figures after 1 h, 6 h and 24 h, then daily for 30 days", () => {
  const hours = collectorDefaults.ages.map((age) => age / hour)
  expect(hours.slice(0, 5)).toEqual([1, 6, 24, 48, 72])
  expect(hours.at(-1)).toBe(30 * 24)
})

it('reads readable posts even when posts of a removed account come first', async () => {
  const gone = await addAccount('facebook')
  const unreadable = [await published(gone), await published(gone), await published(gone)]
  await world.vault.remove(gone.accountId)
  const readable = await published(await addAccount('linkedin'))
  start(world.networks, 2)
  world.clock.advance(hour)
  await hasReadings(readable, 1)
  for (const postId of unreadable) expect(await world.views.figuresDue.get(postId)).toMatchObject({ readings: 0 })
})

it('records each reading once, with the difference to the previous one', async () => {
  const postId = await published(await addAccount('facebook'))
  start()
  start()
  world.clock.advance(hour)
  await hasReadings(postId, 1)
  world.clock.advance(5 * hour)
  await hasReadings(postId, 2)
  const [first, second] = await recordedOf(postId)
  expect(first).toMatchObject({ reading: 0, totals: { views: expect.any(Number), shares: expect.any(Number) } })
  expect(second).toMatchObject({ reading: 1 })
  const views = (data: object | undefined, of: 'totals' | 'delta'): unknown =>
    (data as Record<string, { views: number }> | undefined)?.[of]?.views
  expect(Number(views(first, 'totals')) + Number(views(second, 'delta'))).toBe(views(second, 'totals'))
  expect(Number(views(second, 'delta'))).toBeGreaterThan(0)
})

it('distinguishes a figure that the network does not offer from zero', async () => {
  const postId = await published(await addAccount('instagram'))
  start()
  world.clock.advance(hour)
  await hasReadings(postId, 1)
  expect(await recordedOf(postId)).toMatchObject([{ totals: { shares: null }, delta: { shares: 0 } }])
})

it('continues with other posts when one cannot be read, and retries that one later', async () => {
  const broken = await addAccount('facebook')
  const posts = [await published(broken), await published(await addAccount('linkedin'))]
  const connection = await world.vault.get(broken.accountId)
  if (!connection) throw new Error('not connected')
  await world.vault.put(broken.accountId, { ...connection, tokens: { ...connection.tokens, accessToken: 'stale' } })
  start()
  world.clock.advance(hour)
  await hasReadings(posts[1] ?? '', 1)
  // Until then, the collector may still be about to find the new tokens.
  await vi.waitFor(async () => {
    const { state } = await world.commands.loadClient(broken.clientId)
    expect(state.accounts[broken.accountId]?.isConnected).toBe(false)
  }, soon)
  expect(await recordedOf(posts[0] ?? '')).toEqual([])
  await world.vault.put(broken.accountId, connection)
  world.clock.advance(6 * hour)
  await hasReadings(posts[0] ?? '', 1)
})

it('does not record the same figures repeatedly after an outage', async () => {
  const postId = await published(await addAccount('facebook'))
  world.clock.advance(3 * 24 * hour)
  start()
  await hasReadings(postId, 1)
  const other = await published(await addAccount('linkedin'))
  world.clock.advance(hour)
  await hasReadings(other, 1)
  expect(await recordedOf(postId)).toHaveLength(1)
})

it('skips deleted posts', async () => {
  const account = await addAccount('facebook')
  const [gone, kept] = [await published(account), await published(account)]
  await world.commands.post(gone, { type: 'DeletePost', because: 'asked' }, world.by)
  start()
  world.clock.advance(hour)
  await hasReadings(kept, 1)
  expect(await recordedOf(gone)).toEqual([])
})

it('A metric that the network retired keeps its last value; the other metrics continue', async () => {
  const account = await addAccount('facebook')
  const postId = await published(account)
  let isRetired = false
  const graph = await scripted(({ path }) => {
    if (path.includes('post_media_view')) {
      const gone = {
        status: 400,
        body: { error: { message: 'The value must be a valid insights metric', type: 'OAuthException', code: 100 } },
      }
      return isRetired
        ? gone
        : { body: { data: [{ name: 'post_media_view', period: 'lifetime', values: [{ value: 120 }] }] } }
    }
    const likes = isRetired ? 9 : 4
    if (path.includes('post_reactions_by_type_total'))
      return {
        body: {
          data: [{ name: 'post_reactions_by_type_total', period: 'lifetime', values: [{ value: { like: likes } }] }],
        },
      }
    if (path.includes('comments')) return { body: { comments: { summary: { total_count: 2 } } } }
    return { body: { shares: { count: 1 } } }
  })
  const setup = { mode: 'live', clock: world.clock, timeoutMs: 2_000, clientId: 'id', clientSecret: 'secret' } as const
  start({ ...world.networks, facebook: facebook({ ...facebookDefaults, ...setup, graphUrl: graph.url }) })
  try {
    world.clock.advance(hour)
    await hasReadings(postId, 1)
    isRetired = true
    world.clock.advance(5 * hour)
    await hasReadings(postId, 2)
  } finally {
    await running[0]?.stop()
    await graph.close()
  }
  expect(await recordedOf(postId)).toMatchObject([
    { totals: { views: 120, likes: 4 }, delta: { views: 120, likes: 4, engagement: 7 } },
    { totals: { views: null, likes: 9 }, delta: { views: 0, likes: 5, engagement: 5 } },
  ])
  expect((await world.post(postId)).totals).toEqual({ views: 120, likes: 9, comments: 2, shares: 1 })
  const measured = { views: 120, likes: 9, comments: 2, shares: 1, engagement: 12 }
  await vi.waitFor(
    async () =>
      expect(await world.views.analytics.get(`${account.clientId}:facebook`)).toMatchObject({
        measured,
        measuredAt: world.clock.now(),
      }),
    soon,
  )
})
