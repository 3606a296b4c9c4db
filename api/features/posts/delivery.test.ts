import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { SocialAccount } from '../../../domain/client/state.ts'
import type { Standing } from '../../../domain/core/values.ts'
import { deliveries, holdReasons, postStatuses, remedies } from '../../../domain/post/commands.ts'
import { initialPost, type Post } from '../../../domain/post/state.ts'
import { abilitiesOf } from '../../../domain/post/state-table.ts'
import { Stage } from '../../processes/publisher/test/stage.ts'
import type { World } from '../../processes/test/helpers.ts'
import { brand, owner, testServer } from '../../testing/server.ts'
import { whyNot, type Cause, type Circumstances } from './why-not.ts'

const now = '2026-03-02T10:00:00.000Z'
const soon = '2026-03-02T11:00:00.000Z'
const account: SocialAccount = {
  platform: 'facebook',
  accountName: 'Blue Cup',
  accountUrl: null,
  isConnected: true,
  network: 'sandbox',
  isLost: false,
  remoteId: 'page-1',
  endsAt: null,
  pausedUntil: null,
  isRemoved: false,
}
const post: Post = {
  ...initialPost,
  exists: true,
  status: 'scheduled',
  scheduledFor: now,
  approval: { hash: 'h', remoteAccountId: 'page-1' },
}
const nothing: Cause = { cause: null, remedy: null, because: null }
const around: Circumstances = { account, standing: 'good', now }
const away = { ...around, account: { ...account, isConnected: false } }
const other = { ...around, account: { ...account, remoteId: 'page-2' } }
const unpaid = { ...around, standing: 'unpaid' as Standing }
const stuck = (delivery: Post['delivery'], change: Partial<Post> = {}) => ({ ...post, delivery, ...change })

describe('every state of a post', () => {
  const causes = [null, ...remedies].flatMap((remedy) =>
    [null, ...holdReasons].map((because) => ({
      cause: remedy === null ? null : 'Facebook refused this.',
      remedy,
      because,
    })),
  )
  // A post has no delivery state before it is approved.
  const rows = postStatuses
    .flatMap((status) => deliveries.map((delivery) => ({ status, delivery })))
    .filter(({ status, delivery }) => delivery === 'none' || status === 'approved' || status === 'scheduled')
  it.each(rows)('$status/$delivery is explained in whole sentences, with an action that the post accepts', (state) => {
    for (const said of causes) {
      for (const where of [around, away, other, unpaid, { ...around, account: null }]) {
        const { sentence, act, at } = whyNot({ ...post, ...state, retryAt: soon }, said, where)
        expect(sentence).toMatch(/^[A-Z].*[.]$/)
        expect(sentence).not.toMatch(/null|undefined|\.\.|  /)
        if (at !== null) expect(act).toBe('wait')
        const isAbility =
          act === 'approve' || act === 'retry' || act === 'release' || act === 'resolve' || act === 'return-to-draft'
        if (isAbility) expect(abilitiesOf(state)).toContain(act)
      }
    }
  })
})

describe('a post waiting for publication', () => {
  it.each<[string, Post, Circumstances, string, string | null, string | null]>([
    ['goes out at its time', stuck('none', { scheduledFor: soon }), around, 'at its scheduled time', 'wait', soon],
    ['is due', post, around, 'goes out in a moment', 'wait', null],
    [
      'waits while the network asked for a rest',
      post,
      { ...around, account: { ...account, pausedUntil: soon } },
      'slow down',
      'wait',
      soon,
    ],
    ['needs its account', stuck('none', { scheduledFor: soon }), away, 'not connected', 'reconnect', null],
    [
      'was approved for another profile',
      stuck('none', { scheduledFor: soon }),
      other,
      'another profile',
      'return-to-draft',
      null,
    ],
    ['needs a subscription', stuck('none', { scheduledFor: soon }), unpaid, 'payment', null, null],
    ['tries again by itself', stuck('rejected', { retryAt: soon }), around, 'try again automatically', 'wait', soon],
    [
      'does not try again while its account is away',
      stuck('rejected', { retryAt: soon }),
      away,
      'not connected',
      'reconnect',
      null,
    ],
    ['is being published', stuck('claimed'), away, 'right now', null, null],
    [
      'may be live',
      stuck('unknown'),
      away,
      'sent again only if Facebook proves that it is not live, or if you say so',
      'resolve',
      null,
    ],
  ])('%s', (_, of, where, sentence, act, at) => {
    expect(whyNot(of, nothing, where)).toEqual({ sentence: expect.stringContaining(sentence), act, at })
  })
})

