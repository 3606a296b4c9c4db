import { describe, expect, it } from 'vitest'
import { pause } from '../../../projections/core/pause.ts'
import { later } from '../../core/clock.ts'
import { account, becomes, heldBack, start, typesOf, usePublishers, within, world } from './test/publishers.ts'

usePublishers()

const pauseOf = async () => (await world.commands.loadClient(account.clientId)).state.accounts[account.accountId]

describe('a due post', () => {
  it('is published once, with its URL, and not before its time', async () => {
    start()
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(59_999)
    const other = await world.schedule(await world.addAccount(account.clientId, 'linkedin'), 'Now', 1)
    expect(await world.feed()).toEqual([])
    world.clock.advance(1)
    await becomes(postId, { status: 'published', delivery: 'none' })
    await becomes(other, { status: 'published' })
    expect((await world.feed()).toSorted()).toEqual(['Hello', 'Now'])
    const [published] = (await world.sandbox.posts()).filter(({ content }) => content === 'Hello')
    expect(await world.post(postId)).toMatchObject({
      remoteId: published?.id,
      url: expect.stringContaining(published?.id ?? '-'),
    })
  })

  it('is sent after the earlier posts of its account', async () => {
    const texts = Array.from({ length: 25 }, (_, index) => `Post ${String(index).padStart(2, '0')}`)
    for (const [index, text] of texts.entries()) await world.schedule(account, text, 60_000 + index)
    world.clock.advance(61_000)
    start()
    await within(async () => expect(await world.feed()).toHaveLength(25))
    expect(await world.feed()).toEqual(texts)
  })

  it('is published once when two publishers run', async () => {
    const accounts = [
      account,
      await world.addAccount(account.clientId, 'twitter'),
      await world.addAccount(account.clientId, 'linkedin'),
    ]
    const texts = Array.from({ length: 50 }, (_, index) => `Post ${index}`)
    const posts = await Promise.all(texts.map((text, index) => world.schedule(accounts[index % 3] ?? account, text)))
    world.clock.advance(60_000)
    start()
    start()
    for (const postId of posts) await becomes(postId, { status: 'published' })
    expect((await world.feed()).toSorted()).toEqual(texts.toSorted())
  })
})

