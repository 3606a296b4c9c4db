/**
 * What a client's person reads when the agency ends the hold that they asked for.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later, MovableClock } from '../../core/clock.ts'
import { testServer, type TestServer } from '../../testing/server.ts'
import { letter, lettersTo } from '../auth/test/letters.ts'
import { reviewedAgency, reviewer, type Reviewed } from './test/helpers.ts'

const hour = 3_600_000
const stepId = '0195a000-0000-7000-8000-00000000000a'
let server: TestServer
let agency: Reviewed

beforeAll(async () => {
  server = await testServer({}, { clock: new MovableClock('2026-11-03T10:00:00.000Z') })
  agency = await reviewedAgency(server)
})
afterAll(() => server.remove())

const change = (id: string, body: object, of = agency) => of.caller.callOrThrow('changePost', { params: { id }, body })
const approved = async (content: string, of = agency) => {
  const id = await of.submit(content)
  await change(id, { status: 'approved' }, of)
  return id
}
const holdLink = (postIds: readonly string[], more: object = {}, of = agency) =>
  of.issue({ may: ['hold'], scope: { kind: 'posts', postIds }, ...more })
const hold = (token: string, postId: string, session?: string) =>
  reviewer(server).api.callOrThrow('holdReviewedPost', { body: { token, session, postId } })
const release = (id: string, body: object = { scheduledFor: later(server.clock.now(), 50 * hour) }) =>
  agency.caller.callOrThrow('releasePost', { params: { id }, body })
const toldOf = async (email: string) =>
  (await lettersTo(server, email)).filter(({ subject }) => /that you put on hold/.test(subject))

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

  it('is told once of a post that is returned to draft, and not of what follows', async () => {
    const mia = await agency.contact('Mia')
    const postId = await approved('Beetroot soup')
    const { tokens } = await holdLink([postId], { contacts: [mia.id] })
    await hold(tokens[0] ?? '', postId)
    for (const status of ['draft', 'draft', 'scheduled', 'draft'] as const) await change(postId, { status })
    const text = await letter(server, mia.email, /that you put on hold is a draft again/)
    expect(text).toContain('on hold on 3 November. North Star has returned it to draft, so it is no longer on hold.')
    expect(text).toContain('It goes out only if North Star approves or schedules it again.')
    expect(text).not.toContain('Beetroot')
    expect(await toldOf(mia.email)).toHaveLength(1)
  })

  it('is told of a move that opens the steps again, and of no shorter one', async () => {
    const bound = await reviewedAgency(server)
    const eva = await bound.contact('Eva')
    const step = { id: stepId, name: 'Text', who: { kind: 'role', role: 'owner' }, need: 'any' }
    await bound.caller.callOrThrow('setApprovalPolicy', {
      params: { id: bound.clientId },
      body: { steps: [step], ownApproval: 'agency', timePart: { kind: 'bound', minutes: 60 } },
    })
    const postId = await approved('Leek soup', bound)
    const { tokens } = await holdLink([postId], { contacts: [eva.id] }, bound)
    const { scheduledFor } = await hold(tokens[0] ?? '', postId)
    await change(postId, { scheduledFor: later(scheduledFor ?? '', hour) }, bound)
    await change(postId, { scheduledFor: later(scheduledFor ?? '', 48 * hour) }, bound)
    const text = await letter(server, eva.email, /that you put on hold was moved/)
    expect(text).toContain('North Star has moved it to another time, so it is no longer on hold.')
    expect(text).toMatch(/^It is planned for 6 November .*, and goes out only once it is approved again\.$/m)
    expect(await toldOf(eva.email)).toHaveLength(1)
  })

  it('is told once that it was deleted, and of no deletion after the end of the hold', async () => {
    const ines = await agency.contact('Ines')
    const [postId, other] = [await approved('Turnip soup'), await approved('Parsnip soup')]
    const [token = ''] = (await holdLink([postId, other], { contacts: [ines.id] })).tokens
    await hold(token, other)
    await release(other)
    await letter(server, ines.email, /released/)
    await hold(token, postId)
    for (const id of [other, postId, postId]) await agency.caller.callOrThrow('deletePost', { params: { id } })
    const text = await letter(server, ines.email, /that you put on hold was deleted/)
    expect(text).toContain('on hold on 3 November. North Star has deleted it.')
    expect(text).toContain('It will not go out, and links no longer show it.')
    expect(text).not.toMatch(/Turnip|To see it/)
    expect((await reviewer(server).open(token)).posts).toEqual([])
    expect(await toldOf(ines.email)).toHaveLength(2)
  })

  it('can be a person without an address, whose hold is released without a letter', async () => {
    const postId = await approved('By anyone')
    const { token } = await holdLink([postId])
    await hold(token, postId, await reviewer(server).named(token, 'Olga'))
    await release(postId)
    expect((await reviewer(server).open(token)).posts).toMatchObject([{ id: postId, held: null }])
  })
})
