import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '../media/test/helpers.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

let server: TestServer
let agency: Reviewed

beforeAll(async () => {
  server = await testServer()
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const clientStep = (id = '0195a000-0000-7000-8000-0000000000b1') => ({
  steps: [{ id, name: 'Client', who: { kind: 'client' }, need: 'any' }],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
})
const stepOfManagers = (id = '0195a000-0000-7000-8000-0000000000b2') => ({
  steps: [{ id, name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }],
})
const statusOf = async (id: string) => (await agency.caller.callOrThrow('getPost', { params: { id } })).status
const uploaded = async (seed: number) =>
  (
    await agency.caller.callOrThrow('uploadImage', {
      body: new Blob([new Uint8Array(png(seed, seed))], { type: 'image/png' }),
    })
  ).url

/** A person on a link for everyone, with what they see of a post. */
async function looking(token: string, name: string, postId: string) {
  const browser = reviewer(server)
  const session = await browser.named(token, name)
  const { posts } = await browser.open(token, { session })
  const post = posts.find(({ id }) => id === postId)
  if (!post) throw new Error('The post is not shown')
  const seen = { postId, seenHash: post.hash, seenVersion: post.version }
  return {
    browser,
    post,
    seen,
    session,
    give: (verdict: 'approve' | 'changes', more: object = {}) =>
      browser.api.ask('giveVerdict', {
        body: { token, session, ...seen, verdict, ...more },
        headers: { Accept: 'application/problem+json' },
      }),
    hold: (note = '') =>
      browser.api.ask('holdReviewedPost', {
        body: { token, session, postId, note },
        headers: { Accept: 'application/problem+json' },
      }),
  }
}
const typeOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as { type: string }).type

describe('A verdict', () => {
  it('without a step of the client is recorded, and the status stays', async () => {
    const postId = await agency.submit('Fresh coffee')
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    const answer = await nora.give('approve')
    expect(JSON.parse(answer.text)).toMatchObject({
      id: postId,
      status: 'pending',
      verdict: { verdict: 'approve', version: 1 },
      can: ['changes', 'comment'],
    })
    expect(await statusOf(postId)).toBe('pending')
    expect((await nora.give('approve')).status).toBe(200)
    const history = await agency.caller.callOrThrow('getPostHistory', { params: { id: postId } })
    expect(history.filter(({ type }) => type === 'PostReviewed')).toMatchObject([
      { actor: { type: 'reviewer', name: 'Nora', role: null } },
    ])
    expect((await nora.browser.open(token, { session: nora.session })).done).toBeGreaterThanOrEqual(1)
  })

  it("fulfils the client's step, after which the post is approved", async () => {
    const other = await reviewedAgency(server, agency.caller)
    await agency.caller.callOrThrow('setApprovalPolicy', { params: { id: other.clientId }, body: clientStep() })
    const postId = await other.submit('For the client')
    const { token } = await other.issue()
    const nora = await looking(token, 'Nora', postId)
    expect(nora.post.isStep).toBe(true)
    expect(JSON.parse((await nora.give('approve')).text)).toMatchObject({ status: 'approved' })
    // What became of it stays on the link.
    expect((await nora.browser.open(token, { session: nora.session })).posts).toMatchObject([
      { id: postId, status: 'approved', verdict: { verdict: 'approve' } },
    ])
  })

  it(
    "from before the client's step opened is given again then; one of the first step counts",
    { tags: 'long' },
    async () => {
      const other = await reviewedAgency(server, agency.caller)
      const [own, theirs] = [stepOfManagers().steps, clientStep().steps]
      const submittedUnder = async (steps: readonly object[]) => {
        await agency.caller.callOrThrow('setApprovalPolicy', {
          params: { id: other.clientId },
          body: { ...clientStep(), steps: [...steps] },
        })
        return other.submit('For both')
      }
      const skip = (id: string) =>
        agency.caller.callOrThrow('skipStep', { params: { id, stepId: own[0]?.id ?? '' }, body: { reason: 'Away' } })
      const [early, inTurn] = [await submittedUnder([...own, ...theirs]), await submittedUnder([...theirs, ...own])]
      const { token } = await other.issue()
      const nora = await looking(token, 'Nora', early)
      expect(nora.post).toMatchObject({ isStep: false, isStepAhead: true })
      expect(JSON.parse((await nora.give('approve')).text)).toMatchObject({
        verdict: { verdict: 'approve', isCurrent: true },
        can: ['changes', 'comment'],
      })
      await skip(early)
      const opened = await nora.browser.open(token, { session: nora.session })
      expect(opened).toMatchObject({ total: 2, done: 0 })
      expect(opened.posts.find(({ id }) => id === early)).toMatchObject({
        isStep: true,
        isStepAhead: false,
        verdict: { verdict: 'approve', version: 1, isCurrent: false },
        can: ['approve', 'changes', 'comment'],
      })
      const approved = JSON.parse((await nora.give('approve')).text)
      expect(approved).toMatchObject({ status: 'approved', verdict: { isCurrent: true } })
      const lea = await looking(token, 'Lea', inTurn)
      expect(JSON.parse((await lea.give('approve')).text)).toMatchObject({
        status: 'pending',
        isStep: false,
        isStepAhead: false,
        verdict: { isCurrent: true },
        can: ['changes', 'comment'],
      })
      await skip(inTurn)
      expect(await statusOf(inTurn)).toBe('approved')
    },
  )

  it('is not current on a text that was scheduled without another submission', async () => {
    const postId = await agency.submit('Seen by the client')
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    await nora.give('approve')
    const changed = (body: object) => agency.caller.callOrThrow('changePost', { params: { id: postId }, body })
    const shown = async () =>
      (await nora.browser.open(token, { session: nora.session })).posts.find(({ id }) => id === postId)
    await changed({ status: 'draft' })
    const before = await shown()
    const scheduledFor = new Date(Date.parse(server.clock.now()) + 5 * 86_400_000).toISOString()
    for (const body of [{ content: 'Never seen' }, { scheduledFor }]) await changed(body)
    // The draft's text and time are the agency's own.
    expect(await shown()).toEqual(before)
    expect(before).toMatchObject({ content: 'Seen by the client', hash: nora.post.hash, verdict: { isCurrent: true } })
    expect(before?.scheduledFor).toBe(nora.post.scheduledFor)
    await changed({ status: 'scheduled' })
    const after = await shown()
    expect(after).toMatchObject({
      content: 'Never seen',
      scheduledFor,
      verdict: { verdict: 'approve', version: 1, isCurrent: false },
      seen: { version: 1, content: 'Seen by the client' },
    })
    const answer = await nora.give('approve', { seenHash: after?.hash })
    expect(JSON.parse(answer.text)).toMatchObject({ verdict: { isCurrent: true } })
    const history = await agency.caller.callOrThrow('getPostHistory', { params: { id: postId } })
    expect(history.filter(({ type }) => type === 'PostReviewed')).toHaveLength(2)
  })

  it('asking for changes rejects the post, with the words in records alone', async () => {
    const postId = await agency.submit('Not yet good')
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    expect((await nora.give('changes', { note: 'A warmer greeting, please' })).status).toBe(200)
    expect(await statusOf(postId)).toBe('rejected')
    const history = await agency.caller.callOrThrow('getPostHistory', { params: { id: postId } })
    expect(history.find(({ type }) => type === 'PostReviewed')).toMatchObject({ note: 'A warmer greeting, please' })
    for await (const batch of server.commands.ports.events.read(`post-${postId}`))
      expect(JSON.stringify(batch)).not.toContain('warmer')
  })

  it('has no note where its note shows nothing', async () => {
    const postId = await agency.submit('Of few words')
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    expect((await nora.give('changes', { note: '\u200b\u2800' })).status).toBe(200)
    const history = await agency.caller.callOrThrow('getPostHistory', { params: { id: postId } })
    expect(history.find(({ type }) => type === 'PostReviewed')).toMatchObject({ data: { noteId: null } })
  })

  it('is refused for another text than the one that was shown', async () => {
    const postId = await agency.submit('First text')
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    for (const body of [{ status: 'draft' }, { content: 'Second text' }, { status: 'pending' }])
      await agency.caller.callOrThrow('changePost', { params: { id: postId }, body })
    const answer = await nora.give('approve')
    expect({ status: answer.status, type: typeOf(answer) }).toEqual({ status: 409, type: '/problems/version-changed' })
    const again = await looking(token, 'Nora', postId)
    expect(again.post).toMatchObject({ version: 2, content: 'Second text' })
    expect((await again.give('approve')).status).toBe(200)
  })

  it('is refused for other bytes of the image', async () => {
    const [first, second] = [await uploaded(20), await uploaded(30)]
    const postId = await agency.submit('With an image', { imageUrl: first })
    const { token } = await agency.issue()
    const nora = await looking(token, 'Nora', postId)
    expect(nora.post.imageUrl).toBe(first)
    for (const body of [{ status: 'draft' }, { imageUrl: second }, { status: 'pending' }])
      await agency.caller.callOrThrow('changePost', { params: { id: postId }, body })
    expect((await nora.give('approve', { seenVersion: 2 })).status).toBe(409)
  })

  it('of two people at once is decided by the first, and the other sees the new state', async () => {
    const postId = await agency.submit('For two')
    const { token } = await agency.issue()
    const [nora, lea] = [await looking(token, 'Nora', postId), await looking(token, 'Lea', postId)]
    const answers = await Promise.all([nora.give('changes'), lea.give('changes')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('needs a name, and an ability of the link', async () => {
    const postId = await agency.submit('Nameless')
    const { token } = await agency.issue()
    const { posts } = await reviewer(server).open(token)
    const [post] = posts.filter(({ id }) => id === postId)
    const body = { token, postId, seenHash: post?.hash, seenVersion: 1, verdict: 'approve' }
    expect(await reviewer(server).problem('giveVerdict', body)).toEqual({ status: 403, type: 'name-needed' })
    const only = await agency.issue({ may: ['comment'] })
    const nora = await looking(only.token, 'Nora', postId)
    expect(nora.post.can).toEqual(['comment'])
    expect((await nora.give('approve')).status).toBe(403)
    expect((await nora.hold()).status).toBe(403)
  })

  it('in the name of a contact needs no name, and its version is compared the next time', async () => {
    const postId = await agency.submit('As it was')
    const lea = await agency.contact('Lea')
    const { token } = await agency.issue({ contacts: [lea.id] })
    const browser = reviewer(server)
    const first = await browser.open(token)
    expect(first.you).toEqual({ id: null, name: 'Lea', verified: 'named' })
    await browser.api.callOrThrow('openReview', { body: { token, seen: [{ postId, version: 1 }] } })
    for (const body of [{ status: 'draft' }, { content: 'As it is' }])
      await agency.caller.callOrThrow('changePost', { params: { id: postId }, body })
    // The draft is the agency's own, until it is submitted.
    expect(JSON.stringify(await browser.open(token))).not.toContain('As it is')
    await agency.caller.callOrThrow('changePost', { params: { id: postId }, body: { status: 'pending' } })
    const { posts } = await browser.open(token)
    expect(posts.find(({ id }) => id === postId)).toMatchObject({
      version: 2,
      content: 'As it is',
      seen: { version: 1, content: 'As it was' },
    })
  })

  it('holds a scheduled post, until the agency releases it', async () => {
    const postId = await agency.submit('Wait')
    await agency.caller.callOrThrow('changePost', { params: { id: postId }, body: { status: 'approved' } })
    const { token } = await agency.issue({ may: ['hold'], scope: { kind: 'posts', postIds: [postId] } })
    const nora = await looking(token, 'Nora', postId)
    expect(nora.post.can).toEqual(['hold'])
    expect(JSON.parse((await nora.hold('Out of stock')).text)).toMatchObject({
      held: 'client-asked',
      can: [],
      verdict: { verdict: 'hold' },
    })
    expect((await nora.hold()).status).toBe(200)
    const scheduledFor = new Date(Date.parse(server.clock.now()) + 2 * 86_400_000).toISOString()
    await agency.caller.callOrThrow('releasePost', { params: { id: postId }, body: { scheduledFor } })
    expect((await looking(token, 'Lea', postId)).post).toMatchObject({ held: null, can: ['hold'] })
  })

  it('has a receipt for the person who gave it, and none for the other people of the link [S250]', async () => {
    const postId = await agency.submit('With a receipt')
    const { token } = await agency.issue()
    const [nora, lea] = [await looking(token, 'Nora', postId), await looking(token, 'Lea', postId)]
    const receiptsOf = (session?: string) =>
      nora.browser.api.callOrThrow('listOwnReceipts', { body: { token, session, postId } })
    expect(await receiptsOf(nora.session)).toEqual([])
    await nora.give('approve')
    await lea.give('changes', { note: 'Warmer' })
    const [own, ...others] = await receiptsOf(nora.session)
    expect(own).toMatchObject({ verdict: 'approve', submission: 1, verified: 'named', reviewer: { name: 'Nora' } })
    expect(others).toEqual([])
    expect(await receiptsOf(lea.session)).toMatchObject([{ verdict: 'changes', reviewer: { name: 'Lea' } }])
    expect(await receiptsOf()).toEqual([])
    const all = await agency.caller.callOrThrow('getReceipts', { params: { id: postId } })
    expect(all.map(({ id }) => id)).toContain(own?.id)
  })

  it('of approval waits while the agency is in bad standing, and everything else stays', async () => {
    const late = await reviewedAgency(server)
    const [one, two] = [await late.submit('For later'), await late.submit('Not good')]
    const { token } = await late.issue()
    server.clock.advance(8 * 86_400_000)
    const nora = await looking(token, 'Nora', one)
    expect((await nora.browser.open(token)).isPaused).toBe(true)
    const answer = await nora.give('approve')
    expect({ status: answer.status, text: (JSON.parse(answer.text) as { detail: string }).detail }).toEqual({
      status: 409,
      text: 'Approvals are paused. Please contact North Star.',
    })
    expect((await (await looking(token, 'Lea', two)).give('changes')).status).toBe(200)
  })
})
