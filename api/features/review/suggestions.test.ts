/** What reviewers suggest, what their comments are about, and how they edit and remove them. */
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { history } from '../../core/aggregates.ts'
import { png } from '../media/test/helpers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { asProblem, filesIn, reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

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
const revise = (id: string, content: string) =>
  agency.caller.callOrThrow('changePost', { params: { id }, body: { content } })
const move = (id: string, status: 'draft' | 'pending') =>
  agency.caller.callOrThrow('changePost', { params: { id }, body: { status } })

async function taking(postId: string, may: readonly string[] = ['comment', 'suggest'], name = 'Nora') {
  const { token } = await agency.issue({ may, scope: { kind: 'posts', postIds: [postId] } })
  const browser = reviewer(server)
  const session = await browser.named(token, name)
  const asked = { token, session, postId }
  const post = async () => {
    const [shown] = (await browser.open(token, { session })).posts
    return shown ?? expect.fail('No post')
  }
  const body = (more: object) => ({ ...asked, commentId: uuidv7(), ...more })
  return {
    token,
    session,
    browser,
    asked,
    post,
    list: async () => (await browser.api.callOrThrow('listReviewComments', { body: asked })).comments,
    say: (more: object) => browser.api.callOrThrow('commentAsReviewer', { body: body(more) }),
    sent: (more: object) => browser.api.ask('commentAsReviewer', { body: body(more), ...asProblem }),
    suggest: async (text: string, more: object = {}) => {
      const { textHash: contentHash } = await post()
      return browser.api.callOrThrow('commentAsReviewer', {
        body: body({ suggestion: { text, contentHash }, ...more }),
      })
    },
  }
}

const filesWith = (text: string) => filesIn(server.dataDir, text)

describe("A reviewer's suggestion", () => {
  it('is taken over by the agency: its steps begin anew, and the client sees what changed', async () => {
    const postId = await agency.submit('Fresh coffee')
    const nora = await taking(postId)
    expect(await nora.post()).toMatchObject({ can: ['comment', 'suggest'], comments: 0 })
    await nora.browser.api.callOrThrow('openReview', { body: { ...nora.asked, seen: [{ postId, version: 1 }] } })
    const suggested = await nora.suggest('Fresh tea')
    expect(suggested).toMatchObject({ text: '', isYours: true, suggestion: { text: 'Fresh tea', state: 'open' } })
    expect(await nora.post()).toMatchObject({ comments: 1 })
    const { comments } = await agency.caller.callOrThrow('listComments', { params: { id: postId } })
    expect(comments).toMatchObject([{ audience: 'client', suggestion: { state: 'open' }, author: { name: 'Nora' } }])
    expect(comments[0]?.can).toContain('take-over')
    const params = { id: postId, commentId: suggested.id }
    await agency.caller.callOrThrow('takeOverSuggestion', { params })
    expect(await agency.caller.callOrThrow('getPost', { params: { id: postId } })).toMatchObject({
      content: 'Fresh tea',
      status: 'pending',
    })
    expect(await nora.post()).toMatchObject({ content: 'Fresh tea', version: 2, seen: { content: 'Fresh coffee' } })
    expect(await nora.list()).toMatchObject([{ suggestion: { text: 'Fresh tea', state: 'taken' } }])
  })

  it('is longer than the network takes, and no longer than a text can be', async () => {
    const postId = await agency.submit('A short one')
    const nora = await taking(postId)
    const { textHash: contentHash } = await nora.post()
    await nora.suggest('x'.repeat(3_000))
    const refused = await nora.sent({ suggestion: { text: 'x'.repeat(100_000), contentHash } })
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('Suggestion text') })
    expect(await nora.sent({ suggestion: { text: 'Mine', contentHash: 'v1:0' } })).toMatchObject({ status: 400 })
    expect(await nora.sent({})).toMatchObject({ status: 400, text: expect.stringContaining('Text: Required') })
  })

  it('for a text that has changed meanwhile is refused with the current one', async () => {
    const postId = await agency.submit('Fresh buns')
    const nora = await taking(postId)
    const { textHash: contentHash } = await nora.post()
    const sent = { commentId: uuidv7(), suggestion: { text: 'Sent in time', contentHash } }
    await nora.say(sent)
    await move(postId, 'draft')
    await revise(postId, 'Warm buns')
    await move(postId, 'pending')
    const suggestion = { text: 'Marmalade buns', contentHash }
    const late = await nora.sent({ text: 'Sweeter', suggestion })
    expect(late).toMatchObject({ status: 409 })
    const { textHash } = await nora.post()
    expect(JSON.parse(late.text)).toMatchObject({
      type: '/problems/commented-text-changed',
      current: { content: 'Warm buns', textHash, version: 2 },
    })
    // The same one again is success, also after the post has changed.
    expect(await nora.say(sent)).toMatchObject({ suggestion: { state: 'outdated' } })
    expect(await nora.list()).toMatchObject([{ suggestion: { text: 'Sent in time', state: 'outdated' } }])
  })

  it('needs a link that allows it, and a post that waits', async () => {
    const postId = await agency.submit('For some alone')
    const { textHash: contentHash } = await (await taking(postId)).post()
    const suggestion = { text: 'Mine', contentHash }
    expect(await (await taking(postId, ['comment'])).sent({ suggestion })).toMatchObject({ status: 403 })
    const only = await taking(postId, ['suggest'])
    expect(await only.sent({ text: 'Just words' })).toMatchObject({ status: 403 })
    await only.say({ suggestion })
    await move(postId, 'draft')
    expect(await only.sent({ suggestion })).toMatchObject({ status: 409 })
    expect(await only.list()).toHaveLength(1)
  })

  it('is words of the reviewer: in no event, and erased with them [S240]', async () => {
    const postId = await agency.submit('To be forgotten')
    const nora = await taking(postId)
    await nora.suggest('Zanzibar vanilla')
    expect(JSON.stringify(await eventsOn(postId))).not.toContain('Zanzibar')
    expect(await filesWith('Zanzibar vanilla')).not.toEqual([])
    const { you } = await nora.browser.open(nora.token, { session: nora.session })
    await agency.caller.callOrThrow('eraseReviewer', { params: { id: you.id ?? '' } })
    expect(await filesWith('Zanzibar vanilla')).toEqual([])
    expect(await (await taking(postId, ['comment'], 'Lea')).list()).toMatchObject([
      { state: 'erased', text: null, suggestion: null, author: { name: 'Former reviewer' } },
    ])
  })
})

