import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { later } from '../../core/clock.ts'
import { openWorld, type Account, type World } from '../test/helpers.ts'
import type { PublisherConfig } from './config.ts'
import { createPublisher, type Publisher } from './publisher.ts'

let world: World
let account: Account
let running: Publisher[]

const start = (config: Partial<PublisherConfig> = {}): Publisher => {
  const publisher = createPublisher({ ...world, config: { pollMs: 10, settleMs: 10, firstRetryMs: 1_000, ...config } })
  running.push(publisher)
  publisher.start()
  return publisher
}
const stopAll = async () => {
  await Promise.all(running.map((publisher) => publisher.stop()))
  running = []
}
const within = <T>(assertion: () => Promise<T>) => vi.waitFor(assertion, { timeout: 10_000, interval: 10 })
const becomes = (postId: string, state: object) =>
  within(async () => expect(await world.post(postId)).toMatchObject(state))
const typesOf = async (postId: string) => (await world.eventsOf(`post-${postId}`)).map(({ type }) => type)

beforeEach(async () => {
  running = []
  world = await openWorld()
  account = await world.addAccount(await world.addClient())
})
afterEach(async () => {
  await stopAll()
  await world.remove()
})

/** Claims like a publisher that dies before it records the outcome. */
const claimAndDie = async (postId: string, isTaken: boolean) => {
  const until = later(world.clock.now(), 30_000)
  const claimed = await world.commands.post(postId, { type: 'ClaimPost', attemptId: `lost-${postId}`, until }, world.by)
  if ('appendedEvents' in claimed) await world.projector.waitFor(claimed.appendedEvents, 5_000)
  const connection = await world.vault.get(account.accountId)
  const { content } = await world.post(postId)
  if (isTaken && connection) await world.networks.facebook.publish({ ...connection, content, image: null }, [])
}

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

  it('no longer accepts the connection, the post fails with the cause', async () => {
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

  it("can't be reached, the post is retried with growing backoff, then fails", async () => {
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

describe('after a crash', () => {
  it('a claimed post that was accepted becomes unknown and is then found live by a look-up', async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await claimAndDie(postId, true)
    await world.close()
    world = await openWorld(world)
    start({ ownsAllClaims: true })
    await becomes(postId, { status: 'published', attempts: 1 })
    expect(await typesOf(postId)).toContain('PublishingOutcomeUnknown')
    expect(await world.feed()).toEqual(['Hello'])
  })

  it('a claimed post whose image was never uploaded is sent again at once', async () => {
    const postId = await world.schedule(account, 'Hello', 60_000, true)
    world.clock.advance(60_000)
    await claimAndDie(postId, false)
    start({ ownsAllClaims: true })
    await becomes(postId, { status: 'published', attempts: 2 })
    expect(await typesOf(postId)).toContain('PostFoundAbsent')
    expect(await world.feed()).toEqual(['Hello'])
  })

  it("another publisher's claim is left alone until it expires", async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await claimAndDie(postId, true)
    const behind = await world.schedule(account, 'Behind', 1)
    const elsewhere = await world.schedule(await world.addAccount(account.clientId, 'linkedin'), 'Elsewhere', 1)
    world.clock.advance(1)
    start()
    await becomes(elsewhere, { status: 'published' })
    expect(await world.post(postId)).toMatchObject({ delivery: 'claimed' })
    // It belongs to the same account, so it waits behind the post that is being sent.
    expect(await world.post(behind)).toMatchObject({ delivery: 'none' })
    world.clock.advance(31_000)
    await becomes(postId, { status: 'published' })
    await becomes(behind, { status: 'published' })
    expect((await world.feed()).toSorted()).toEqual(['Behind', 'Elsewhere', 'Hello'])
  })

  it('posts with equal texts are told apart: each copy is found once', async () => {
    const posts = [await world.schedule(account, 'Same'), await world.schedule(account, 'Same')]
    world.clock.advance(60_000)
    for (const postId of posts) await claimAndDie(postId, true)
    start({ ownsAllClaims: true })
    for (const postId of posts) await becomes(postId, { status: 'published' })
    expect(await world.feed()).toEqual(['Same', 'Same'])
    const remoteIds = await Promise.all(posts.map(async (postId) => (await world.post(postId)).remoteId))
    expect(new Set(remoteIds).size).toBe(2)
  })

  it('an undecidable outcome is left to a user', async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await claimAndDie(postId, false)
    await world.commands.client(
      account.clientId,
      { type: 'DisconnectSocialAccount', accountId: account.accountId, because: 'asked' },
      world.by,
    )
    await world.vault.remove(account.accountId)
    start({ ownsAllClaims: true })
    await becomes(postId, { delivery: 'unknown' })
    const probe = await world.schedule(await world.addAccount(account.clientId, 'linkedin'), 'Probe', 1)
    world.clock.advance(60_000)
    await becomes(probe, { status: 'published' })
    expect(await world.post(postId)).toMatchObject({ delivery: 'unknown' })
    expect(await world.feed()).not.toContain('Hello')
  })
})

describe('an obstacle on our side', () => {
  const imagePost = async () => {
    const instagram = await world.addAccount(account.clientId, 'instagram')
    return world.schedule(instagram, 'With an image')
  }

  it('fails the post with a remedy when its image is no longer stored', async () => {
    const postId = await imagePost()
    const { image } = await world.post(postId)
    await rm(join(world.folder, 'media'), { recursive: true })
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'failed' })
    expect(image).not.toBeNull()
    expect((await world.eventsOf(`post-${postId}`)).at(-1)).toMatchObject({
      data: { remedy: 'edit', cause: expect.stringContaining('not stored') },
    })
    expect(await typesOf(postId)).not.toContain('PublishingOutcomeUnknown')
  })

  it('is retried, then fails the post, and is never an unknown outcome, when tokens cannot be read', async () => {
    const postId = await world.schedule(account, 'Hello')
    const table = await world.records.table<{ id: string; keyId?: string }>({ table: 'tokens', indexed: ['keyId'] })
    const kept = (await table.get(account.accountId))?.record
    const tampered = { ...kept, id: account.accountId, tag: Buffer.alloc(16).toString('base64') }
    await table.put(tampered)
    world.clock.advance(60_000)
    start({ maxAttempts: 2 })
    await becomes(postId, { delivery: 'rejected', attempts: 1 })
    world.clock.advance(2_000)
    await becomes(postId, { delivery: 'failed', attempts: 2 })
    expect(await typesOf(postId)).not.toContain('PublishingOutcomeUnknown')
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

describe('a post that is not sent', () => {
  it('is held when it is overdue', async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000 + 61 * 60_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'overdue' } }),
    )
    await world.commands.post(postId, { type: 'ReleasePost', scheduledFor: null }, world.by)
    await becomes(postId, { status: 'published' })
  })

  it('is held for the payment, not as overdue, when both apply: the payment releases it', async () => {
    const postId = await world.schedule(account, 'Hello', 8 * 24 * 3_600_000)
    world.clock.advance(9 * 24 * 3_600_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'subscription-needed' } }),
    )
  })

  it('is held when the trial has ended', async () => {
    const postId = await world.schedule(account, 'Hello', 8 * 24 * 3_600_000)
    world.clock.advance(8 * 24 * 3_600_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'subscription-needed' } }),
    )
  })

  it.each([true, false])('is held when its account is not connected (keys gone too: %s)', async (keysGone) => {
    const postId = await world.schedule(account, 'Hello')
    const { accountId, clientId } = account
    await world.commands.client(clientId, { type: 'DisconnectSocialAccount', accountId, because: 'asked' }, world.by)
    if (keysGone) await world.vault.remove(accountId)
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'not-connected' } }),
    )
  })

  it('is held when its account has been connected to another profile since', async () => {
    const postId = await world.schedule(account, 'Hello')
    const { accountId, clientId } = account
    const elsewhere = await world.sandbox.connect('facebook', 'Another profile')
    await world.vault.put(accountId, elsewhere)
    await world.commands.client(
      clientId,
      { type: 'ConnectSocialAccount', accountId, remoteId: elsewhere.remoteId, network: 'sandbox', endsAt: null },
      world.by,
    )
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'changed-account' } }),
    )
    expect(await world.feed()).toEqual([])
  })

  it("is never sent with another profile's tokens", async () => {
    const postId = await world.schedule(account, 'Hello')
    await world.vault.put(account.accountId, await world.sandbox.connect('facebook', 'Another profile'))
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'rejected' })
    expect(await world.feed()).toEqual([])
  })
})

