import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostEvent } from '../../domain/post/events.ts'
import * as a from '../../domain/post/test/examples.ts'
import { policyOf, text, last } from '../../domain/post/test/steps.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { approvalRemindersProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(approvalRemindersProjection, () => stores.store)

const stream = `post-${a.postId}`
const policy = { ...policyOf(text, last), remindAfterHours: [24, 72] }
const submitted: PostEvent = { type: 'PostSubmitted', data: { policy } }
const reminded = (number: number): PostEvent => ({ type: 'PostStepReminded', data: { stepId: text.id, number } })
const stepApproved = (settles: boolean): PostEvent => ({
  type: 'PostStepApproved',
  data: { stepId: text.id, approvalHash: 'v1:0', settles },
})
const inHours = (hours: number) => new Date(Date.parse(a.now) + hours * 3_600_000).toISOString()
const first = {
  id: a.postId,
  agencyId: 'agency-1',
  hours: [24, 72],
  openedAt: a.now,
  dueAt: inHours(24),
}

describe('The posts to be reminded of', () => {
  it('are those under a policy that reminds, each with its next time', async () => {
    expect(await given(...on(stream, a.written, submitted)).shows()).toEqual([first])
    expect(await given(...on(stream, a.written, submitted, reminded(1))).shows()).toMatchObject([
      { dueAt: inHours(72) },
    ])
    expect(await given(...on(stream, a.written, a.submitted)).shows()).toEqual([])
  })

  it('are not due after the last reminder, until another step opens or the step has other people', async () => {
    const past = [a.written, submitted, reminded(2)]
    expect(await given(...on(stream, ...past)).shows()).toEqual([{ ...first, dueAt: null }])
    expect(await given(...on(stream, ...past, stepApproved(false))).shows()).toEqual([{ ...first, dueAt: null }])
    expect(await given(...on(stream, ...past, stepApproved(true))).shows()).toEqual([first])
    const reassigned = {
      type: 'PostStepReassigned',
      data: { stepId: text.id, memberIds: ['member-1'], reason: 'On leave' },
    }
    expect(await given(...on(stream, ...past, reassigned)).shows()).toEqual([first])
  })

  it.each([
    ['approved', a.approved],
    ['rejected', a.rejected],
    ['returned to drafts', { type: 'PostReturnedToDraft', data: { from: 'pending' } }],
    ['deleted', a.deleted],
  ] as const)('have no post that is %s', async (_, event) => {
    expect(await given(...on(stream, a.written, submitted, event)).shows()).toEqual([])
  })
})
