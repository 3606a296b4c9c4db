import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Decider } from '../../domain/core/decider.ts'
import type { Fact, StoredEvent } from '../../domain/core/event.ts'
import { StoreUnavailable, type Batch, type EventStore } from '../../domain/event-store/port.ts'
import { postDecider } from '../../domain/post/decider.ts'
import { written } from '../../domain/post/test/examples.ts'
import { event } from '../../domain/event-store/test/samples.ts'
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
  it('stay within their bytes, however long the posts are [S66]', { tags: 'long' }, async () => {
    const { clientId, accountId } = mine
    const write = (content: string) =>
      caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
    const ids: string[] = []
    for (let at = 0; at < 20; at++) ids.push((await write('x'.repeat(65_000))).id)
    const streams = new AggregateLoader(server.commands.ports.events, 2_000_000)
    for (const id of ids) await streams.load(`post-${id}`, postDecider)
    // Each state has its text twice: current, and as first written.
    expect(streams.kept.streams).toBe(7)
    expect(streams.kept.bytes).toBeLessThanOrEqual(2_000_000)
    // An evicted state is folded again.
    expect((await streams.load(`post-${ids[0] ?? ''}`, postDecider)).state.content).toHaveLength(65_000)
  })

  it('stay within their bytes, however many small ones there are', async () => {
    const maxBytes = 1_000_000
    const { loader } = heldStore({ maxBytes })
    for (let at = 0; at < 3_000; at++) await loader.load(`post-${at}`, count)
    expect(loader.kept.bytes).toBeLessThanOrEqual(maxBytes)
    expect(loader.kept.streams).toBeLessThan(3_000)
    expect(loader.kept.streams).toBeGreaterThan(500)
  })
})

describe('Loads of one stream at the same time', () => {
  it('are one load, which folds each event once', async () => {
    const { loader, reads, append } = heldStore()
    for (let at = 0; at < 50; at++) append()
    const loaded = await Promise.all(Array.from({ length: 20 }, () => loader.load('post-1', count)))
    expect(loaded.map(({ state }) => state)).toEqual(Array(20).fill(50))
    expect(reads).toEqual([0])
  })

  it('never miss an event that was appended before the load was asked for', async () => {
    const { loader, reads, append, hold } = heldStore()
    append()
    const release = hold()
    const early = loader.load('post-1', count)
    await expect.poll(() => reads.length).toBe(1)
    append()
    const late = [loader.load('post-1', count), loader.load('post-1', count)]
    release()
    expect((await early).state).toBe(1)
    expect((await Promise.all(late)).map(({ state }) => state)).toEqual([2, 2])
    // The late ones share one read, of what is new.
    expect(reads).toEqual([0, 1])
  })

  it('fail together when the store is away, without waiting for it in turns', async () => {
    const { loader, reads, hold, fail } = heldStore()
    const release = hold()
    fail()
    const early = loader.load('post-1', count)
    await expect.poll(() => reads.length).toBe(1)
    const late = loader.load('post-1', count)
    release()
    await expect(early).rejects.toThrow(StoreUnavailable)
    await expect(late).rejects.toThrow(StoreUnavailable)
    expect(reads).toHaveLength(1)
    await expect(loader.load('post-1', count)).rejects.toThrow(StoreUnavailable)
    expect(reads).toHaveLength(2)
  })
})

/** Counts events. */
const count: Decider<number, never, Fact, never, never> = {
  initial: 0,
  decide: () => [],
  evolve: (sum) => sum + 1,
}

/** A loader on a store in memory that notes each read, and can hold reads back after they have begun. */
function heldStore({ maxBytes }: { readonly maxBytes?: number } = {}) {
  const stored: StoredEvent[] = []
  const reads: number[] = []
  let held: Promise<void> = Promise.resolve()
  let isAway = false
  const append = (stream = 'post-1') =>
    stored.push({
      ...event('PostWritten', written.data as never),
      stream,
      revision: stored.length,
      position: String(stored.length),
    })
  async function* read(_: string, from = 0): AsyncGenerator<Batch> {
    reads.push(from)
    const found = stored.filter(({ revision }) => revision >= from)
    await held
    if (isAway) throw new StoreUnavailable('The store is away')
    if (found.length > 0) yield found
  }
  if (maxBytes !== undefined) append()
  return {
    loader: new AggregateLoader({ read } as unknown as EventStore, maxBytes),
    reads,
    append,
    hold() {
      let release: () => void = () => {}
      held = new Promise((resolve) => (release = resolve))
      return release
    },
    fail: () => void (isAway = true),
  }
}