describe('What a comment of a link is about', () => {
  it('is a range of the text that is shown, later of an earlier version', async () => {
    const postId = await agency.submit('Rye and spelt 🇩🇪')
    const nora = await taking(postId)
    const { textHash: contentHash } = await nora.post()
    const anchor = { kind: 'range', from: 0, to: 3, contentHash }
    expect(await nora.say({ text: 'Not rye', anchor })).toMatchObject({ anchor, quote: 'Rye', isEarlierVersion: false })
    for (const [wrong, field] of [
      [{ ...anchor, from: 3 }, 'Anchor to'],
      [{ ...anchor, to: 999 }, 'Anchor to'],
      [{ ...anchor, to: 16 }, 'Anchor to'],
      [{ kind: 'point', x: 1.2, y: 0, contentHash }, 'Anchor x'],
    ] as const)
      expect(await nora.sent({ text: 'Wrong', anchor: wrong })).toMatchObject({
        status: 400,
        text: expect.stringContaining(field),
      })
    await move(postId, 'draft')
    await revise(postId, 'Wheat')
    // The text of the draft is not the client's yet.
    expect(await nora.list()).toMatchObject([{ quote: 'Rye', isEarlierVersion: false }])
    await move(postId, 'pending')
    expect(await nora.list()).toMatchObject([{ anchor, quote: 'Rye', isEarlierVersion: true }])
    expect(await nora.sent({ text: 'Late', anchor })).toMatchObject({ status: 409 })
  })

  it('is a point of the stored image', async () => {
    const file = new Blob([new Uint8Array(png(41, 41))], { type: 'image/png' })
    const { url: imageUrl } = await agency.caller.callOrThrow('uploadImage', { body: file })
    const postId = await agency.submit('With a picture', { imageUrl })
    const nora = await taking(postId)
    const { imageHash, textHash } = await nora.post()
    const point = { kind: 'point', x: 0.25, y: 1 }
    const said = await nora.say({ text: 'Darker', anchor: { ...point, contentHash: imageHash } })
    expect(said).toMatchObject({ anchor: point, quote: null, isEarlierVersion: false })
    expect(await nora.sent({ text: 'No', anchor: { ...point, contentHash: textHash } })).toMatchObject({ status: 409 })
  })

  it('is shown to no client while it is a draft, nor is a suggestion of a member [S241]', async () => {
    const postId = await agency.submit('Seen by the client')
    await move(postId, 'draft')
    await revise(postId, 'A hidden pumpkin')
    const { textHash: contentHash } = await agency.caller.callOrThrow('listComments', { params: { id: postId } })
    const anchor = { kind: 'range', from: 2, to: 8, contentHash }
    const suggestion = { text: 'A hidden gourd', contentHash }
    await byMember(postId, 'Better so?', { audience: 'client', anchor, suggestion })
    const nora = await taking(postId)
    const counts = { comments: 1, commentChanges: 1 }
    expect(await nora.post()).toMatchObject(counts)
    await byMember(postId, 'Between us')
    expect(await nora.post()).toMatchObject(counts)
    const hidden = [{ text: 'Better so?', anchor: null, quote: null, isEarlierVersion: false, suggestion: null }]
    expect(await nora.list()).toMatchObject(hidden)
    const guessed = await nora.sent({ text: 'Guessed', anchor })
    expect(guessed).toMatchObject({ status: 409 })
    const seen = JSON.stringify([await nora.list(), await nora.post(), guessed.text])
    for (const secret of ['hidden', contentHash]) expect(seen).not.toContain(secret)
    await move(postId, 'pending')
    expect(await nora.list()).toMatchObject([{ anchor, quote: 'hidden', suggestion: null }])
  })
})

