/** @module-tag long */
import { afterEach, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { platforms, type Platform } from '../../../domain/core/values.ts'
import type { Limit } from '../../sandbox/limits.ts'
import { accountHealth } from '../../features/clients/health.ts'
import { randoms } from '../test/randoms.ts'
import type { Account } from '../test/helpers.ts'
import { Stage } from './test/stage.ts'
import { sample, seedOr } from '../../../domain/test/sample.ts'

const posts = sample('DRAIN_POSTS', { test: 72, long: 400 })
const seed = seedOr(20_261_121)
const accountsOfANetwork = 3
const minute = 60_000
const soon = { ...patience, interval: 5 }

let stage: Stage
afterEach(() => stage.close())

interface Due {
  readonly postId: string
  readonly account: Account
  readonly content: string
  readonly scheduledFor: string
}

/** Schedules this many posts within one minute, over several accounts of each network. */
async function pileUp(): Promise<Due[]> {
  // One publisher, as in the embedded default: two may overtake each other within an account.
  stage = await Stage.open({}, 1)
  const { world } = stage
  const random = randoms(seed)
  const clientId = await world.addClient()
  const accounts: Account[] = []
  for (const platform of platforms)
    for (let left = accountsOfANetwork; left > 0; left--) accounts.push(await world.addAccount(clientId, platform))
  const planned = Array.from({ length: posts }, async (_, index) => {
    const account = accounts[index % accounts.length]
    if (!account) throw new Error('There is no account')
    const content = `Post ${index}`
    const postId = await world.schedule(account, content, 10 * minute + random.whole(0, minute - 1))
    return { postId, account, content, scheduledFor: (await world.post(postId)).scheduledFor ?? '' }
  })
  return Promise.all(planned)
}

const byTime = (one: Due, other: Due) =>
  one.scheduledFor < other.scheduledFor
    ? -1
    : one.scheduledFor > other.scheduledFor
      ? 1
      : one.postId < other.postId
        ? -1
        : 1

/** Each post is in the feed once, in its account's order, and none before its time. */
async function expectAllOnceInOrder(due: readonly Due[]): Promise<void> {
  const feed = await stage.world.sandbox.posts()
  expect(feed.map(({ content }) => content).toSorted()).toEqual(due.map(({ content }) => content).toSorted())
  const byContent = new Map(due.map((post) => [post.content, post]))
  expect(feed.filter(({ content, createdAt }) => createdAt < (byContent.get(content)?.scheduledFor ?? ''))).toEqual([])
  const accounts = new Map(due.map(({ account }) => [account.accountId, account]))
  for (const { accountId } of accounts.values()) {
    const wanted = due.filter(({ account }) => account.accountId === accountId).toSorted(byTime)
    const sent = feed.filter(({ content }) => byContent.get(content)?.account.accountId === accountId)
    expect(sent.map(({ content }) => content)).toEqual(wanted.map(({ content }) => content))
  }
}

const left = async (due: readonly Due[]): Promise<Due[]> => {
  const states = await Promise.all(
    due.map(async (post) => ({ post, status: (await stage.world.post(post.postId)).status })),
  )
  return states.filter(({ status }) => status !== 'published').map(({ post }) => post)
}

it(
  'posts due in the same minute go out once each, in order, none early',
  { timeout: 60_000 + posts * 500 },
  async () => {
    const due = await pileUp()
    await stage.move(10 * minute)
    for (let second = 0; second < 60; second++) {
      await stage.move(1_000)
      await stage.untilTaken((await left(due)).map(({ postId }) => postId))
    }
    expect(await left(due)).toEqual([])
    await expectAllOnceInOrder(due)
  },
)

/** The networks' own limits, but lower, so that the posts need several windows. */
const share = Math.ceil(posts / platforms.length / accountsOfANetwork)
const limits: Readonly<Record<Platform, Limit>> = {
  facebook: { posts: Math.ceil(share / 3), windowMs: 10 * minute },
  instagram: { posts: Math.ceil(share / 2), windowMs: 60 * minute },
  twitter: { posts: Math.ceil(share / 4), windowMs: 15 * minute },
  linkedin: { posts: Math.ceil(share / 2), windowMs: 60 * minute },
}

it(
  "posts due in the same minute drain through the networks' limits in order, each with the cause and the end of its wait",
  { timeout: 60_000 + posts * 1_000 },
  async () => {
    const due = await pileUp()
    const { world } = stage
    for (const platform of platforms) await world.sandbox.limit(platform, limits[platform])
    await stage.move(11 * minute)
    const explained = new Set<string>()
    for (let moves = 0; (await left(due)).length > 0; moves++) {
      expect(moves).toBeLessThan(500)
      const waiting = await left(due)
      await stage.untilTaken(waiting.map(({ postId }) => postId))
      await explain(await left(due), explained)
      await stage.move(minute)
    }
    await expectAllOnceInOrder(due)
    for (const platform of platforms)
      expect(
        [...explained].some((postId) =>
          due.some((post) => post.postId === postId && post.account.platform === platform),
        ),
      ).toBe(true)
  },
)

/** Each waiting post states its cause and time, and so does its account. */
async function explain(waiting: readonly Due[], explained: Set<string>): Promise<void> {
  const { world } = stage
  const now = world.clock.now()
  const healthOf = accountHealth(world)
  for (const { postId, account } of waiting) {
    const { delivery } = await world.post(postId)
    const { sentence, act, at } = await world.delivery(postId)
    expect({ postId, delivery, act }).toEqual({
      postId,
      delivery: expect.stringMatching(/^(none|rejected)$/),
      act: 'wait',
    })
    expect(sentence).toMatch(/slow down|for now|takes no more|quota|too many|limit|try again automatically/i)
    expect(at !== null && at > now, `${sentence} ${at} at ${now}`).toBe(true)
    // The view may lag behind the log.
    await vi.waitFor(async () => {
      const view = await world.views.socialAccounts.get(account.accountId)
      expect(view && (await healthOf(view)).pause).toEqual({ until: at, because: expect.stringMatching(/\w/) })
    }, soon)
    explained.add(postId)
  }
}
