/** The contract of every event store. Streams and names are new in each test, so that a shared server is enough. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Position } from '../../core/event.ts'
import type { EventStore } from '../port.ts'
import { WrongExpectedRevision } from '../port.ts'
import { appendBytes, maxAppendBytes } from '../append-size.ts'
import { all, event, gather, newName, newStream, ODD_DATA, textsOf } from './samples.ts'
import { fullLoad } from './load.ts'
import { subscribingContract } from './subscribing.suite.ts'

export interface OpenedEventStore {
  readonly store: EventStore
  /** Others append to the same log. */
  readonly isShared?: boolean
  /** Closes the store and opens the same log again, if the engine persists it. */
  readonly reopen?: () => Promise<EventStore>
  readonly cleanup: () => Promise<void>
}

export function eventStoreContract(name: string, open: () => Promise<OpenedEventStore>, load = fullLoad): void {
  describe(`${name} as an event store`, () => {
    let opened: OpenedEventStore
    let store: EventStore
    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.cleanup())
    const expectAtOrAfter = (head: Position | null, position: Position) =>
      opened.isShared === true ? expect((head ?? '') >= position).toBe(true) : expect(head).toBe(position)

    describe('appending', () => {
      it('returns the position of the last appended event', async () => {
        const stream = newStream()
        const position = await store.append(stream, 'no-stream', [event(), event()])
        const events = await all(store.read(stream))
        expect(events.map(({ revision }) => revision)).toEqual([0, 1])
        expect(events[1]?.position).toBe(position)
        expect(events.every((stored) => stored.stream === stream)).toBe(true)
      })

      it('rejects a wrong expected revision, and returns the actual one', async () => {
        const stream = newStream()
        await expect(store.append(stream, 0, [event()])).rejects.toMatchObject({
          name: 'WrongExpectedRevision',
          actual: -1,
        })
        await store.append(stream, 'no-stream', [event(), event()])
        for (const expected of ['no-stream', 0, 2] as const) {
          await expect(store.append(stream, expected, [event()])).rejects.toMatchObject({ stream, expected, actual: 1 })
        }
        expect(await all(store.read(stream))).toHaveLength(2)
      })

      it('lets exactly one of many appends at one revision win, without affecting other streams', async () => {
        const stream = newStream()
        const neighbours = Array.from({ length: 5 }, newStream)
        const rivals = Array.from({ length: 20 }, () => store.append(stream, 'no-stream', [event()]))
        const others = neighbours.map((neighbour) => store.append(neighbour, 'no-stream', [event()]))
        const outcomes = await Promise.allSettled(rivals)
        const lost = outcomes.filter((outcome) => outcome.status === 'rejected')
        expect(lost).toHaveLength(19)
        expect(lost.every(({ reason }) => reason instanceof WrongExpectedRevision)).toBe(true)
        expect(await all(store.read(stream))).toHaveLength(1)
        await Promise.all(others)
        for (const neighbour of neighbours) expect(await all(store.read(neighbour))).toHaveLength(1)
      })

      it('answers a retry after a lost answer with the original position', async () => {
        const stream = newStream()
        const [first, second, third] = [event(), event(), event()]
        const opening = await store.append(stream, 'no-stream', [first, second])
        const next = await store.append(stream, 1, [third])
        expect(await store.append(stream, 'no-stream', [first, second])).toBe(opening)
        expect(await store.append(stream, 1, [third])).toBe(next)
        expect(await all(store.read(stream))).toHaveLength(3)
      })

      it('answers two identical concurrent appends with one position', async () => {
        const stream = newStream()
        const events = [event(), event()]
        const positions = await Promise.all([
          store.append(stream, 'no-stream', events),
          store.append(stream, 'no-stream', events),
        ])
        expect(positions[0]).toBe(positions[1])
        expect(await all(store.read(stream))).toHaveLength(2)
      })

      it('rejects an append that only resembles a retry', async () => {
        const stream = newStream()
        const [first, second] = [event(), event()]
        await store.append(stream, 'no-stream', [first, second])
        for (const other of [
          [event()],
          [first, event()],
          [event(), second],
          [first, second, event()],
          [second, first],
        ]) {
          await expect(store.append(stream, 'no-stream', other)).rejects.toBeInstanceOf(WrongExpectedRevision)
        }
        expect(await all(store.read(stream))).toHaveLength(2)
      })

      it('stores all events of an append or none', async () => {
        const stream = newStream()
        await store.append(stream, 'no-stream', [event()])
        await expect(store.append(stream, 'no-stream', [event(), event(), event()])).rejects.toThrow()
        expect(await all(store.read(stream))).toHaveLength(1)
        await store.append(
          stream,
          0,
          Array.from({ length: 50 }, () => event()),
        )
        expect(await all(store.read(stream))).toHaveLength(51)
      })

      it('stores 1 MiB in all at once, refuses more in a sentence, and stores none of that', async () => {
        const stream = newStream()
        const filled = (bytes: number) => {
          const [first, last] = [event(newName(), { content: 'é'.repeat(200_000) }), event(newName(), { content: '' })]
          const left = bytes - appendBytes([first, last].map(textsOf))
          return [first, { ...last, data: { content: 'x'.repeat(left) } }]
        }
        await store.append(stream, 'no-stream', filled(maxAppendBytes))
        const bytes = maxAppendBytes + 1
        await expect(store.append(stream, 1, filled(bytes))).rejects.toMatchObject({
          name: 'AppendTooLarge',
          stream,
          message: `${bytes} bytes are too many for one append to ${stream}: at most ${maxAppendBytes} are stored together`,
        })
        expect(await all(store.read(stream))).toHaveLength(2)
      })

      it('returns every event as given, for any text and size', async () => {
        const stream = newStream()
        const events = ODD_DATA.map((data) => event(`${newName()}.v2`, data))
        await store.append(stream, 'no-stream', events)
        const stored = await all(store.read(stream))
        expect(stored.map(({ name, data, metadata }) => ({ name, data, metadata }))).toEqual(events)
      })
    })

    describe('reading', () => {
      it('starts at the revision asked for', async () => {
        const stream = newStream()
        await store.append(
          stream,
          'no-stream',
          Array.from({ length: 10 }, () => event()),
        )
        expect((await all(store.read(stream, 7))).map(({ revision }) => revision)).toEqual([7, 8, 9])
        expect(await all(store.read(stream, 10))).toEqual([])
      })

      it('returns nothing for an unknown stream', async () => {
        expect(await all(store.read(newStream()))).toEqual([])
        for (const odd of ['sample-\0', 'sample-\ud800']) expect(await all(store.read(odd))).toEqual([])
      })

      it('delivers a long stream completely and in order, without empty batches', async () => {
        const stream = newStream()
        const each = load.longStream / 10
        for (let i = 0; i < 10; i += 1) {
          await store.append(
            stream,
            i === 0 ? 'no-stream' : i * each - 1,
            Array.from({ length: each }, () => event()),
          )
        }
        const batches = await gather(store.read(stream))
        expect(batches.every((batch) => batch.length > 0)).toBe(true)
        expect(batches.flat().map(({ revision }) => revision)).toEqual(
          Array.from({ length: load.longStream }, (_, i) => i),
        )
      })

      it('delivers everything after a position, by name, in log order', async () => {
        const [wanted, alsoWanted, other] = [newName(), newName(), newName()]
        const start = await store.head()
        const position: Position[] = []
        for (const name of [wanted, other, alsoWanted, wanted, other]) {
          position.push(await store.append(newStream(), 'no-stream', [event(name)]))
        }
        const names = [wanted, alsoWanted, wanted]
        const found = await all(store.readAll(start, { names }))
        expect(found.map((stored) => stored.position)).toEqual([position[0], position[2], position[3]])
        expect((await all(store.readAll(position[2] ?? null, { names }))).map((stored) => stored.position)).toEqual([
          position[3],
        ])
        expect((await all(store.readAll(start))).map((stored) => stored.position)).toEqual(
          expect.arrayContaining(position),
        )
        expect(await all(store.readAll(null, { names: [newName()] }))).toEqual([])
        expect(await all(store.readAll(null, { names: [] }))).toEqual([])
        expect(position).toEqual([...position].sort())
      })

      it('misses nothing when it continues after a position that was searched without a match', async () => {
        const name = newName()
        let passed: Position | null = null
        const search = (after: Position | null) =>
          all(store.readAll(after, { names: [name] }, (position) => void (passed = position)))
        await store.append(newStream(), 'no-stream', [event()])
        expect(await search(null)).toEqual([])
        expect((passed ?? '') <= ((await store.end()) ?? '')).toBe(true)
        const position = await store.append(newStream(), 'no-stream', [event(name)])
        expect((await search(passed)).map((stored) => stored.position)).toEqual([position])
      })

      it('returns the position of the last matching event', async () => {
        const [name, other] = [newName(), newName()]
        expect(await store.head({ names: [name] })).toBeNull()
        const first = await store.append(newStream(), 'no-stream', [event(name)])
        const second = await store.append(newStream(), 'no-stream', [event(other)])
        expect(await store.head({ names: [name] })).toBe(first)
        expect(await store.head({ names: [name, other] })).toBe(second)
        expectAtOrAfter(await store.head(), second)
      })

      it('counts matching events without returning them', async () => {
        const [name, other] = [newName(), newName()]
        expect(await store.count(null, { names: [name] })).toBe(0)
        const first = await store.append(newStream(), 'no-stream', [event(name), event(name)])
        const second = await store.append(newStream(), 'no-stream', [event(other)])
        expect(await store.count(null, { names: [name, other] })).toBe(3)
        expect(await store.count(first, { names: [name, other] })).toBe(1)
        expect(await store.count(first)).toBeGreaterThanOrEqual(1)
        expect(await store.count(second, { names: [name, other] })).toBe(0)
        expect(await store.count(null, { names: [] })).toBe(0)
      })
    })

    subscribingContract(() => store, load)

    it('keeps everything after reopening', async ({ skip }) => {
      if (!opened.reopen) return skip()
      const stream = newStream()
      const events = [event(), event()]
      const position = await store.append(stream, 'no-stream', events)
      store = await opened.reopen()
      expectAtOrAfter(await store.head(), position)
      expect((await all(store.read(stream))).map(({ metadata }) => metadata.eventId)).toEqual(
        events.map(({ metadata }) => metadata.eventId),
      )
      expect(await store.append(stream, 'no-stream', events)).toBe(position)
      expect((await store.append(stream, 1, [event()])) > position).toBe(true)
    })

    it('rejects every call once it is closed, after completing earlier ones', async () => {
      const other = await open()
      const stream = newStream()
      const last = other.store.append(stream, 'no-stream', [event()])
      const subscribed = gather(other.store.subscribe(null, { names: [newName()] }, new AbortController().signal))
      const outcome = expect(subscribed).rejects.toMatchObject({ name: 'StoreUnavailable' })
      await other.store.close()
      await other.store.close()
      await outcome
      expect(await last).toEqual(expect.any(String))
      const closed = { name: 'StoreUnavailable' }
      await expect(other.store.append(newStream(), 'no-stream', [event()])).rejects.toMatchObject(closed)
      await expect(all(other.store.read(stream))).rejects.toMatchObject(closed)
      await expect(all(other.store.readAll(null))).rejects.toMatchObject(closed)
      await expect(other.store.head()).rejects.toMatchObject(closed)
      await other.cleanup()
    })
  })
}
