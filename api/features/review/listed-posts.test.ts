import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../domain/test/folder.ts'
import { collectionName } from '../../../projections/core/projection.ts'
import type { ReadStore } from '../../../projections/read-store/port.ts'
import { reviewsProjection } from '../../../projections/reviews/projection.ts'
import type { ReviewView } from '../../../projections/reviews/view.ts'
import { openFiles } from '../../composition/embedded.ts'
import { later } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

const dayMs = 86_400_000
let server: TestServer
let store: ReadStore
let agency: Reviewed

beforeAll(async () => {
  const dataDir = await temporaryFolder('listed')
  const openStores = async () => {
    const stores = await openFiles(dataDir)
    ;({ store } = stores)
    return stores
  }
  server = await testServer({ DATA_DIR: dataDir }, { openStores })
})
afterAll(() => server.remove())
// A client of its own: a link for what is pending shows no post of another test.
beforeEach(async () => {
  agency = await reviewedAgency(server, agency?.caller)
})

const change = (id: string, body: object) => agency.caller.callOrThrow('changePost', { params: { id }, body })
const everything = { may: ['approve', 'comment', 'suggest', 'hold'] }

/** A person on a link for everyone. */
async function person(token: string) {
  const browser = reviewer(server)
  const session = await browser.named(token, 'Nora')
  const look = async () => browser.open(token, { session })
  const ask = async (name: Parameters<typeof browser.problem>[0], body: object) =>
    browser.problem(name, { token, session, ...body })
  return {
    look,
    ask,
    shown: async (id: string) => (await look()).posts.find((post) => post.id === id),
    /** What was seen of a post, for a verdict. */
    seen: async (postId: string) => {
      const post = (await look()).posts.find(({ id }) => id === postId)
      if (!post) throw new Error('The post is not shown')
      return { postId, seenHash: post.hash, seenVersion: post.version }
    },
    comment: (postId: string) =>
      ask('commentAsReviewer', { postId, commentId: crypto.randomUUID(), text: 'I like it' }),
  }
}
const done = { status: 200, type: null }

describe('A link for what is pending', () => {
  it('keeps a post that the agency approves first, with its comments, its hold and its verdict', async () => {
    const postId = await agency.submit('Agency first')
    const nora = await person((await agency.issue(everything)).token)
    const seen = await nora.seen(postId)
    expect((await nora.comment(postId)).status).toBeLessThan(300)
    await change(postId, { status: 'approved' })
    expect(await nora.look()).toMatchObject({
      total: 1,
      done: 1,
      posts: [{ id: postId, status: 'approved', comments: 1, can: ['hold', 'comment'] }],
    })
    expect(await nora.ask('listReviewComments', { postId })).toEqual(done)
    expect((await nora.comment(postId)).status).toBeLessThan(300)
    expect(await nora.ask('giveVerdict', { ...seen, verdict: 'changes', note: 'x' })).toEqual({
      status: 409,
      type: 'wrong-state',
    })
    expect(await nora.ask('giveVerdict', { ...seen, verdict: 'approve' })).toEqual(done)
    expect(await nora.ask('holdReviewedPost', { postId })).toEqual(done)
  })

  it('keeps a post that was judged through another link', async () => {
    const postId = await agency.submit('Two links')
    const [first, second] = [await person((await agency.issue()).token), await person((await agency.issue()).token)]
    const seen = await second.seen(postId)
    expect(await first.ask('giveVerdict', { ...seen, verdict: 'changes', note: 'Warmer' })).toEqual(done)
    expect(await second.shown(postId)).toMatchObject({ status: 'rejected', verdict: null })
    expect(await second.ask('giveVerdict', { ...seen, verdict: 'approve' })).toEqual({
      status: 409,
      type: 'wrong-state',
    })
  })

  it('says that a post changed while its page was open, and shows no word of the draft', async () => {
    const postId = await agency.submit('As submitted')
    const nora = await person((await agency.issue()).token)
    const seen = await nora.seen(postId)
    await change(postId, { status: 'draft' })
    await change(postId, { content: 'Never submitted' })
    expect((await nora.ask('giveVerdict', { ...seen, verdict: 'approve' })).status).toBe(409)
    expect(await nora.shown(postId)).toMatchObject({ status: 'draft', content: 'As submitted', can: ['comment'] })
    await change(postId, { status: 'pending' })
    expect(await nora.ask('giveVerdict', { ...seen, verdict: 'approve' })).toEqual({
      status: 409,
      type: 'version-changed',
    })
  })

  it('shows no post that was decided before it was issued', async () => {
    const [approved, returned] = [await agency.submit('Approved before'), await agency.submit('Returned before')]
    await change(approved, { status: 'approved' })
    await change(returned, { status: 'draft' })
    server.clock.advance(1)
    const nora = await person((await agency.issue(everything)).token)
    expect(await nora.look()).toMatchObject({ total: 0, posts: [] })
    for (const postId of [approved, returned])
      expect(await nora.ask('holdReviewedPost', { postId })).toEqual({ status: 404, type: 'not-found' })
  })

  it('shows the newest of more posts than it lists, and takes verdicts on each', async () => {
    const { id: linkId, token } = await agency.issue(everything)
    const nora = await person(token)
    const postId = await agency.submit('The newest')
    const older = Array.from({ length: 300 }, (_, at) => `0195a000-0000-7000-8000-${String(at).padStart(12, '0')}`)
    const { clientId } = agency
    const earlier = older.map((postId): ReviewView => {
      const of = { id: `${linkId}:${postId}`, linkId, postId, agencyId: 'agency-1', clientId }
      return { ...of, verdicts: [], earlier: [], at: '2026-11-01T10:00:00.000Z' }
    })
    await store.write(
      collectionName(reviewsProjection),
      earlier.map((doc) => ({ id: doc.id, doc, position: '0' })),
      null,
    )
    const seen = await nora.seen(postId)
    expect(await nora.ask('giveVerdict', { ...seen, verdict: 'approve' })).toEqual(done)
    await change(postId, { status: 'approved' })
    expect(await nora.shown(postId)).toMatchObject({ status: 'approved', verdict: { verdict: 'approve' } })
    expect(await nora.ask('holdReviewedPost', { postId })).toEqual(done)
    expect(await nora.ask('listOwnReceipts', { postId })).toEqual(done)
  })
})

describe('A link for a month', () => {
  it('keeps a post that was judged through it and moved to another month', async () => {
    const nora = await person((await monthLink()).token)
    const [judged, other] = [await agency.submit('Judged'), await agency.submit('Not judged')]
    expect(await nora.ask('giveVerdict', { ...(await nora.seen(judged)), verdict: 'approve' })).toEqual(done)
    for (const id of [judged, other]) {
      await change(id, { status: 'approved' })
      await change(id, { scheduledFor: later(server.clock.now(), 70 * dayMs) })
    }
    expect((await nora.look()).posts).toMatchObject([{ id: judged, status: 'approved' }])
    expect(await nora.ask('listOwnReceipts', { postId: judged })).toEqual(done)
    expect((await nora.ask('listOwnReceipts', { postId: other })).status).toBe(404)
  })

  /** Of the month in which `submit` plans posts. */
  const monthLink = () => {
    const berlin = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin', year: 'numeric', month: '2-digit' })
    const month = berlin.format(new Date(later(server.clock.now(), dayMs)))
    return agency.issue({ scope: { kind: 'month', month } })
  }
})