describe('a held post', () => {
  it.each<[string, Cause['because'], Circumstances, string, string | null]>([
    ['because it was overdue is released', 'overdue', around, 'more than an hour ago', 'release'],
    ['because its account was away needs it', 'not-connected', away, 'Connect the account, then release', 'reconnect'],
    [
      'because its account was away is released once that is back',
      'not-connected',
      around,
      'is connected now',
      'release',
    ],
    ['because of another profile is approved again', 'changed-account', other, 'approve it again', 'return-to-draft'],
    [
      'because of another profile is released once the right one is back',
      'changed-account',
      around,
      'right one again',
      'release',
    ],
    ['because nothing was paid waits for that', 'subscription-needed', unpaid, 'stays on hold', null],
    ['because nothing was paid is released after that', 'subscription-needed', around, 'settled', 'release'],
    [
      'because it was overdue needs its account first, where that is away',
      'overdue',
      away,
      'Connect the account, then release',
      'reconnect',
    ],
  ])('%s', (_, because, where, sentence, act) => {
    expect(whyNot(stuck('held'), { ...nothing, because }, where)).toEqual({
      sentence: expect.stringContaining(sentence),
      act,
      at: null,
    })
  })
})

describe('a failed post', () => {
  const cause = 'X no longer accepts this connection. Connect the account again.'
  it.each<[string, Cause['remedy'], Circumstances, string]>([
    ['and can succeed as it is is tried again', 'wait', around, 'retry'],
    ['and must change goes back to drafts', 'edit', around, 'return-to-draft'],
    ['and may be live is looked for first', 'check', around, 'check'],
    ['because of its connection needs that', 'reconnect', away, 'reconnect'],
    ['because of its connection is tried again once that is back', 'reconnect', around, 'retry'],
    ['before remedies were recorded is tried again', null, around, 'retry'],
  ])('%s', (_, remedy, where, act) => {
    expect(whyNot(stuck('failed'), { cause: 'X refused this.', remedy, because: null }, where).act).toBe(act)
  })
  it('gets the advice to connect once, and not while the account is connected', () => {
    expect(whyNot(stuck('failed'), { cause, remedy: 'reconnect', because: null }, away).sentence).toBe(
      `${cause} Then try again.`,
    )
    expect(whyNot(stuck('failed'), { cause, remedy: 'reconnect', because: null }, around).sentence).toBe(
      'X no longer accepts this connection. The account is connected again by now, so you can try again.',
    )
  })
})

describe('the attempts to publish a post', () => {
  let stage: Stage
  let world: World
  beforeEach(async () => {
    stage = await Stage.open({}, 1)
    world = stage.world
  })
  afterEach(() => stage.close())

  /** The clock must not pass an attempt's time while a server is asked: it advances while the publisher is idle. */
  const until = (postId: string, state: Partial<Post>): Promise<void> =>
    expect
      .poll(async () => {
        await stage.move(30_000)
        return world.post(postId)
      }, patience)
      .toMatchObject(state)

  it('are listed from the first rejection to publication', async () => {
    const account = await world.addAccount(await world.addClient())
    await world.sandbox.plan('facebook', account.name, { kind: 'rate-limited', retryAfterSeconds: 120 })
    const postId = await world.schedule(account, 'Hello')
    await until(postId, { status: 'published' })
    const { attempts, act, sentence } = await world.delivery(postId)
    expect(attempts).toMatchObject([
      {
        number: 1,
        outcome: 'turned-down',
        remedy: 'wait',
        cause: expect.stringMatching(/\.$/),
        retryAt: expect.any(String),
        endedAt: expect.any(String),
        url: null,
      },
      { number: 2, outcome: 'live', cause: null, retryAt: null, url: expect.stringContaining('/feeds/facebook/') },
    ])
    expect([act, sentence]).toEqual([null, expect.stringContaining('Live on')])
  })

  it('show that an answer was lost, and where the post was found', async () => {
    const account = await world.addAccount(await world.addClient())
    await world.sandbox.plan('facebook', account.name, { kind: 'reset-after' })
    const postId = await world.schedule(account, 'Hello')
    await until(postId, { status: 'published' })
    expect((await world.delivery(postId)).attempts).toMatchObject([
      { number: 1, outcome: 'live', url: expect.stringContaining('/feeds/') },
    ])
    expect(await world.feed()).toEqual(['Hello'])
  })

  it('show that the keys were rejected, and the remedy', async () => {
    const account = await world.addAccount(await world.addClient())
    await world.sandbox.revoke('facebook', account.name)
    const postId = await world.schedule(account, 'Hello')
    await until(postId, { delivery: 'failed' })
    expect(await world.delivery(postId)).toMatchObject({
      act: 'reconnect',
      attempts: [{ outcome: 'failed', remedy: 'reconnect' }],
    })
    await world.connectAccount(account)
    expect(await world.delivery(postId)).toMatchObject({ act: 'retry' })
  })
})

it("are not available for a deleted post or another agency's post", { tags: 'long' }, async () => {
  const server = await testServer()
  try {
    const [mine, theirs] = [await owner(server), await owner(server)]
    const { clientId, accountId } = await brand(theirs)
    const { id } = await theirs.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'A secret plan' },
    })
    expect(await theirs.callOrThrow('getPostDelivery', { params: { id } })).toMatchObject({ act: null, attempts: [] })
    expect((await mine.ask('getPostDelivery', { params: { id } })).status).toBe(404)
    await theirs.ask('deletePost', { params: { id } })
    expect(await theirs.ask('getPostDelivery', { params: { id } })).toMatchObject({
      status: 404,
      text: "This post doesn't exist.",
    })
  } finally {
    await server.remove()
  }
})
