import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { postsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(postsProjection, () => stores.store)

const one = { id: 'step-1', name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }
const two = { id: 'step-2', name: 'Last look', who: { kind: 'role', role: 'owner' }, need: 'all' }
const stream = `post-${a.postId}`
const quiet = { delivery: 'none', deliveryNote: null, remedy: null, heldBecause: null, retryAt: null }

describe('The content library', () => {
  it('shows a post as written, with its agency and its ETag', async () => {
    expect(await given(...on(stream, a.written)).shows()).toEqual([
      {
        id: a.postId,
        agencyId: 'agency-1',
        clientId: a.clientId,
        socialAccountId: a.accountId,
        platform: 'facebook',
        content: a.write.content,
        imageUrl: null,
        image: null,
        status: 'draft',
        ...quiet,
        rejectionReason: null,
        scheduledFor: null,
        publishedAt: null,
        url: null,
        plan: null,
        assignedTo: null,
        textBy: 'owner',
        round: null,
        imageBy: null,
        createdAt: a.now,
        updatedAt: a.now,
        revision: 0,
      },
    ])
  })

  it.each([
    ['pending', a.pasts.pending, {}],
    ['rejected', a.pasts.rejected, { rejectionReason: 'Too long' }],
    ['approved', a.pasts.approved, { scheduledFor: a.tomorrow }],
    ['scheduled', a.pasts.scheduled, { scheduledFor: a.tomorrow }],
    ['scheduled', a.pasts.claimed, { delivery: 'claimed' }],
    [
      'scheduled',
      a.pasts['turned down'],
      { delivery: 'rejected', deliveryNote: 'Too many posts', remedy: 'wait', retryAt: '2026-03-03T09:15:00.000Z' },
    ],
    ['scheduled', a.pasts.unknown, { delivery: 'unknown', deliveryNote: 'No answer' }],
    ['scheduled', a.pasts.failed, { delivery: 'failed', deliveryNote: 'The network refused it', remedy: 'edit' }],
    ['scheduled', a.pasts.held, { delivery: 'held', heldBecause: 'overdue' }],
    ['published', a.pasts.published, { ...quiet, url: 'https://network.example/remote-1', publishedAt: a.now }],
  ] as const)('shows a post that is %s (%#)', async (status, past, more) => {
    const [post] = await given(...on(stream, ...past)).shows()
    expect(post).toMatchObject({ status, revision: past.length - 1, ...more })
  })

  it('clears the rejection reason when the post is edited', async () => {
    const revised = { type: 'PostContentRevised', data: { content: 'Shorter', generationId: null } }
    const [post] = await given(...on(stream, ...a.pasts.rejected, revised)).shows()
    expect(post).toMatchObject({ status: 'draft', content: 'Shorter', rejectionReason: null })
  })

  it("clears the last attempt's outcome when the post is retried", async () => {
    const retried = { type: 'PostRetried', data: { scheduledFor: a.nextWeek } }
    const [post] = await given(...on(stream, ...a.pasts.failed, retried)).shows()
    expect(post).toMatchObject({ ...quiet, status: 'scheduled', scheduledFor: a.nextWeek })
  })

  it('keeps the approval steps of a round, and drops them with the approval', async () => {
    const policy = { steps: [one, two], ownApproval: 'agency', timePart: { kind: 'free' } }
    const round = [
      a.written,
      { type: 'PostSubmitted', data: { policy } },
      { type: 'PostStepApproved', data: { stepId: one.id, approvalHash: 'v1:0', settles: true, counted: ['owner'] } },
      { type: 'PostStepSkipped', data: { stepId: two.id, reason: 'On leave' } },
      a.approved,
    ]
    const [post] = await given(...on(stream, ...round)).shows()
    expect(post).toMatchObject({
      status: 'approved',
      round: {
        settled: 2,
        approvals: [{ stepId: one.id, userId: 'owner', hash: 'v1:0' }],
        skipped: [two.id],
        counted: null,
        agreedFor: a.tomorrow,
      },
    })
    const back = { type: 'PostReturnedToDraft', data: { from: 'approved' } }
    expect(await given(...on(stream, ...round, back)).shows()).toMatchObject([{ status: 'draft', round: null }])
  })

  it('ignores figures: the ETag does not change', async () => {
    const [post] = await given(...on(stream, ...a.pasts.measured)).shows()
    expect(post).toMatchObject({ revision: a.pasts.published.length - 1 })
  })

  it('removes a deleted post for good, even if events arrive late', async () => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, a.published))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })
})
