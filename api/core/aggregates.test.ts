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

describe('Folded states in memory', () => {
  it('stay within their limit, however long the posts are [S66]', async () => {
    const { clientId, accountId } = mine
    const write = (content: string) =>
      caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
    const ids: string[] = []
    for (let at = 0; at < 20; at++) ids.push((await write('x'.repeat(65_000))).id)
    const streams = new AggregateLoader(server.commands.ports.events, 1_000_000)
    for (const id of ids) await streams.load(`post-${id}`, postDecider)
    // Each state has its text twice: current, and as first written.
    expect(streams.kept.streams).toBe(7)
    expect(streams.kept.characters).toBeLessThanOrEqual(1_000_000)
    // An evicted state is folded again.
    expect((await streams.load(`post-${ids[0] ?? ''}`, postDecider)).state.content).toHaveLength(65_000)
  })
})
