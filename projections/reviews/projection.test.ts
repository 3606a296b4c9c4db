import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PostEvent } from '../../domain/post/events.ts'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { reviewsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(reviewsProjection, () => stores.store)

const by = (reviewerId: string, linkId = 'link-1') =>
  ({ reviewerId, linkId, version: 1, verified: 'named', noteId: null, noteDigest: null }) as const
const reviewed = (reviewerId: string, verdict: 'approve' | 'changes', linkId?: string): PostEvent => ({
  type: 'PostReviewed',
  data: { ...by(reviewerId, linkId), verdict, approvalHash: 'v1:0' },
})
const signedOff: PostEvent = {
  type: 'PostSignedOff',
  data: { ...by('lea'), stepId: 'step-1', approvalHash: 'v1:0' },
}
const held: PostEvent = { type: 'PostHeld', data: { because: 'client-asked', review: by('nora') } }
const overdue: PostEvent = { type: 'PostHeld', data: { because: 'overdue', review: null } }

describe('The reviews of a link', () => {
  it('have the last verdict of each person, and those before it', async () => {
    const events = [reviewed('nora', 'changes'), signedOff, held, overdue]
    expect(await given(...on(`post-${a.postId}`, ...events)).shows()).toMatchObject([
      {
        id: `link-1:${a.postId}`,
        linkId: 'link-1',
        postId: a.postId,
        clientId: 'client-1',
        verdicts: [
          { reviewerId: 'lea', verdict: 'approve', version: 1 },
          { reviewerId: 'nora', verdict: 'hold', version: 1 },
        ],
        earlier: [{ reviewerId: 'nora', verdict: 'changes', version: 1 }],
      },
    ])
  })
  it('are one document for each link', async () => {
    const events = [reviewed('nora', 'approve'), reviewed('nora', 'approve', 'link-2')]
    expect(await given(...on(`post-${a.postId}`, ...events)).shows()).toMatchObject([
      { linkId: 'link-1' },
      { linkId: 'link-2' },
    ])
  })
})
