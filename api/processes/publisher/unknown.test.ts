/**
 * An attempt whose outcome is unknown: when it is looked up, what a look-up may decide, and what a user does.
 *
 * @module-tag long
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { later } from '../../core/clock.ts'
import type { Account, World, WorldOptions } from '../test/helpers.ts'
import { publisherDefaults } from './config.ts'
import { createPublisher } from './publisher.ts'
import { sentBy } from './look-ups.ts'
import { Stage } from './test/stage.ts'
import { Fate } from './test/steps.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const soon = { ...patience, interval: 5 }

let stage: Stage
let world: World
let account: Account
afterEach(() => stage.close())

async function open(platform: Platform = 'facebook', beginning: WorldOptions = {}): Promise<void> {
  stage = await Stage.open(beginning, 1)
  world = stage.world
  account = await world.addAccount(await world.addClient(), platform)
}

type Fault = Parameters<World['sandbox']['plan']>[2]['kind']

/** Schedules a post, lets its sending fail, and waits until its outcome is unknown and was looked up once. */
async function fail(kind: Fault): Promise<string> {
  await world.sandbox.plan(account.platform, account.name, { kind })
  const postId = await world.schedule(account, 'Hello', minute)
  await stage.move(minute)
  await stage.untilTaken([postId])
  await vi.waitFor(async () => expect((await world.views.duePosts.get(postId))?.delivery).toBe('unknown'), soon)
  await stage.look()
  return postId
}

const typesOf = async (postId: string) => (await world.eventsOf(`post-${postId}`)).map(({ type }) => type)
const decide = async (postId: string) => {
  const attemptId = (await world.post(postId)).attemptId ?? expect.fail('never claimed')
  await world.commands.post(postId, { type: 'ResolveAsNotLive', attemptId }, world.by)
  await stage.look()
  await stage.untilTaken([postId])
}
/**
 * Fails a post after another one with the same text, which is live by a user's word, until both are listed if they are
 * live.
 */
async function failBesideLive(kind: Fault): Promise<string> {
  await open('facebook', { feedLagMs: () => 10 * minute })
  const [live, other] = [await fail('reset-after'), await fail(kind)]
  await world.commands.post(live, { type: 'ResolveAsLive', attemptId: null, url: null, remoteId: null }, world.by)
  await pass(35 * minute)
  return other
}

/** Moves the clock in steps, so that no look-up is passed over. */
async function pass(ms: number, step = 10 * minute): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) await stage.move(Math.min(step, ms - passed))
}
/** At which of these minutes, after the request can have been on its way at the latest, the outcome is looked up. */
async function lookedUpAt(minutes: readonly number[], postId: string): Promise<readonly number[]> {
  const claimedAt = (await world.views.duePosts.get(postId))?.claimedAt ?? expect.fail('never claimed')
  const from = Date.parse(sentBy(claimedAt, publisherDefaults))
  const found: number[] = []
  for (const at of minutes) {
    const before = stage.lookUps
    await stage.move(from + at * minute - Date.parse(world.clock.now()))
    if (stage.lookUps > before) found.push(at)
  }
  return found
}

describe('an unknown outcome', () => {
  it.each(['timeout-before', 'reset-before', 'error-before'] as const)(
    '(%s) is never sent again by itself: a user says that the post is not live',
    async (kind) => {
      await open()
      const postId = await fail(kind)
      await pass(50 * minute)
      expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
      await decide(postId)
      expect(await world.post(postId)).toMatchObject({ status: 'published', attempts: 2 })
      expect(await world.feed()).toEqual(['Hello'])
    },
  )

  it('that a user settles hours later as not live is sent then, and not held as overdue', async () => {
    await open()
    const postId = await fail('reset-before')
    await pass(3 * hour, hour)
    await decide(postId)
    expect(await world.post(postId)).toMatchObject({ status: 'published', attempts: 2 })
  })

  it.each(['facebook', 'twitter', 'linkedin'] as const)(
    'of a post that %s lists only after 40 minutes is found live, and nothing is sent twice',
    async (platform) => {
      await open(platform, { feedLagMs: () => 40 * minute })
      const postId = await fail('reset-after')
      await pass(39 * minute)
      expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
      await pass(25 * minute)
      expect(await world.post(postId)).toMatchObject({ status: 'published', remoteId: expect.any(String) })
      expect(await world.feed()).toEqual(['Hello'])
    },
  )

  it('is looked up at once, after 1, 3, 10 and 30 minutes, then hourly for a day', async () => {
    await open()
    const postId = await fail('reset-before')
    expect(stage.lookUps).toBe(1)
    const hours = Array.from({ length: 25 }, (_, index) => (index + 1) * 60)
    const minutes = [0, 1, 2, 3, 9, 10, 29, 30, 59, ...hours]
    expect(await lookedUpAt(minutes, postId)).toEqual([1, 3, 10, 30, ...hours.slice(0, 24)])
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
  })

  it('keeps its schedule when another publisher takes over', async () => {
    await open()
    await fail('reset-before')
    await stage.leave()
    await stage.fill()
    await stage.look()
    expect(stage.lookUps).toBe(1)
    await stage.move(4 * minute)
    expect(stage.lookUps).toBe(2)
  })

  it.each([false, true])(
    'is looked up again after a clock that was days ahead during one look-up (another publisher: %s)',
    async (isAnother) => {
      await open()
      const postId = await fail('reset-before')
      await stage.move(3 * day)
      expect(stage.lookUps).toBe(2)
      world.clock.advance(-3 * day)
      if (isAnother) {
        await stage.leave()
        await stage.fill()
      }
      await stage.look()
      expect(stage.lookUps).toBe(3)
      await stage.move(4 * minute)
      expect(stage.lookUps).toBe(4)
      expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
    },
  )

  it('of an attempt that began while the clock was days ahead is looked up every hour', async () => {
    await open()
    const postId = await fail('reset-before')
    await stage.leave()
    world.clock.advance(-3 * day)
    await stage.fill()
    await stage.look()
    const before = stage.lookUps
    await pass(3 * hour)
    expect(stage.lookUps).toBe(before + 3)
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
  })

  it('of a crashed publisher stays unknown: the request may have been sent', async () => {
    await open()
    stage.watchers = [new Fate('before publish', 1)]
    const postId = await world.schedule(account, 'Hello', minute)
    await stage.move(minute)
    await stage.fill()
    await pass(30 * minute)
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
  })

  it('does not take the copy of another post with the same text, which a user said is live, for its own', async () => {
    const other = await failBesideLive('reset-before')
    expect(await world.feed()).toEqual(['Hello'])
    expect(await world.post(other)).toMatchObject({ delivery: 'unknown', attempts: 1 })
    await decide(other)
    expect(await world.post(other)).toMatchObject({ status: 'published', attempts: 2 })
  })

  it('is found live beside another such post where the network lists two copies', async () => {
    const other = await failBesideLive('reset-after')
    expect(await world.feed()).toEqual(['Hello', 'Hello'])
    expect(await world.post(other)).toMatchObject({ status: 'published', remoteId: expect.any(String) })
  })

  it('tells the user what was looked for, and until when the network may be slow to show the post', async () => {
    await open()
    const postId = await fail('reset-before')
    const now = world.clock.now()
    expect(await world.delivery(postId)).toMatchObject({
      act: 'resolve',
      evidence: {
        attemptedAt: now,
        sentence: 'We looked for the post on Facebook once, and the post was not listed.',
        lookedAt: now,
        nextLookAt: later(sentBy(now, publisherDefaults), minute),
        earlyUntil: later(now, hour),
      },
    })
    await pass(61 * minute)
    expect((await world.delivery(postId)).evidence).toMatchObject({
      sentence: expect.stringMatching(/^We looked for the post on Facebook \d times, and the post was not listed\.$/),
      earlyUntil: null,
    })
    await world.sandbox.plan('facebook', account.name, { kind: 'error-before', step: 'lookup' })
    await pass(hour)
    expect((await world.delivery(postId)).evidence?.sentence).toMatch(/^We looked .* times\. The last time: .*error/)
    await world.commands.post(postId, { type: 'ResolveAsLive', attemptId: null, url: null, remoteId: null }, world.by)
    expect((await world.delivery(postId)).evidence).toBeNull()
  })
})

