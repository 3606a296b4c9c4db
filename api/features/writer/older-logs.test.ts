/** A log that has generated texts both in the streams of clients, as earlier versions wrote them, and in their own. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JSONWebKeySet } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Recorded } from '../../../domain/core/event.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { history } from '../../core/aggregates.ts'
import { generation as example } from '../../../domain/generation/test/examples.ts'
import type { ApiClient } from '../../http/client.ts'
import type { CommandContext } from '../../core/command-handler.ts'
import { verifyFile } from '../../operations/audit/verify-file.ts'
import { verifyLog } from '../../operations/audit/verify-log.ts'
import { generationsOf, recordAsBefore } from '../../testing/generations.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import { bytesOf } from '../audit/test/helpers.ts'

let server: TestServer
let caller: ApiClient
let by: CommandContext
let mine: { readonly clientId: string; readonly accountId: string }
const older = { ...example, generationId: uuidv7(), topic: 'Older topic', content: 'Warm bread from the older log.' }

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller)
  const { id } = await caller.callOrThrow('getUser')
  by = { actor: { type: 'user', id }, agencyId: agencyIdOf(id), correlationId: 'older' }
  await recordAsBefore(server.commands, mine.clientId, by, [older])
})
afterAll(() => server.remove())

const generate = (clientId = mine.clientId) =>
  caller.callOrThrow('generateContent', { body: { clientId, platform: 'facebook', topic: 'Newer topic' } })
const write = (body: { readonly content: string; readonly generationId: string }, of = mine) =>
  caller.ask('writePost', { params: { id: of.clientId }, body: { socialAccountId: of.accountId, ...body } })
const provenanceOf = async (postId: string) => {
  const [first] = await history(server.commands.ports.events, `post-${postId}`)
  return (first as Recorded<Extract<PostEvent, { type: 'PostWritten' }>> | undefined)?.data.provenance
}

describe('A log with generated texts of both kinds', () => {
  it('has a new text in a stream of its own, and names its client in the metadata', async () => {
    const { generationId, content } = await generate()
    const { state, head } = await server.commands.loadGeneration(generationId)
    expect(state).toMatchObject({ generationId, content, topic: 'Newer topic' })
    expect(head).toMatchObject({ revision: 0, agencyId: by.agencyId, clientId: mine.clientId })
    const client = await server.commands.loadClient(mine.clientId)
    expect(client.state.generations.size).toBe(1)
    expect((await generationsOf(server.commands.ports.events, mine.clientId)).map(({ topic }) => topic)).toEqual([
      'Older topic',
      'Newer topic',
    ])
  })

  it('tells the provenance of posts from either', async () => {
    const { generationId, content } = await generate()
    for (const [body, provenance] of [
      [older, { topic: 'Older topic', edited: false }],
      [
        { ...older, content: 'Other words' },
        { topic: 'Older topic', edited: true },
      ],
      [
        { generationId, content },
        { topic: 'Newer topic', edited: false },
      ],
    ] as const) {
      const { status, text } = await write({ content: body.content, generationId: body.generationId })
      expect(status).toBe(201)
      const { id } = JSON.parse(text) as { readonly id: string }
      expect(await provenanceOf(id)).toMatchObject(provenance)
    }
  })

  it("refuses a text of another client or agency, as if it didn't exist", async () => {
    const { generationId, content } = await generate()
    const other = await brand(caller)
    const stranger = await owner(server)
    const theirs = await brand(stranger)
    for (const id of [generationId, older.generationId]) {
      expect((await write({ content, generationId: id }, other)).status).toBe(404)
      const asked = {
        params: { id: theirs.clientId },
        body: { socialAccountId: theirs.accountId, content, generationId: id },
      }
      expect((await stranger.ask('writePost', asked)).status).toBe(404)
    }
  })

  it('counts both kinds in the usage', async () => {
    const texts = (await generationsOf(server.commands.ports.events, mine.clientId)).length
    const { months } = await caller.callOrThrow('getUsage')
    // The older one has the time of the client's last event.
    expect(months.reduce((sum, month) => sum + month.texts, 0)).toBe(texts)
  })

  it("exports both kinds with their client's events, and both verify", async () => {
    const { generationId } = await generate()
    const jwks = JSON.parse((await caller.get('/.well-known/jwks.json')).text) as JSONWebKeySet
    for (const query of [{}, { client: mine.clientId }]) {
      const { text } = await caller.ask('exportAudit', { query })
      expect((await verifyFile(bytesOf(text), jwks)).problems).toEqual([])
      for (const id of [generationId, older.generationId]) expect(text).toContain(`"generationId":"${id}"`)
      expect(text).toContain(`"stream":"generation-${generationId}"`)
    }
    const of = (await brand(caller)).clientId
    expect((await caller.ask('exportAudit', { query: { client: of } })).text).not.toContain('"generationId"')
    expect((await verifyLog(server.commands.ports.events, [])).problems).toEqual([])
  })

  it('accepts no text of a removed client, and keeps those that it has', async () => {
    const gone = await brand(caller)
    await recordAsBefore(server.commands, gone.clientId, by, [{ ...older, generationId: uuidv7() }])
    await generate(gone.clientId)
    await caller.callOrThrow('removeClient', { params: { id: gone.clientId } })
    const command = { type: 'RecordGeneration', ...example, generationId: uuidv7() } as const
    expect(await server.commands.generation(gone.clientId, command, by)).toEqual({
      refused: { reason: 'client-unknown' },
    })
    expect(await generationsOf(server.commands.ports.events, gone.clientId)).toHaveLength(2)
    expect((await caller.ask('exportAudit', { query: { client: gone.clientId } })).text).toContain('"generation-')
  })
})
