/** The contract for subscriptions, for every event store. */
import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '../../core/event.ts'
import type { EventStore } from '../port.ts'
import type { Load } from './load.ts'
import { event, follow, gather, newName, newStream } from './samples.ts'

export function subscribingContract(store: () => EventStore, load: Load): void {
  describe('subscribing', () => {
    it('delivers all events of 64 concurrent writers, and keeps each stream in order', async () => {
      const name = newName()
      const writers = Array.from({ length: 64 }, () => newStream())
      const each = load.ofWriter
      const early = await store().append(newStream(), 'no-stream', [event(name)])
      const following = follow(store(), null, [name], 64 * each + 1)
      await Promise.all(
        writers.map(async (stream) => {
          for (let i = 0; i < each; i += 1) await store().append(stream, i === 0 ? 'no-stream' : i - 1, [event(name)])
        }),
      )
      const events = await following
      expect(events[0]?.position).toBe(early)
      const positions = events.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].sort())
      for (const stream of writers) {
        const revisions = events.filter((stored) => stored.stream === stream).map(({ revision }) => revision)
        expect(revisions).toEqual(Array.from({ length: each }, (_, i) => i))
      }
    })

    it('switches from history to live without a gap, at any moment', async () => {
      const name = newName()
      const stream = newStream()
      const total = load.ofFollower
      const followers: Promise<StoredEvent[]>[] = []
      for (let i = 0; i < total; i += 1) {
        if (i % (total / 10) === 0) followers.push(follow(store(), null, [name], total))
        await store().append(stream, i === 0 ? 'no-stream' : i - 1, [event(name)])
      }
      for (const events of await Promise.all(followers)) {
        expect(events.map(({ revision }) => revision)).toEqual(Array.from({ length: total }, (_, i) => i))
      }
    })

    it('continues after a saved position', async () => {
      const name = newName()
      const saved = await store().append(newStream(), 'no-stream', [event(name)])
      const next = await store().append(newStream(), 'no-stream', [event(name)])
      const [resumed] = await follow(store(), saved, [name], 1)
      expect(resumed?.position).toBe(next)
    })

    it('waits for a slow consumer, and loses nothing meanwhile', async () => {
      const name = newName()
      const stream = newStream()
      const stop = new AbortController()
      const seen: number[] = []
      for (let i = 0; i < 3; i += 1) await store().append(stream, i === 0 ? 'no-stream' : i - 1, [event(name)])
      for await (const batch of store().subscribe(null, { names: [name] }, stop.signal)) {
        seen.push(...batch.map(({ revision }) => revision))
        const last = seen.at(-1) ?? 0
        if (last < 2) continue
        if (last < 20) await store().append(stream, last, [event(name)])
        else stop.abort()
      }
      expect(seen).toEqual(Array.from({ length: 21 }, (_, i) => i))
    })

    it('ends at once when aborted before, while waiting and between events', async () => {
      const name = newName()
      expect(await gather(store().subscribe(null, { names: [name] }, AbortSignal.abort()))).toEqual([])
      const waiting = new AbortController()
      const ended = gather(store().subscribe(null, { names: [name] }, waiting.signal))
      await store().append(newStream(), 'no-stream', [event()])
      waiting.abort()
      expect(await ended).toEqual([])
    })
  })
}