describe('An own comment of a reviewer', () => {
  it('is edited, silently at first, and removed with its words', async () => {
    const postId = await agency.submit('Edited by its author')
    const nora = await taking(postId)
    const { id: commentId } = await nora.suggest('Cinnamon buns', { text: 'Frist' })
    const asked = { ...nora.asked, commentId }
    const edit = (text: string) => nora.browser.api.callOrThrow('editReviewComment', { body: { ...asked, text } })
    expect(await edit('First')).toMatchObject({ text: 'First', edited: false, suggestion: { text: 'Cinnamon buns' } })
    server.clock.advance(16 * 60_000)
    expect(await edit('Foremost')).toMatchObject({ text: 'Foremost', edited: true })
    expect(await edit('Foremost')).toMatchObject({ edited: true })
    expect(await eventsOn(postId)).toHaveLength(3)
    expect(await nora.browser.problem('editReviewComment', { ...asked, text: ' ' })).toMatchObject({ status: 400 })
    for (let time = 0; time < 2; time++) await nora.browser.api.callOrThrow('removeReviewComment', { body: asked })
    expect(await nora.list()).toMatchObject([{ state: 'removed', text: null, suggestion: null }])
    expect(await nora.post()).toMatchObject({ comments: 0, commentChanges: 4 })
    expect(await nora.browser.problem('editReviewComment', { ...asked, text: 'Back' })).toMatchObject({ status: 404 })
    await agency.caller.callOrThrow('listComments', { params: { id: postId } })
    for (const words of ['Foremost', 'Cinnamon buns'])
      expect(JSON.stringify(await eventsOn(postId))).not.toContain(words)
  })

  it('is changed by no other person, and none for the team is known [S242]', async () => {
    const postId = await agency.submit('Of several people')
    const nora = await taking(postId)
    const lea = await taking(postId, ['comment'], 'Lea')
    const ids = {
      hers: (await nora.say({ text: 'Of Nora' })).id,
      member: (await byMember(postId, 'Of a member', { audience: 'client' })).id,
      team: (await byMember(postId, 'Of the team')).id,
      none: uuidv7(),
    }
    for (const [commentId, status] of [
      [ids.hers, 403],
      [ids.member, 403],
      [ids.team, 404],
      [ids.none, 404],
    ] as const) {
      const asked = { ...lea.asked, commentId }
      expect(await lea.browser.problem('editReviewComment', { ...asked, text: 'Mine' })).toMatchObject({ status })
      expect(await lea.browser.problem('removeReviewComment', asked)).toMatchObject({ status })
    }
    const { session: _, ...nameless } = { ...lea.asked, commentId: ids.hers, text: 'x' }
    expect(await lea.browser.problem('editReviewComment', nameless)).toMatchObject({ status: 403 })
    expect((await nora.list()).map(({ text }) => text)).toEqual(['Of Nora', 'Of a member'])
    expect(await eventsOn(postId)).toHaveLength(3)
  })
})
