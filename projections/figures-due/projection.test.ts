import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/examples.ts'
import { on, specification } from '../core/spec.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { figuresDueProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(figuresDueProjection, () => stores.store)

const stream = `post-${a.postId}`

describe('What the collector has to read', () => {
  it('knows where a published post is and how often it was read', async () => {
    const expected = {
      id: a.postId,
      agencyId: 'agency-1',
      clientId: a.clientId,
      accountId: a.accountId,
      platform: 'facebook',
      publishedAt: a.now,
      remoteId: 'remote-1',
      readings: 0,
    }
    expect(await given(...on(stream, ...a.pasts.published)).shows()).toEqual([expected])
    expect(await given(...on(stream, ...a.pasts.measured)).shows()).toEqual([{ ...expected, readings: 1 }])
  })
  it('has nothing to read of a post that is not published', async () => {
    expect(await given(...on(stream, ...a.pasts.claimed)).shows()).toMatchObject([
      { publishedAt: null, remoteId: null, readings: 0 },
    ])
  })
  it('reads a deleted post no more, also when it was published late', async () => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, a.published))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })
})
