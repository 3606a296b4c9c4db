import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as agency from '../../domain/agency/test/examples.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import * as post from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { streamsProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(streamsProjection, () => stores.store)

describe('The streams', () => {
  it('are listed with their owner and their end, for any last event', async () => {
    const past = [
      ...on(`agency-${agency.agencyId}`, agency.opened, agency.trialStarted),
      ...on(`post-${post.postId}`, post.written, post.submitted, post.deleted),
    ]
    expect(await given(...past).shows()).toMatchObject([
      { id: `agency-${agency.agencyId}`, kind: 'agency', agencyId: 'agency-1', revision: 1, lastType: 'TrialStarted' },
      { id: `post-${post.postId}`, kind: 'post', agencyId: 'agency-1', revision: 2, lastType: 'PostDeleted' },
    ])
  })
  it('are updated by every type of event', () => {
    expect(streamsProjection.types.toSorted()).toEqual(
      [...new Set(catalogue.names.map((name) => catalogue.typeOf(name)))].toSorted(),
    )
  })
})