describe('a post that is deleted while it is being sent', () => {
  /** A published post stays in the view, so that no look-up attributes its copy to another post. */
  const gone = (postId: string) =>
    within(async () => {
      const left = await world.views.duePosts.get(postId)
      if (left !== null)
        expect(left).toMatchObject({ deleted: true, waiting: false, delivery: 'none', remoteId: expect.any(String) })
    })

  it.each([true, false])('is looked up all the same (accepted: %s), and not sent again', async (isTaken) => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await claimAndDie(postId, isTaken)
    await world.commands.post(postId, { type: 'DeletePost', because: 'asked' }, world.by)
    start({ ownsAllClaims: true })
    if (isTaken) await gone(postId)
    else await becomes(postId, { delivery: 'unknown' })
    expect((await typesOf(postId)).at(-1)).toBe(isTaken ? 'PostPublished' : 'PublishingOutcomeUnknown')
    expect(await world.feed()).toEqual(isTaken ? ['Hello'] : [])
  })

  it("keeps the network's answer that comes after the deletion", async () => {
    await world.sandbox.plan('facebook', account.name, { kind: 'slow', delayMs: 150 })
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    start()
    await becomes(postId, { delivery: 'claimed' })
    await world.commands.post(postId, { type: 'DeletePost', because: 'asked' }, world.by)
    await gone(postId)
    expect((await typesOf(postId)).slice(-2)).toEqual(['PostDeleted', 'PostPublished'])
  })
})

it('stop waits until the outcome of the post in flight is recorded', async () => {
  await world.sandbox.plan('facebook', account.name, { kind: 'slow', delayMs: 200 })
  const posts = [await world.schedule(account, 'One'), await world.schedule(account, 'Two', 60_001)]
  world.clock.advance(60_001)
  const publisher = start()
  await becomes(posts[0] ?? '', { delivery: 'claimed' })
  await publisher.stop()
  expect(await world.post(posts[0] ?? '')).toMatchObject({ status: 'published' })
  expect(await world.post(posts[1] ?? '')).toMatchObject({ delivery: 'none', status: 'scheduled' })
})
