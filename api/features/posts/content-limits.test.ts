import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller, 'linkedin')
})
afterAll(() => server.remove())

const tooLong = 'x'.repeat(5_001)
const sentence = 'A text for LinkedIn can have at most 5,000 characters here. This one has 5,001.'
const refused = { status: 400, text: sentence }
const write = (content: string) =>
  caller.ask('writePost', { params: { id: mine.clientId }, body: { socialAccountId: mine.accountId, content } })
const edit = (id: string, content: string) => caller.ask('changePost', { params: { id }, body: { content } })

/** Appends a post's event directly, as an earlier version without the limit would have done. */
async function storedEarlier(content: string): Promise<string> {
  const postId = uuidv7()
  const { clientId, accountId } = mine
  const { id: userId } = await caller.callOrThrow('getUser')
  const fact = {
    type: 'PostWritten',
    data: {
      clientId,
      accountId,
      platform: 'linkedin',
      content,
      imageUrl: null,
      scheduledFor: null,
      generationId: null,
    },
  } as const
  const about = {
    eventId: uuidv7(),
    at: server.clock.now(),
    actor: { type: 'user', id: userId },
    correlationId: 'earlier',
    causationId: 'earlier',
    schemaVersion: 1,
    agencyId: agencyIdOf(userId),
    clientId,
  } as const
  const chained = chainHashes(`post-${postId}`, { revision: -1, hash: null }, [
    { ...catalogue.encode(fact), metadata: about },
  ])
  await server.commands.ports.events.append(`post-${postId}`, 'no-stream', chained)
  return postId
}

describe("a text more than a tenth over its network's limit", () => {
  it('is refused with an explanation in a new post, and nothing is stored [S67]', async () => {
    expect(await write(tooLong)).toMatchObject(refused)
    expect(await caller.callOrThrow('listPosts', { params: { id: mine.clientId } })).toEqual([])
  })

  it('is refused in an edit, and the post keeps its text', async () => {
    const { id } = JSON.parse((await write('x'.repeat(5_000))).text) as { readonly id: string }
    expect(await edit(id, tooLong)).toMatchObject(refused)
    expect((await caller.callOrThrow('getPost', { params: { id } })).content).toHaveLength(5_000)
  })

  it('is refused in its row of an imported file; the other rows are written', async () => {
    const file = new Blob([`content,platform\n${tooLong},linkedin\nShort enough,linkedin\n`], { type: 'text/csv' })
    const { rows } = await caller.callOrThrow('importPosts', { params: { id: mine.clientId }, body: file })
    expect(rows.map(({ verdict, sentence: why }) => [verdict, why])).toEqual([
      ['refused', sentence],
      ['written', null],
    ])
  })

  it('is refused as a generated text', async () => {
    const { id } = await caller.callOrThrow('getUser')
    const by = { actor: { type: 'user', id }, agencyId: agencyIdOf(id), correlationId: 'test' } as const
    const text = {
      type: 'RecordGeneration',
      generationId: uuidv7(),
      writer: 'openai',
      model: 'any',
      platform: 'linkedin',
      topic: 'Coffee',
      tone: 'warm',
      content: tooLong,
      tokens: 1,
    } as const
    expect(await server.commands.generation(mine.clientId, text, by)).toEqual({
      refused: { reason: 'content-too-long', platform: 'linkedin', length: 5_001, limit: 5_000 },
    })
  })

  it('from an earlier version can still be read, rescheduled and shortened', async () => {
    const id = await storedEarlier('x'.repeat(20_000))
    expect((await caller.callOrThrow('getPost', { params: { id } })).content).toHaveLength(20_000)
    expect((await edit(id, 'x'.repeat(19_000))).status).toBe(400)
    const scheduledFor = '2099-01-01T09:00:00.000Z'
    expect((await caller.ask('changePost', { params: { id }, body: { scheduledFor } })).status).toBe(200)
    expect((await edit(id, 'Short again')).status).toBe(200)
    expect(await caller.callOrThrow('getPost', { params: { id } })).toMatchObject({
      content: 'Short again',
      scheduledFor,
    })
  })
})
