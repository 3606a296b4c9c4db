/** One text for several accounts of a client, in one request. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SentBody, Routes } from '../../contract/index.ts'
import { connect, type ApiClient } from '../../http/client.ts'
import { whileViewsAreLate } from '../../testing/late-views.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

type Platform = 'facebook' | 'instagram' | 'twitter' | 'linkedin'

let server: TestServer
let caller: ApiClient
beforeAll(async () => {
  server = await testServer()
})
beforeEach(async () => {
  caller = await owner(server)
})
afterAll(() => server.remove())

/** A client with an account on each network. */
async function accountsOn(...platforms: readonly Platform[]) {
  const { id: clientId } = await caller.callOrThrow('addClient', { body: { name: 'Blue Cup' } })
  const ids: string[] = []
  for (const platform of platforms) {
    const body = { platform, accountName: `On ${platform}` }
    ids.push((await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })).id)
  }
  return { clientId, ids }
}
const write = (clientId: string, body: SentBody<Routes['writePostGroup']>, headers: Record<string, string> = {}) =>
  caller.callOrThrow('writePostGroup', { params: { id: clientId }, body, headers })
const listOf = (clientId: string) => caller.callOrThrow('listPosts', { params: { id: clientId } })

describe('One text for several accounts', () => {
  it('becomes a post of its own for each, with the text of its network [P11.1]', async () => {
    const { clientId, ids } = await accountsOn('facebook', 'twitter', 'linkedin')
    const [facebook = '', twitter = '', linkedin = ''] = ids
    const { results, groupId } = await write(clientId, {
      content: 'Autumn breads are back.',
      status: 'pending',
      posts: [
        { socialAccountId: facebook },
        { socialAccountId: twitter, content: 'Breads!' },
        { socialAccountId: linkedin },
      ],
    })
    expect(results.map(({ done, post }) => [done, post?.platform, post?.status, post?.excerpt])).toEqual([
      [true, 'facebook', 'pending', 'Autumn breads are back.'],
      [true, 'twitter', 'pending', 'Breads!'],
      [true, 'linkedin', 'pending', 'Autumn breads are back.'],
    ])
    expect(await listOf(clientId)).toHaveLength(3)
    for (const { post } of results) {
      const [written] = await caller.callOrThrow('getPostHistory', { params: { id: post?.id ?? '' } })
      expect(written?.data).toMatchObject({ groupId })
    }
  })

  it('that one network refuses is written for the others, and the one is named [P11.2]', async () => {
    const { clientId, ids } = await accountsOn('facebook', 'twitter', 'linkedin')
    const posts = ids.map((socialAccountId) => ({ socialAccountId }))
    const { results } = await write(clientId, { content: 'Long. '.repeat(60), status: 'pending', posts })
    expect(results.map(({ socialAccountId, done }) => [socialAccountId, done])).toEqual([
      [ids[0], true],
      [ids[1], false],
      [ids[2], true],
    ])
    expect(results[1]?.sentence).toContain('characters')
    expect(await listOf(clientId)).toHaveLength(2)
  })

  it('is written once under one key; an account that failed is tried again [P11.3]', async () => {
    const { clientId, ids } = await accountsOn('facebook', 'linkedin')
    const posts = ids.map((socialAccountId) => ({ socialAccountId }))
    const send = () => write(clientId, { content: 'Once', posts }, { 'Idempotency-Key': 'the-group' })
    const first = await send()
    expect(await send()).toEqual(first)
    expect(await listOf(clientId)).toHaveLength(2)
  })

  it('and without a time takes the next free slot of each account [P11.4]', async () => {
    const { clientId, accountId } = await brand(caller)
    const body = { platform: 'linkedin', accountName: 'Blue Cup' } as const
    const { id: second } = await caller.callOrThrow('addSocialAccount', { params: { id: clientId }, body })
    await connect(caller, second)
    const posts = [accountId, second].map((socialAccountId) => ({ socialAccountId }))
    const { results } = await write(clientId, { content: 'Soon', status: 'scheduled', posts })
    expect(results.map(({ post }) => [post?.status, typeof post?.scheduledFor])).toEqual([
      ['scheduled', 'string'],
      ['scheduled', 'string'],
    ])
  })

  it("names an account that isn't this client's, and writes one post for an account named twice", async () => {
    const { clientId, ids } = await accountsOn('facebook')
    const { ids: others } = await accountsOn('linkedin')
    const [own = ''] = ids
    const [other = ''] = others
    const { results } = await write(clientId, {
      content: 'Mine',
      posts: [own, own, other].map((socialAccountId) => ({ socialAccountId })),
    })
    expect(results.map(({ done, sentence }) => [done, sentence])).toEqual([
      [true, null],
      [false, "This social account doesn't exist."],
    ])
    expect(await listOf(clientId)).toHaveLength(1)
  })

  it('is refused as a whole for another agency, for 21 accounts, and once the trial has ended', async () => {
    const { clientId, ids } = await accountsOn('facebook')
    const posts = ids.map((socialAccountId) => ({ socialAccountId }))
    const stranger = await owner(server)
    const body = { content: 'Mine', posts }
    expect((await stranger.ask('writePostGroup', { params: { id: clientId }, body })).status).toBe(404)
    const many = Array.from({ length: 21 }, () => posts).flat()
    expect(
      await caller.ask('writePostGroup', { params: { id: clientId }, body: { ...body, posts: many } }),
    ).toMatchObject({ status: 400, text: 'Posts: Choose at most 20 accounts' })
    server.clock.advance(8 * 86_400_000)
    expect((await caller.ask('writePostGroup', { params: { id: clientId }, body })).status).toBe(402)
    expect(await listOf(clientId)).toEqual([])
  })

  it('waits once while the views stand still, however many posts were written', async () => {
    const { clientId, ids } = await accountsOn('facebook', 'twitter', 'linkedin')
    for (const id of ids) await connect(caller, id)
    const posts = ids.map((socialAccountId) => ({ socialAccountId }))
    const body = { content: 'Soon', status: 'scheduled', posts } as const
    const { answer, waits } = await whileViewsAreLate(server, () =>
      caller.ask('writePostGroup', { params: { id: clientId }, body }),
    )
    expect([answer.status, answer.headers.get('X-Consistency'), waits]).toEqual([200, 'pending', 1])
  })

  it('keeps the posts that were written before the trial ended, and names the others', async () => {
    const { clientId, ids } = await accountsOn('facebook', 'linkedin')
    const { post } = server.commands
    const spy = vi.spyOn(server.commands, 'post').mockImplementation(async (...args) => {
      const outcome = await post(...args)
      // The publisher gives commands too.
      if (args[1].type === 'WritePost' && !('refused' in outcome)) server.clock.advance(8 * 86_400_000)
      return outcome
    })
    const posts = ids.map((socialAccountId) => ({ socialAccountId }))
    const { results } = await write(clientId, { content: 'In between', posts })
    spy.mockRestore()
    expect(results.map(({ socialAccountId, done }) => [socialAccountId, done])).toEqual([
      [ids[0], true],
      [ids[1], false],
    ])
    expect(results[1]?.sentence).toContain('trial')
    expect(await listOf(clientId)).toHaveLength(1)
  })
})
