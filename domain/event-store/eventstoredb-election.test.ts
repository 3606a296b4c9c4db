/**
 * A leader that hangs keeps its connections and answers nothing: a machine that stalls, or `kill -STOP`.
 *
 * @module-tag long
 */
import { setTimeout as pause } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultTimeouts, openEventStoreDB } from './eventstoredb.ts'
import { OutcomeUnknown, StoreUnavailable, type EventStore } from './port.ts'
import { all, event, newName, newStream } from './test/samples.ts'
import { startCluster, type TestCluster } from './test/fake-eventstoredb/cluster.ts'

/** Of the real election: 6.6 s and more on three nodes of EventStoreDB 23.10.6. */
const electionMs = 6_600

/** Subscribes again where a subscription ends, as projectors do. */
async function followOn(store: EventStore, name: string, count: number): Promise<number> {
  let reached = await store.head()
  let seen = 0
  for (const stop = new AbortController(); seen < count;)
    try {
      for await (const batch of store.subscribe(reached, { names: [name] }, stop.signal)) {
        reached = batch.at(-1)?.position ?? reached
        seen += batch.length
        if (seen >= count) stop.abort()
      }
    } catch (error) {
      expect(error).toBeInstanceOf(StoreUnavailable)
      await pause(200)
    }
  return seen
}

describe('Beside a leader that hangs', () => {
  let cluster: TestCluster
  let store: EventStore
  beforeEach(async () => {
    cluster = await startCluster()
    store = openEventStoreDB(cluster.url())
  })
  afterEach(async () => {
    await store.close()
    await cluster.close()
  })

  it('writes, reads and subscriptions go on within 3 s of the election of another', async () => {
    const [written, idle] = [newStream(), newStream()]
    const name = newName()
    for (const stream of [written, idle]) await store.append(stream, 'no-stream', [event()])
    const following = followOn(store, name, 2)
    await pause(200)
    cluster.leader.hang()
    const early = store.append(written, 0, [event(name)])
    await pause(electionMs - 1_500)
    // Asked shortly before the election, so that its own time would end long after.
    const late = Promise.all([store.append(idle, 0, [event(name)]), all(store.read(idle))])
    await pause(1_500)
    cluster.elect()
    const began = performance.now()
    await Promise.all([early, late])
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(await following).toBe(2)
    expect(performance.now() - began).toBeLessThan(6_000)
    for (const stream of [written, idle])
      expect((await all(store.read(stream))).map(({ revision }) => revision)).toEqual([0, 1])
  }, 30_000)

  it('many waiting appends end in time with an unknown outcome, and the adapter has few clients', async () => {
    await store.close()
    store = openEventStoreDB(cluster.url(), { ...defaultTimeouts, answerMs: 1_500, appendMs: 3_000 })
    await store.append(newStream(), 'no-stream', [event()])
    cluster.leader.hang()
    const opened = vi.spyOn(EventStoreDBClient, 'connectionString')
    const began = performance.now()
    const large = { content: 'x'.repeat(20_000) }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, () => store.append(newStream(), 'no-stream', [event(newName(), large)])),
    )
    const seconds = (performance.now() - began) / 1_000
    expect(outcomes.every((each) => each.status === 'rejected' && each.reason instanceof OutcomeUnknown)).toBe(true)
    expect(seconds).toBeLessThan(8)
    // One a second at most looks for the leader, and one replaces the other after a missed deadline.
    expect(opened.mock.calls.length).toBeLessThan(2 * seconds + 1)
    opened.mockRestore()
    cluster.elect()
    await store.append(newStream(), 'no-stream', [event()])
  }, 40_000)
})
