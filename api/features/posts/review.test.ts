import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import type { ApiClient } from '../../http/client.ts'
import { whileViewsAreLate } from '../../testing/late-views.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
let accountId: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  ;({ clientId, accountId } = await brand(caller))
})
afterAll(() => server.remove())

const write = (content: string, status: 'draft' | 'pending' = 'pending', by = caller, at = { clientId, accountId }) =>
  by.callOrThrow('writePost', { params: { id: at.clientId }, body: { socialAccountId: at.accountId, content, status } })
const review = (body: object, by = caller) => by.callOrThrow('reviewPosts', { body })

describe('Posts reviewed together', () => {
  it('are approved, each with its own result', async () => {
    const [first, draft, second] = [await write('First'), await write('A draft', 'draft'), await write('Second')]
    const { results } = await review({ ids: [first.id, draft.id, second.id], status: 'approved' })
    expect(results.map(({ id, done, sentence, post }) => [id, done, sentence, post?.status])).toEqual([
      [first.id, true, null, 'approved'],
      [draft.id, false, 'Only a post that is pending review can be approved. This one is a draft.', 'draft'],
      [second.id, true, null, 'approved'],
    ])
  })

  it('are judged beforehand without a change [P16.4]', async () => {
    const [pending, draft] = [await write('Judged'), await write('A draft', 'draft')]
    const unknown = '0195a000-0000-7000-8000-00000000dead'
    const { results } = await review({ ids: [pending.id, draft.id, unknown], status: 'approved', dryRun: true })
    expect(results).toEqual([
      { id: pending.id, done: false, sentence: null, post: null },
      {
        id: draft.id,
        done: false,
        sentence: 'Only a post that is pending review can be approved. This one is a draft.',
        post: null,
      },
      { id: unknown, done: false, sentence: expect.stringContaining('post'), post: null },
    ])
    expect((await caller.callOrThrow('getPost', { params: { id: pending.id } })).status).toBe('pending')
  })

  it('each take a free slot of their own', async () => {
    const account = await caller.callOrThrow('addSocialAccount', {
      params: { id: clientId },
      body: { platform: 'linkedin', accountName: 'Slots' },
    })
    const by = {
      actor: { type: 'user', id: 'owner' },
      agencyId: (await caller.callOrThrow('getAgency')).id,
      correlationId: 'slots',
    } as const
    const rules = {
      frequency: 'daily' as const,
      postsPerWeek: 7,
      preferredTimes: [{ day: 'every' as const, time: '12:00' }],
      contentTopics: [],
    } satisfies ScheduleRules
    await server.commands.client(
      clientId,
      { type: 'AddPostingSchedule', scheduleId: 'slots', accountId: account.id, ...rules },
      by,
    )
    const written = []
    for (const content of ['One', 'Two', 'Three'])
      written.push(await write(content, 'pending', caller, { clientId, accountId: account.id }))
    const { results } = await review({ ids: written.map(({ id }) => id), status: 'approved' })
    const slots = results.map(({ post }) => post?.scheduledFor)
    expect(new Set(slots).size).toBe(3)
    expect(slots).toEqual(slots.toSorted())
  })

  it('are answered after one wait while the views stand still', async () => {
    const ids = [(await write('One')).id, (await write('Two')).id, (await write('Three')).id]
    const { answer, waits } = await whileViewsAreLate(server, () =>
      caller.ask('reviewPosts', { body: { ids, status: 'approved' } }),
    )
    expect([answer.status, answer.headers.get('X-Consistency'), waits]).toEqual([200, 'pending', 1])
  })

  it('are rejected with one shared reason', async () => {
    const [one, two] = [await write('One'), await write('Two')]
    const { results } = await review({ ids: [one.id, two.id, one.id], status: 'rejected', reason: 'Off brand' })
    expect(results.map(({ post }) => [post?.status, post?.rejectionReason])).toEqual([
      ['rejected', 'Off brand'],
      ['rejected', 'Off brand'],
    ])
  })

  it('are approved only at the revision that was read', async () => {
    const post = await write('As it was read')
    await caller.callOrThrow('changePost', { params: { id: post.id }, body: { status: 'draft' } })
    await caller.callOrThrow('changePost', { params: { id: post.id }, body: { content: 'Changed by somebody' } })
    await caller.callOrThrow('changePost', { params: { id: post.id }, body: { status: 'pending' } })
    const { results } = await review({ ids: [post.id], status: 'approved', revisions: { [post.id]: post.revision } })
    expect(results).toMatchObject([
      {
        done: false,
        sentence: 'Somebody changed this meanwhile. Refresh to see the latest version.',
        post: { status: 'pending' },
      },
    ])
  })

  it('are left alone if they belong to another agency, were deleted or never existed', async () => {
    const stranger = await owner(server)
    const deleted = await write('Deleted')
    await caller.callOrThrow('deletePost', { params: { id: deleted.id } })
    const mine = await write('Mine')
    const never = '0195a000-0000-7000-8000-00000000ffff'
    const { results } = await review({ ids: [mine.id, never], status: 'approved' }, stranger)
    expect(results).toEqual(
      [mine.id, never].map((id) => ({ id, done: false, sentence: "This post doesn't exist.", post: null })),
    )
    expect((await review({ ids: [deleted.id], status: 'approved' })).results).toEqual([
      { id: deleted.id, done: false, sentence: "This post doesn't exist.", post: null },
    ])
    expect(await caller.callOrThrow('getPost', { params: { id: mine.id } })).toMatchObject({ status: 'pending' })
  })

  it('are changed once by a repeated request', async () => {
    const post = await write('Twice')
    const ask = { ids: [post.id], status: 'approved' }
    const first = await review(ask)
    expect(await review(ask)).toEqual(first)
  })

  it.each([
    [{ ids: [], status: 'approved' }, 'Ids: Choose at least one post'],
    [{ ids: ['x'], status: 'approved' }, 'Ids 0: Not a valid id'],
    [
      { ids: Array.from({ length: 101 }, () => '0195a000-0000-7000-8000-00000000ffff'), status: 'approved' },
      'Ids: Choose at most 100 posts',
    ],
    [{ ids: ['0195a000-0000-7000-8000-00000000ffff'], status: 'published' }, 'Status: '],
  ])('are refused as a whole with an explanation: %j', async (body, sentence) => {
    const { status, text } = await caller.ask('reviewPosts', { body })
    expect(status).toBe(400)
    expect(text).toContain(sentence)
  })
})
