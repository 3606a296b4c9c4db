import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { publisherDefaults } from './config.ts'
import {
  account,
  becomes,
  claimAndDie,
  heldBack,
  reopen,
  start,
  typesOf,
  usePublishers,
  within,
  world,
} from './test/publishers.ts'

usePublishers()

describe('after a crash', () => {
  it('a claimed post that was accepted becomes unknown and is then found live by a look-up', async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    await claimAndDie(postId, true)
    await reopen()
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
    const other = await world.addAccount(account.clientId, 'linkedin')
    const elsewhere = await world.schedule(other, 'Elsewhere', 1)
    world.clock.advance(1)
    start()
    await becomes(elsewhere, { status: 'published' })
    expect(await world.post(postId)).toMatchObject({ delivery: 'claimed' })
    // The clock of the other publisher may be some minutes behind.
    const later = await world.schedule(other, 'Later', 4 * 60_000)
    world.clock.advance(4 * 60_000)
    await becomes(later, { status: 'published' })
    expect(await world.post(postId)).toMatchObject({ delivery: 'claimed' })
    // It belongs to the same account, so it waits behind the post that is being sent.
    expect(await world.post(behind)).toMatchObject({ delivery: 'none' })
    world.clock.advance(91_000)
    await becomes(postId, { status: 'published' })
    await becomes(behind, { status: 'published' })
    expect((await world.feed()).toSorted()).toEqual(['Behind', 'Elsewhere', 'Hello', 'Later'])
  })

  it(
    "another publisher's claim is given up once it was seen for an attempt's time, whatever the clocks say",
    { tags: 'long' },
    async () => {
      const postId = await world.schedule(account, 'Hello')
      world.clock.advance(60_000)
      await claimAndDie(postId, true)
      const behind = await world.schedule(account, 'Behind', 1)
      const other = await world.addAccount(account.clientId, 'linkedin')
      // The other publisher's clock is ahead by the 5 min that clocks may differ: by this one, its claim ends in 7 min.
      world.clock.advance(-5 * 60_000)
      let elapsed = 0
      start({}, () => elapsed)
      const goesOn = async (text: string) => {
        const elsewhere = await world.schedule(other, text, 1)
        world.clock.advance(1)
        await becomes(elsewhere, { status: 'published' })
      }
      await goesOn('First')
      elapsed += publisherDefaults.attemptMs + publisherDefaults.sendTimeoutMs
      await goesOn('Second')
      expect(await world.post(postId)).toMatchObject({ delivery: 'claimed' })
      elapsed += 1
      await vi.waitFor(async () => expect(await typesOf(postId)).toContain('PublishingOutcomeUnknown'), patience)
      world.clock.advance(5 * 60_000)
      await becomes(postId, { status: 'published', attempts: 1 })
      await becomes(behind, { status: 'published' })
      expect((await world.feed()).toSorted()).toEqual(['Behind', 'First', 'Hello', 'Second'])
    },
  )

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

  it(
    'is retried, then fails the post, and is never an unknown outcome, when tokens cannot be read',
    { tags: 'long' },
    async () => {
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
    },
  )
})

describe('a post that is not sent', () => {
  it('is held when it is overdue', { tags: 'long' }, async () => {
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000 + 61 * 60_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'overdue', review: null } }),
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
      expect.objectContaining({ data: { because: 'subscription-needed', review: null } }),
    )
  })

  it('is held when the trial has ended', async () => {
    const postId = await world.schedule(account, 'Hello', 8 * 24 * 3_600_000)
    world.clock.advance(8 * 24 * 3_600_000)
    start()
    await becomes(postId, { delivery: 'held' })
    expect(await world.eventsOf(`post-${postId}`)).toContainEqual(
      expect.objectContaining({ data: { because: 'subscription-needed', review: null } }),
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
      expect.objectContaining({ data: { because: 'not-connected', review: null } }),
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
      expect.objectContaining({ data: { because: 'changed-account', review: null } }),
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

  it("keeps the network's answer that comes after the deletion", { tags: 'long' }, async () => {
    const sending = heldBack()
    const postId = await world.schedule(account, 'Hello')
    world.clock.advance(60_000)
    start()
    await sending.isTaken()
    expect(await world.post(postId)).toMatchObject({ delivery: 'claimed' })
    await world.commands.post(postId, { type: 'DeletePost', because: 'asked' }, world.by)
    sending.answer()
    await gone(postId)
    expect((await typesOf(postId)).slice(-2)).toEqual(['PostDeleted', 'PostPublished'])
  })
})
