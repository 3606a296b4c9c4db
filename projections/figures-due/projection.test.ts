import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as a from '../../domain/post/test/examples.ts'
import { on, specification } from '../core/test/specification.ts'
import { temporaryStores, type TestStores } from '../core/test/helpers.ts'
import { figuresDueProjection } from './projection.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await temporaryStores()
})
afterAll(() => stores.remove())
const { given } = specification(figuresDueProjection, () => stores.store)

const stream = `post-${a.postId}`

describe("The collector's worklist", () => {
  it("shows a published post's remote id and its number of readings", async () => {
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
  it('ignores a post that is not published', async () => {
    expect(await given(...on(stream, ...a.pasts.claimed)).shows()).toMatchObject([
      { publishedAt: null, remoteId: null, readings: 0 },
    ])
  })
  it('removes a deleted post, even if its publication arrives late', async () => {
    const past = given(...on(stream, ...a.pasts.claimed, a.deleted, a.published))
    expect(await past.shows()).toEqual([])
    expect(await past.tombstones()).toEqual([a.postId])
  })
})
