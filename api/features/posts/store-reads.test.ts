/** How often a command reads the event store: each stream once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
let postId: string
const read: string[] = []

/** Notes the streams that are read. The store itself stays the real one. */
function noteReads(events: EventStore): void {
  const original = events.read.bind(events)
  events.read = (stream, from) => {
    read.push(stream)
    return original(stream, from)
  }
}

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  const made = await brand(caller)
  clientId = made.clientId
  const body = { socialAccountId: made.accountId, content: 'Fresh bread from seven.' }
  postId = (await caller.callOrThrow('writePost', { params: { id: clientId }, body })).id
  await caller.callOrThrow('changePost', { params: { id: postId }, body: { status: 'pending' } })
  noteReads(server.commands.ports.events)
})
afterAll(() => server.remove())

describe('Approving a post over HTTP', () => {
  it('reads the streams of post, agency and client once each', async () => {
    const agency = await caller.callOrThrow('getAgency')
    read.length = 0
    const post = await caller.callOrThrow('changePost', { params: { id: postId }, body: { status: 'approved' } })
    expect(post.status).toBe('approved')
    expect(read.toSorted()).toEqual([`agency-${agency.id}`, `client-${clientId}`, `post-${postId}`].toSorted())
  })
})