describe('on Instagram, whose containers state whether they were published,', () => {
  it('a post that is provably not live is sent again once no request can be on its way', async () => {
    await open('instagram', { feedLagMs: () => 40 * minute })
    const postId = await fail('reset-before')
    await stage.move(2 * minute)
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
    // The clock of the publisher that sent the post may be some minutes behind.
    await stage.move(5 * minute)
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
    await stage.move(6 * minute)
    await stage.untilTaken([postId])
    expect(await world.post(postId)).toMatchObject({ status: 'published', attempts: 2 })
    expect(await typesOf(postId)).toContain('PostFoundAbsent')
    expect(await world.feed()).toEqual(['Hello'])
  })

  it('of a second attempt is not settled by a late look-up of the first one', async () => {
    await open('instagram', { feedLagMs: () => 40 * minute })
    const postId = await fail('reset-before')
    let isFound = false
    let answer = () => {}
    const isAnswered = new Promise<void>((resolve) => (answer = resolve))
    const { instagram } = world.networks
    const networks = {
      ...world.networks,
      instagram: {
        ...instagram,
        lookUp: async (...asked: Parameters<typeof instagram.lookUp>) => {
          const found = await instagram.lookUp(...asked)
          isFound = true
          await isAnswered
          return found
        },
      },
    }
    await stage.leave()
    const slow = createPublisher({ ...world, networks, config: { pollMs: 5, settleMs: 5 } })
    slow.start()
    try {
      world.clock.advance(4 * minute)
      await vi.waitFor(() => expect(isFound).toBe(true), soon)
      await world.sandbox.plan('instagram', account.name, { kind: 'reset-after' })
      const attemptId = (await world.post(postId)).attemptId ?? expect.fail('never claimed')
      await world.commands.post(postId, { type: 'ResolveAsNotLive', attemptId }, world.by)
      await stage.fill()
      await vi.waitFor(
        async () => expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 2 }),
        soon,
      )
    } finally {
      answer()
      await slow.stop()
    }
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 2 })
    expect((await typesOf(postId)).filter((type) => type === 'PostFoundAbsent')).toHaveLength(1)
    await stage.look()
    await stage.untilTaken([postId])
    expect(await world.feed()).toEqual(['Hello'])
  })

  it('a published post is recorded as soon as it is listed', async () => {
    await open('instagram', { feedLagMs: () => 40 * minute })
    const postId = await fail('reset-after')
    await pass(35 * minute)
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown', attempts: 1 })
    expect((await world.delivery(postId)).evidence?.sentence).toMatch(/has published the post/)
    await pass(30 * minute)
    expect(await world.post(postId)).toMatchObject({ status: 'published', remoteId: expect.any(String) })
    expect(await world.feed()).toEqual(['Hello'])
  })

  it('a published post that is never listed is recorded without its address after an hour', async () => {
    await open('instagram', { feedLagMs: () => 24 * hour })
    const postId = await fail('reset-after')
    await pass(65 * minute)
    expect(await world.post(postId)).toMatchObject({ status: 'published', url: null, remoteId: null })
    expect(await world.feed()).toEqual(['Hello'])
  })
})
