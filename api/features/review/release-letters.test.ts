/** What a client's person reads when the agency releases the post that they held. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later, MovableClock } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { letter, lettersTo } from '../auth/test/letters.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

const hour = 3_600_000
let server: TestServer
let agency: Reviewed

beforeAll(async () => {
  server = await testServer({}, { clock: new MovableClock('2026-11-03T10:00:00.000Z') })
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const approved = async (content: string) => {
  const id = await agency.submit(content)
  await agency.caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })
  return id
}
const holdLink = (postIds: readonly string[], more: object = {}) =>
  agency.issue({ may: ['hold'], scope: { kind: 'posts', postIds }, ...more })
const hold = (token: string, postId: string, session?: string) =>
  reviewer(server).api.callOrThrow('holdReviewedPost', { body: { token, session, postId } })
const release = (id: string, body: object = { scheduledFor: later(server.clock.now(), 50 * hour) }) =>
  agency.caller.callOrThrow('releasePost', { params: { id }, body })
const toldOf = async (email: string) =>
  (await lettersTo(server, email)).filter(({ subject }) => /released/.test(subject))

describe('The contact who held a post', () => {
  it('is told of its release, once for each', async () => {
    const nora = await agency.contact('Nora')
    const lea = await agency.contact('Lea')
    const postId = await approved('Pumpkin soup')
    const [own = '', other = ''] = (await holdLink([postId], { contacts: [nora.id, lea.id] })).tokens
    await hold(own, postId)
    await release(postId)
    const text = await letter(server, nora.email, /that you put on hold was released/)
    expect(text).toContain('on hold on 3 November. North Star has released it.')
    expect(text).toContain('It is planned for 5 November')
    expect(text).not.toContain('Pumpkin')
    await hold(other, postId)
    await release(postId)
    await letter(server, lea.email, /released/)
    expect(await toldOf(nora.email)).toHaveLength(1)
    await hold(own, postId)
    await release(postId)
    await expect.poll(() => toldOf(nora.email)).toHaveLength(2)
  })

  it('reads the planned time, which a release without a time keeps', async () => {
    const ida = await agency.contact('Ida')
    const postId = await approved('In a day')
    const { tokens } = await holdLink([postId], { contacts: [ida.id] })
    const { scheduledFor } = await hold(tokens[0] ?? '', postId)
    for (const _ of ['released', 'released before'])
      expect(await release(postId, {})).toMatchObject({ delivery: 'none', scheduledFor })
    expect(await letter(server, ida.email, /released/)).toContain('It is planned for 4 November')
    expect(await toldOf(ida.email)).toHaveLength(1)
  })

  it('is not told of a post that was returned to a draft instead', async () => {
    const mia = await agency.contact('Mia')
    const [moved, released] = [await approved('Moved'), await approved('Released')]
    const { tokens } = await holdLink([moved, released], { contacts: [mia.id] })
    for (const postId of [moved, released]) await hold(tokens[0] ?? '', postId)
    await agency.caller.callOrThrow('changePost', { params: { id: moved }, body: { status: 'draft' } })
    await release(released)
    await letter(server, mia.email, /released/)
    expect(await toldOf(mia.email)).toHaveLength(1)
  })

  it('can be a person without an address, whose hold is released without a letter', async () => {
    const postId = await approved('By anyone')
    const { token } = await holdLink([postId])
    await hold(token, postId, await reviewer(server).named(token, 'Olga'))
    await release(postId)
    expect((await reviewer(server).open(token)).posts).toMatchObject([{ id: postId, held: null }])
  })
})
