/** What the people of the agency read about the verdicts and comments of a link. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { MovableClock } from '../../core/clock.ts'
import { memberOf } from '../../testing/members.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { confirmedAddress, letter, lettersTo } from '../auth/test/letters.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

const minute = 60_000
let server: TestServer
let agency: Reviewed
let owner: string
let manager: string

beforeAll(async () => {
  server = await testServer({}, { clock: new MovableClock('2026-11-03T10:00:00.000Z') })
  agency = await reviewedAgency(server)
  owner = await confirmedAddress(server, agency.caller)
  manager = (await memberOf(server, agency.caller, 'manager', [agency.clientId])).email
})
afterAll(() => server.remove())

/** A link for everyone, with a named person on it. */
async function person(name: string, postIds: readonly string[]) {
  const may = ['approve', 'comment', 'hold']
  const { token } = await agency.issue({ may, scope: { kind: 'posts', postIds } })
  const { api, open, named } = reviewer(server)
  const session = await named(token, name)
  const on = (postId: string) => ({ token, session, postId })
  return {
    async approve(postId: string, note = '') {
      const post = (await open(token, { session })).posts.find(({ id }) => id === postId)
      const seen = { seenHash: post?.hash ?? '', seenVersion: post?.version ?? 1 }
      await api.callOrThrow('giveVerdict', { body: { ...on(postId), ...seen, verdict: 'approve', note } })
    },
    hold: (postId: string, note: string) => api.callOrThrow('holdReviewedPost', { body: { ...on(postId), note } }),
    comment: (postId: string, text: string) =>
      api.callOrThrow('commentAsReviewer', { body: { ...on(postId), commentId: crypto.randomUUID(), text } }),
  }
}

describe('The letter about ten minutes of a link', () => {
  it('has every verdict with its note, also of a person who gave two on one post', async () => {
    const id = await agency.submit('Pumpkin soup')
    const nora = await person('Nora', [id])
    await nora.approve(id, 'It looks lovely')
    await agency.caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
    server.clock.advance(minute)
    await nora.hold(id, 'We are out of stock')
    server.clock.advance(10 * minute)
    const text = await letter(server, owner, /^Blue Cup: 2 verdicts on your posts/)
    expect(text).toContain(
      [
        '- Nora approved: Pumpkin soup',
        '  "It looks lovely"',
        '- Nora put on hold: Pumpkin soup',
        '  "We are out of stock"',
      ].join('\n'),
    )
  })

  it('has no comment from after them, which is in the next one', async () => {
    const [early, late] = [await agency.submit('Early'), await agency.submit('Late')]
    const lea = await person('Lea', [early, late])
    server.clock.advance(10 * minute)
    await lea.comment(late, 'From later on')
    server.clock.advance(-10 * minute)
    await lea.approve(early)
    server.clock.advance(10 * minute)
    expect(await letter(server, owner, /^Blue Cup: a verdict on your posts/)).not.toContain('commented')
    server.clock.advance(10 * minute)
    expect(await letter(server, owner, /^Blue Cup: comments on your posts/)).toContain('- Lea commented on: Late\n')
  })

  it('goes to confirmed addresses alone: no other person reads who works for which client [S253]', async () => {
    const [first, second] = [await agency.submit('First'), await agency.submit('Second')]
    const mia = await person('Mia', [first, second])
    // Once the second letter has left, what became of the first is known.
    for (const id of [first, second]) {
      await mia.approve(id)
      server.clock.advance(10 * minute)
    }
    const to = async (email: string) =>
      (await lettersTo(server, email)).filter(({ text }) => text.includes('- Mia approved')).length
    await expect.poll(() => to(owner), patience).toBe(2)
    expect(await to(manager)).toBe(0)
  })
})
