/**
 * A property over ids: a link shows and changes nothing of another client, whichever id is sent with it.
 *
 * @module-tag long
 */
import * as fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedOr } from '../../../domain/test/sample.ts'
import { png } from '../media/test/helpers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let own: Reviewed
let ownPosts: string[]
/** What no reply of the link may have: of another client of the agency, and of another agency. */
let secrets: string[]
let foreignIds: string[]

async function secretClient(of: Reviewed, name: string, size: number): Promise<void> {
  const { caller, clientId, accountId } = of
  await caller.callOrThrow('reviseClient', { params: { id: clientId }, body: { name } })
  const body = new Blob([new Uint8Array(png(size, size))], { type: 'image/png' })
  const { url: imageUrl, hash } = await caller.callOrThrow('uploadImage', { body })
  const ids = [
    await of.submit(`The secret of ${name}`, { imageUrl }),
    await of.submit(`Approved, and secret of ${name}`),
    await of.write(`A draft of ${name}`),
  ]
  await caller.callOrThrow('changePost', { params: { id: ids[1] ?? '' }, body: { status: 'approved' } })
  const { id: linkId } = await of.issue()
  secrets.push(name, hash, ...ids, linkId, clientId, accountId)
  foreignIds.push(...ids, linkId, clientId, accountId)
}

beforeAll(async () => {
  server = await testServer()
  ;[secrets, foreignIds] = [[], []]
  own = await reviewedAgency(server)
  ownPosts = [await own.submit('One of ours'), await own.submit('Two of ours')]
  await secretClient(await reviewedAgency(server, own.caller), 'Hidden Bicycles', 41)
  await secretClient(await reviewedAgency(server), 'Covert Lamps', 42)
})
afterAll(() => server.remove())

const allSeen = async () => {
  let events = 0
  for await (const batch of server.commands.ports.events.readAll(null)) events += batch.length
  return events
}

it("A link of one client never yields another one's post, image or name [S222]", async () => {
  const id = fc.nat().map((at) => foreignIds[at % foreignIds.length] ?? '')
  const month = server.clock.now().slice(0, 7)
  const scope = fc.oneof(
    fc.constant({ kind: 'pending' }),
    fc.constantFrom({ kind: 'month', month }, { kind: 'month', month: nextMonth(month) }),
    fc.shuffledSubarray(ownPosts, { minLength: 1 }).map((postIds) => ({ kind: 'posts', postIds })),
  )
  const may = fc.subarray(['approve', 'comment', 'suggest', 'hold'])
  await fc.assert(
    fc.asyncProperty(scope, may, fc.array(id, { minLength: 1, maxLength: 4 }), async (asked, abilities, ids) => {
      const { token } = await own.issue({ scope: asked, may: abilities })
      const browser = reviewer(server)
      const session = await browser.named(token, 'Nora')
      const before = await allSeen()
      const replies: string[] = []
      const ask = async (name: Parameters<typeof browser.api.ask>[0], body: object) => {
        const { status, text } = await browser.api.ask(name, { body: { token, session, ...body } })
        replies.push(text)
        return status
      }
      await ask('lookAtReview', {})
      for (const postId of ids) {
        const cursor = Buffer.from(`0 0 ${postId}`).toString('base64url')
        await ask('lookAtReview', { cursor })
        const seen = { postId, seenHash: 'v1:0', seenVersion: 1 }
        for (const verdict of ['approve', 'changes'])
          expect(await ask('giveVerdict', { ...seen, verdict, note: 'x' })).toBeGreaterThanOrEqual(400)
        expect(await ask('holdReviewedPost', { postId })).toBeGreaterThanOrEqual(400)
        expect(await ask('listOwnReceipts', { postId })).toBe(404)
        expect(await ask('listReviewComments', { postId })).toBeGreaterThanOrEqual(400)
        const comment = { postId, commentId: uuidv7(), text: 'x' }
        expect(await ask('commentAsReviewer', comment)).toBeGreaterThanOrEqual(400)
        expect(await ask('editReviewComment', comment)).toBeGreaterThanOrEqual(400)
        expect(await ask('removeReviewComment', comment)).toBeGreaterThanOrEqual(400)
      }
      expect(await allSeen()).toBe(before)
      await ask('openReview', { seen: ids.map((postId) => ({ postId, version: 1 })) })
      for (const secret of secrets) expect(replies.join('\n')).not.toContain(secret)
    }),
    { numRuns: 12, seed: seedOr(1) },
  )
})

function nextMonth(month: string): string {
  const next = new Date(`${month}-01T00:00:00.000Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.toISOString().slice(0, 7)
}
