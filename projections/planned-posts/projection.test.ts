import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { plannedPostsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(plannedPostsProjection, () => stores.store)

const stream = `post-${a.postId}`
const plan = { scheduleId: 'schedule-1', revision: 2, slot: a.tomorrow }
const written = { ...a.written, data: { ...a.written.data, scheduledFor: a.tomorrow, plan } }

describe('The posts of posting schedules', () => {
  it('are listed by slot, and untouched while they wait for review', async () => {
    expect(await given(...on(stream, written, a.submitted)).shows()).toEqual([
      { id: a.postId, agencyId: 'agency-1', clientId: a.clientId, accountId: a.accountId, ...plan, isTouched: false },
    ])
  })
  it.each([
    ['approved', a.approved],
    [
      'approved at one step',
      { type: 'PostStepApproved', data: { stepId: 'step-1', approvalHash: 'v1:0', settles: false } },
    ],
    ['past a skipped step', { type: 'PostStepSkipped', data: { stepId: 'step-1', reason: 'On leave' } }],
    ['rejected', a.rejected],
    ['returned to drafts', { type: 'PostReturnedToDraft', data: { from: 'pending' } }],
  ] as const)('are touched once they are %s', async (_, act) => {
    expect(await given(...on(stream, written, a.submitted, act)).shows()).toMatchObject([{ isTouched: true }])
  })
  it.each([
    ['edited', { type: 'PostContentRevised', data: { content: 'Better', generationId: null } }],
    ['given an image', { type: 'PostImageReplaced', data: { imageUrl: 'https://img.example/a.jpg' } }],
    ['given another time', { type: 'PostPlanned', data: { scheduledFor: a.nextWeek } }],
    ['scheduled', a.scheduled],
  ] as const)('are touched once a draft is %s', async (_, act) => {
    expect(await given(...on(stream, written, act)).shows()).toMatchObject([{ isTouched: true }])
  })
  it('are removed when they are deleted', async () => {
    expect(await given(...on(stream, written, a.deleted)).tombstones()).toEqual([a.postId])
  })
  it("do not include a user's own posts", async () => {
    const past = given(...on(stream, ...a.pasts.published, a.deleted))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([])
  })
})
