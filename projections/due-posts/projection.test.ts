import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { duePostsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(duePostsProjection, () => stores.store)

const stream = `post-${a.postId}`
const absent = { type: 'PostFoundAbsent', data: { attemptId: a.attemptId } }
const waitingFor = (dueAt: string, delivery = 'none') => ({ waiting: true, dueAt, delivery, until: null })

describe("The publisher's worklist", () => {
  it.each(['draft', 'pending', 'rejected'] as const)('shows a %s as not waiting', async (name) => {
    expect(await given(...on(stream, ...a.pasts[name])).shows()).toMatchObject([{ waiting: false, delivery: 'none' }])
  })
  it.each(['approved', 'scheduled'] as const)('shows an %s post as due at its time', async (name) => {
    expect(await given(...on(stream, ...a.pasts[name])).shows()).toMatchObject([waitingFor(a.tomorrow)])
  })
  it.each([
    [
      'rescheduled',
      [...a.pasts.scheduled, { type: 'PostRescheduled', data: { scheduledFor: a.nextWeek, from: a.tomorrow } }],
      waitingFor(a.nextWeek),
    ],
    ['turned down', a.pasts['turned down'], waitingFor('2026-03-03T09:15:00.000Z', 'rejected')],
    [
      'retried',
      [...a.pasts.failed, { type: 'PostRetried', data: { scheduledFor: a.nextWeek } }],
      waitingFor(a.nextWeek),
    ],
    [
      'released',
      [...a.pasts.held, { type: 'PostReleased', data: { scheduledFor: a.nextWeek } }],
      waitingFor(a.nextWeek),
    ],
  ] as const)('shows a post that was %s as due at its new time', async (_, past, expected) => {
    expect(await given(...on(stream, ...past)).shows()).toMatchObject([expected])
  })
  it.each([
    ['a user says is not live as due now', 'user', a.now],
    ['is proven not to be live as due at its time', 'process', a.tomorrow],
  ] as const)('shows a post that %s', async (_, type, dueAt) => {
    const found = { stream, fact: absent, actor: { type, id: 'one' } }
    expect(await given(...on(stream, ...a.pasts.unknown), found).shows()).toMatchObject([waitingFor(dueAt)])
  })
  it("shows a claimed post as its attempt's until that is over", async () => {
    expect(await given(...on(stream, ...a.pasts.claimed)).shows()).toMatchObject([
      {
        waiting: false,
        delivery: 'claimed',
        attemptId: a.attemptId,
        claimedAt: a.now,
        until: '2026-03-03T09:02:00.000Z',
      },
    ])
  })
  it.each([
    ['failed', 'failed'],
    ['held', 'held'],
    ['unknown', 'unknown'],
  ] as const)('shows a %s post as not waiting', async (name, delivery) => {
    expect(await given(...on(stream, ...a.pasts[name])).shows()).toMatchObject([{ waiting: false, delivery }])
  })
  it('shows a post that was returned to draft as not due', async () => {
    const returned = { type: 'PostReturnedToDraft', data: { from: 'scheduled' } }
    expect(await given(...on(stream, ...a.pasts.scheduled, returned)).shows()).toMatchObject([
      { waiting: false, delivery: 'none' },
    ])
  })
  it('shows a published post as done, and keeps its remote id for attribution', async () => {
    expect(await given(...on(stream, ...a.pasts.published)).shows()).toMatchObject([
      { waiting: false, delivery: 'none', remoteId: 'remote-1' },
    ])
    expect(await given(...on(stream, ...a.pasts.published, a.deleted)).shows()).toMatchObject([
      { deleted: true, remoteId: 'remote-1' },
    ])
  })
  it('keeps a post that is live without a known remote id, under its account', async () => {
    const found = { ...a.published, data: { ...a.published.data, remoteId: null } }
    const shown = { waiting: false, delivery: 'none', remoteId: null, unnamedIn: a.accountId }
    expect(await given(...on(stream, ...a.pasts.unknown, found)).shows()).toMatchObject([shown])
    expect(await given(...on(stream, ...a.pasts.unknown, found, a.deleted)).shows()).toMatchObject([
      { ...shown, deleted: true },
    ])
  })
})

describe('A deleted post', () => {
  it.each(['draft', 'scheduled', 'turned down', 'failed', 'held'] as const)('that was %s is removed', async (name) => {
    const past = given(...on(stream, ...a.pasts[name], a.deleted))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })
  it.each([
    ['claimed', 'claimed'],
    ['unknown', 'unknown'],
  ] as const)('that was %s stays until it is settled', async (name, delivery) => {
    expect(await given(...on(stream, ...a.pasts[name], a.deleted)).shows()).toMatchObject([
      { waiting: false, delivery, deleted: true },
    ])
  })
  it('whose attempt ends unknown is still looked up', async () => {
    expect(await given(...on(stream, ...a.pasts.claimed, a.deleted, a.unknown)).shows()).toMatchObject([
      { waiting: false, delivery: 'unknown', deleted: true },
    ])
  })
  it.each([
    ['turned down', [a.turnedDown]],
    ['failed', [a.failed]],
    ['found absent after all', [a.unknown, absent]],
  ] as const)('whose attempt was %s is removed: it is never sent again', async (_, outcome) => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, ...outcome))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })
  it.each([
    ['published', [a.published]],
    ['found live after all', [a.unknown, a.published]],
  ] as const)('that was %s is never sent again', async (_, outcome) => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, ...outcome))
    expect(await past.shows()).toMatchObject([{ waiting: false, deleted: true, remoteId: 'remote-1' }])
  })
})
