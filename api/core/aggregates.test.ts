import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postDecider } from '../../domain/post/decider.ts'
import type { ApiClient } from '../http/client.ts'
import { AggregateLoader } from './aggregates.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let caller: ApiClient
let mine: { readonly clientId: string; readonly accountId: string }

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  mine = await brand(caller)
})
afterAll(() => server.remove())

describe('The folded states in memory', () => {
  it('stay within their bound, however long the posts are that commands are given to', async () => {
    const { clientId, accountId } = mine
    const write = (content: string) =>
      caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
    const ids: string[] = []
    for (let at = 0; at < 20; at++) ids.push((await write('x'.repeat(65_000))).id)
    const streams = new AggregateLoader(server.handler.ports.events, 1_000_000)
    for (const id of ids) await streams.load(`post-${id}`, postDecider)
    // Each has its text twice: as it is, and as it was first written.
    expect(streams.kept.streams).toBe(7)
    expect(streams.kept.characters).toBeLessThanOrEqual(1_000_000)
    // What was let go is folded anew.
    expect((await streams.load(`post-${ids[0] ?? ''}`, postDecider)).state.content).toHaveLength(65_000)
  })
})
