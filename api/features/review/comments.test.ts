/** Comments between a client's people and the agency: what a link shows, and what is written through it. */
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { history } from '../../core/aggregates.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { confirmedAddress, letter } from '../auth/test/letters.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let agency: Reviewed

beforeAll(async () => {
  server = await testServer()
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const eventsOn = (id: string) => history(server.commands.ports.events, `discussion-${id}`)
const byMember = (id: string, text: string, more: object = {}) =>
  agency.caller.callOrThrow('postComment', { params: { id }, body: { commentId: uuidv7(), text, ...more } })

async function commenting(postId: string, token: string, name = 'Nora') {
  const browser = reviewer(server)
  const session = await browser.named(token, name)
  const asked = { token, session, postId }
  return {
    browser,
    asked,
    session,
    list: () => browser.api.callOrThrow('listReviewComments', { body: asked }),
    say: (text: string, more: object = {}) =>
      browser.api.callOrThrow('commentAsReviewer', { body: { ...asked, commentId: uuidv7(), text, ...more } }),
    refused: (more: object = {}) =>
      browser.problem('commentAsReviewer', { ...asked, commentId: uuidv7(), text: 'Hello', ...more }),
  }
}

describe("A reviewer's comment", () => {
  it('keeps its words when others are sent under its id at the same time', { tags: 'long' }, async () => {
    const postId = await agency.submit('Sent twice')
    const { token } = await agency.issue()
    const nora = await commenting(postId, token)
    for (let round = 0; round < 10; round++) {
      const more = { commentId: uuidv7() }
      const replies = await Promise.all(
        ['One', 'Two', 'Three'].map((text) => nora.refused({ ...more, text: `${text} ${round}` })),
      )
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    }
    const { comments } = await nora.list()
    expect(comments.filter(({ state }) => state === 'shown')).toHaveLength(10)
  })

  it('is read by the agency and by the people of the client, and its words are records', async () => {
    const postId = await agency.submit('Fresh coffee')
    const { token } = await agency.issue()
    const nora = await commenting(postId, token)
    const open = await byMember(postId, 'Is the price right?', { audience: 'client' })
    const answer = await nora.say('It is 3 marmalades', { parentId: open.id })
    expect(answer).toEqual({
      id: answer.id,
      parentId: open.id,
      author: { kind: 'reviewer', name: 'Nora' },
      isYours: true,
      at: answer.at,
      edited: false,
      state: 'shown',
      text: 'It is 3 marmalades',
      anchor: null,
      quote: null,
      isEarlierVersion: false,
      suggestion: null,
    })
    const { comments } = await agency.caller.callOrThrow('listComments', { params: { id: postId } })
    expect(comments).toMatchObject([
      { id: open.id },
      { id: answer.id, audience: 'client', author: { kind: 'reviewer', name: 'Nora' }, text: 'It is 3 marmalades' },
    ])
    const lea = await commenting(postId, token, 'Lea')
    expect(await lea.list()).toMatchObject({
      comments: [
        { author: { kind: 'member' }, isYours: false },
        { author: { name: 'Nora' }, isYours: false },
      ],
      next: null,
    })
    const events = await eventsOn(postId)
    expect(events.at(-1)?.metadata).toMatchObject({ actor: { type: 'reviewer' }, clientId: agency.clientId })
    expect(JSON.stringify(events)).not.toContain('marmalades')
  })

  it('that is sent twice is one, and its id is not for another text', async () => {
    const postId = await agency.submit('Sent twice')
    const { token } = await agency.issue()
    const nora = await commenting(postId, token)
    const commentId = uuidv7()
    for (let time = 0; time < 2; time++) await nora.say('Once', { commentId })
    expect(await eventsOn(postId)).toHaveLength(1)
    expect(await nora.refused({ commentId })).toMatchObject({ status: 409 })
    const lea = await commenting(postId, token, 'Lea')
    expect(await lea.refused({ commentId, text: 'Once' })).toMatchObject({ status: 409 })
    expect((await nora.list()).comments).toMatchObject([{ text: 'Once' }])
  })

  it('needs a name, and a link that is open and allows comments', async () => {
    const postId = await agency.submit('Not by everyone')
    const { token, id } = await agency.issue()
    const nora = await commenting(postId, token)
    const body = { postId, commentId: uuidv7(), text: 'Hello' }
    const browser = reviewer(server)
    const refusals = [
      [await browser.problem('commentAsReviewer', { ...body, token }), 403, 'name-needed'],
      [await browser.problem('commentAsReviewer', { ...body, token: 'x' }), 404, 'link-unknown'],
      [await browser.problem('listReviewComments', { postId, token: 'x' }), 404, 'link-unknown'],
      [await nora.refused({ text: ' ' }), 400, 'invalid'],
      [await nora.refused({ parentId: uuidv7() }), 404, 'comment-unknown'],
    ] as const
    for (const [answer, status] of refusals) expect(answer).toMatchObject({ status })
    expect(refusals.slice(0, 3).map(([{ type }]) => type)).toEqual(refusals.slice(0, 3).map(([, , type]) => type))
    const silent = await agency.issue({ may: ['approve'] })
    const tim = await commenting(postId, silent.token, 'Tim')
    expect(await tim.refused()).toEqual({ status: 403, type: 'not-by-this-link' })
    expect(await tim.browser.problem('listReviewComments', tim.asked)).toEqual({
      status: 403,
      type: 'not-by-this-link',
    })
    const locked = await agency.issue({ lock: 'passcode', passcode: 'sunrise-42' })
    expect(await browser.problem('listReviewComments', { postId, token: locked.token })).toEqual({
      status: 403,
      type: 'link-locked',
    })
    await agency.caller.callOrThrow('revokeReviewLink', { params: { id } })
    expect(await nora.refused()).toEqual({ status: 403, type: 'link-revoked' })
    expect(await nora.browser.problem('listReviewComments', nora.asked)).toEqual({ status: 403, type: 'link-revoked' })
    expect(await eventsOn(postId)).toEqual([])
  })

  it('of an erased person is gone, and the thread stays', async () => {
    const postId = await agency.submit('To be forgotten')
    const { token } = await agency.issue()
    const nora = await commenting(postId, token)
    const { you } = await nora.browser.open(token, { session: nora.session })
    await nora.say('A peculiar wish')
    await agency.caller.callOrThrow('eraseReviewer', { params: { id: you.id ?? '' } })
    expect((await (await commenting(postId, token, 'Lea')).list()).comments).toMatchObject([
      { author: { name: 'Former reviewer' }, state: 'erased', text: null },
    ])
    expect(await nora.refused()).toEqual({ status: 403, type: 'name-needed' })
  })

  it('is told to the submitter in the one letter of the link', { tags: 'long' }, async () => {
    // An agency that gets no letter about another test's link.
    const other = await reviewedAgency(server)
    const postId = await other.submit('Told by mail')
    const { token } = await other.issue()
    const nora = await commenting(postId, token)
    const email = await confirmedAddress(server, other.caller)
    await nora.say('An unusual thought')
    await nora.say('And another one')
    server.clock.advance(600_000)
    const text = await letter(server, email, /comments on your posts/, 1)
    expect(text).toContain('Nora commented on: Told by mail')
    expect(text).not.toContain('unusual')
  })
})

it('A comment for the team, and the id of a member, are in no reply of a link [S223]', async () => {
  const postId = await agency.submit('Between us')
  const { token } = await agency.issue()
  const nora = await commenting(postId, token)
  const secret = await byMember(postId, 'A hidden remark')
  await byMember(postId, 'A hidden reply', { parentId: secret.id })
  const open = await byMember(postId, 'For you', { audience: 'client' })
  expect(await nora.refused({ parentId: secret.id })).toEqual(await nora.refused({ parentId: uuidv7() }))
  const taken = { ...nora.asked, commentId: secret.id, text: 'A hidden remark' }
  const replies = [
    await nora.list(),
    await nora.say('Thanks', { parentId: open.id }),
    await nora.browser.open(token, { session: nora.session }),
    (await nora.browser.api.ask('commentAsReviewer', { body: taken })).text,
  ]
  const { id: userId } = await agency.caller.callOrThrow('getUser')
  const { memberId } = (await agency.caller.callOrThrow('getAgency')).me
  const said = JSON.stringify(replies)
  expect(said).toContain('For you')
  for (const hidden of ['hidden', secret.id, userId, memberId]) expect(said).not.toContain(hidden)
})