describe('when the network', () => {
  it.each(['timeout-after', 'reset-after', 'error-after'] as const)(
    'accepted the post and then failed (%s), the outcome is looked up',
    async (kind) => {
      await world.sandbox.plan('facebook', account.name, { kind })
      const postId = await world.schedule(account, 'Hello')
      world.clock.advance(60_000)
      start()
      await becomes(postId, { status: 'published', url: expect.stringContaining('http') })
      expect(await typesOf(postId)).toEqual([
        'PostWritten',
        'PostScheduled',
        'PostClaimed',
        'PublishingOutcomeUnknown',
        'PostPublished',
      ])
      expect(await world.feed()).toEqual(['Hello'])
    },
  )

  it('asks to wait, no post of the account is sent before that', async () => {
    await world.sandbox.plan('facebook', account.name, { kind: 'rate-limited', retryAfterSeconds: 120 })
    const first = await world.schedule(account, 'First')
    const second = await world.schedule(account, 'Second', 60_001)
    world.clock.advance(60_000)
    start()
    const retryAt = later(world.clock.now(), 120_000)
    await becomes(first, { delivery: 'rejected', retryAt })
    world.clock.advance(119_999)
    const elsewhere = await world.schedule(await world.addAccount(account.clientId, 'linkedin'), 'Elsewhere', 1)
    expect(await world.feed()).toEqual([])
    world.clock.advance(1)
    for (const postId of [first, second, elsewhere]) await becomes(postId, { status: 'published' })
    expect(await world.feed()).toHaveLength(3)
  })

  it('asks to wait while our clock is days ahead, the wait ends once the clock is right', async () => {
    const days = 3 * 24 * 3_600_000
    await world.sandbox.plan('facebook', account.name, { kind: 'rate-limited', retryAfterSeconds: 120 })
    const rejected = await world.schedule(account, 'Rejected', days)
    world.clock.advance(days)
    start()
    await becomes(rejected, { delivery: 'rejected' })
    await within(async () => expect((await pauseOf())?.pausedUntil).not.toBeNull())
    world.clock.advance(-days)
    const next = await world.schedule(account, 'Next')
    world.clock.advance(60_000)
    await becomes(next, { status: 'published' })
    expect(await world.feed()).toEqual(['Next'])
    // The rejected post keeps its planned time, and the network can ask for another pause.
    await world.sandbox.plan('facebook', account.name, { kind: 'rate-limited', retryAfterSeconds: 120 })
    const third = await world.schedule(account, 'Third')
    world.clock.advance(60_000)
    await becomes(third, { delivery: 'rejected' })
    const pausedUntil = later(world.clock.now(), 120_000)
    await within(async () => expect(await pauseOf()).toMatchObject({ pausedUntil }))
  })

  it('no longer accepts the connection, the post fails with the cause', { tags: 'long' }, async () => {
    await world.sandbox.plan('facebook', account.name, { kind: 'unauthorized' })
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'failed' })
    const [failed] = (await world.eventsOf(`post-${postId}`)).slice(-1)
    expect(failed).toMatchObject({
      type: 'PublishingFailed',
      data: { remedy: 'reconnect', cause: expect.stringMatching(/connect the account again/i) },
    })
    const accountState = async () =>
      (await world.commands.loadClient(account.clientId)).state.accounts[account.accountId]
    expect(await accountState()).toMatchObject({ isConnected: false })
    const next = await world.schedule(account, 'Next', 1_000)
    world.clock.advance(1_000)
    await becomes(next, { delivery: 'held' })
    await world.connectAccount(account)
    expect(await accountState()).toMatchObject({ isConnected: true })
    await world.commands.post(postId, { type: 'RetryPost', scheduledFor: null }, world.by)
    await becomes(postId, { status: 'published' })
    expect(await world.feed()).toEqual(['Hello'])
  })

  it("can't be reached, the post is retried with growing backoff, then fails", { tags: 'long' }, async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await world.sandbox.close()
    start({ maxAttempts: 3 })
    await becomes(postId, { delivery: 'rejected', retryAt: later(world.clock.now(), 1_000) })
    world.clock.advance(1_000)
    await becomes(postId, { delivery: 'rejected', attempts: 2, retryAt: later(world.clock.now(), 2_000) })
    world.clock.advance(2_000)
    await becomes(postId, { delivery: 'failed', attempts: 3 })
  })

  it("is slow for one account, other accounts' posts are not delayed", async () => {
    const other = await world.addAccount(account.clientId, 'linkedin')
    const giveUp = world.sandbox.timeouts.hold()
    await world.sandbox.plan('facebook', account.name, { kind: 'timeout-before' })
    const slow = await world.schedule(account, 'Slow')
    const quick = await world.schedule(other, 'Quick')
    world.clock.advance(60_000)
    start()
    await becomes(slow, { delivery: 'claimed' })
    await becomes(quick, { status: 'published' })
    expect(await world.post(slow)).toMatchObject({ delivery: 'claimed' })
    giveUp()
    await becomes(slow, { delivery: 'unknown' })
  })
})

it("A paused account with very many posts does not hide other accounts' posts", async () => {
  await world.sandbox.plan('facebook', account.name, { kind: 'rate-limited', retryAfterSeconds: 3_000 })
  for (let index = 0; index < 40; index++) await world.schedule(account, `Post ${index}`)
  world.clock.advance(60_000)
  start({ lookAhead: 10 })
  await within(async () => {
    const { state } = await world.commands.loadClient(account.clientId)
    expect(state.accounts[account.accountId]?.pausedUntil).not.toBeNull()
  })
  const elsewhere = await world.schedule(await world.addAccount(account.clientId, 'linkedin'), 'Elsewhere', 1_000)
  world.clock.advance(1_000)
  await becomes(elsewhere, { status: 'published' })
})

it('stop waits until the outcome of the post in flight is recorded', async () => {
  const sending = heldBack()
  const posts = [await world.schedule(account, 'One'), await world.schedule(account, 'Two', 60_001)]
  world.clock.advance(60_001)
  const publisher = start()
  await sending.isTaken()
  expect(await world.post(posts[0] ?? '')).toMatchObject({ delivery: 'claimed' })
  const stopped = publisher.stop()
  expect(await Promise.race([stopped.then(() => 'stopped'), pause(20).then(() => 'waits')])).toBe('waits')
  sending.answer()
  await stopped
  expect(await world.post(posts[0] ?? '')).toMatchObject({ status: 'published' })
  expect(await world.post(posts[1] ?? '')).toMatchObject({ delivery: 'none', status: 'scheduled' })
})
