/** What a client's people read of an agency's own affairs: nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { later, MovableClock } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { asProblem, reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

const hour = 3_600_000
let server: TestServer

beforeAll(async () => {
  server = await testServer({ LOG_MB_PER_DAY: '1' }, { clock: new MovableClock('2026-11-03T10:00:00.000Z') })
})
afterAll(() => server.remove())

/** A person on a link for everyone, and a post as they see it. */
async function looking(agency: Reviewed, postId: string) {
  const { token } = await agency.issue({
    may: ['approve', 'comment'],
    scope: { kind: 'posts', postIds: [postId] },
  })
  const { api, open, named } = reviewer(server)
  const session = await named(token, 'Nora')
  const look = async () => (await open(token, { session })).posts[0]
  const post = await look()
  const asked = { token, session, postId }
  const verdict = { ...asked, seenHash: post?.hash, seenVersion: post?.version, verdict: 'approve' }
  const told = async (name: Parameters<typeof api.ask>[0], body: object) => {
    const { status, text } = await api.ask(name, { body, ...asProblem })
    const { type, detail } = JSON.parse(text) as { readonly type: string; readonly detail: string }
    return { status, type, detail }
  }
  return {
    look,
    approve: () => told('giveVerdict', verdict),
    comment: (commentId: string = crypto.randomUUID()) =>
      told('commentAsReviewer', { ...asked, commentId, text: 'Lovely' }),
    edit: (commentId: string) => told('editReviewComment', { ...asked, commentId, text: 'Lovely indeed' }),
  }
}

describe('A client is told', () => {
  it('to contact the agency whose day in the log is full, not why', { tags: 'long' }, async () => {
    const agency = await reviewedAgency(server)
    const { comment, edit } = await looking(agency, await agency.submit('Fresh coffee'))
    const commentId = crypto.randomUUID()
    expect((await comment(commentId)).status).toBe(201)
    // Until not even a short text has space.
    const fits = async (length: number) => {
      const body = { socialAccountId: agency.accountId, content: 'x'.repeat(length) }
      return (await agency.caller.ask('writePost', { params: { id: agency.clientId }, body })).status === 201
    }
    for (const length of [60_000, 6_000, 600, 1]) while (await fits(length));
    for (const refused of [await comment(), await edit(commentId)])
      expect(refused).toEqual({
        status: 429,
        type: '/problems/not-possible-now',
        detail: "This isn't possible right now. Please contact North Star.",
      })
  })

  it('that the planned time has passed, and nothing of drafts', async () => {
    const agency = await reviewedAgency(server)
    const step = { id: '0195a000-0000-7000-8000-0000000000b1', name: 'Client', who: { kind: 'client' }, need: 'any' }
    await agency.caller.callOrThrow('setApprovalPolicy', {
      params: { id: agency.clientId },
      body: { steps: [step], ownApproval: 'agency', timePart: { kind: 'bound', minutes: 10 } },
    })
    const scheduledFor = later(server.clock.now(), hour)
    const { approve } = await looking(agency, await agency.submit('For noon', { scheduledFor }))
    server.clock.advance(2 * hour)
    expect(await approve()).toEqual({
      status: 409,
      type: '/problems/agreed-time-passed',
      detail: 'The planned time of this post has passed. Please ask North Star for a new one.',
    })
  })

  it('that a post is on hold, and of no billing', async () => {
    const agency = await reviewedAgency(server)
    const id = await agency.submit('After the trial', { scheduledFor: later(server.clock.now(), 20 * 24 * hour) })
    const { look } = await looking(agency, id)
    await agency.caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    server.clock.advance(20 * 24 * hour + 1_000)
    await expect.poll(async () => (await look())?.held, patience).toBe('other')
  })
})
