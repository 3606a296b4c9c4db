import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { appendBytes } from './append-size.ts'
import { defaultTimeouts, openEventStoreDB } from './eventstoredb.ts'
import { lightLoad } from './test/load.ts'
import { all, event, follow, newName, newStream, textsOf } from './test/samples.ts'
import { OutcomeUnknown, type EventStore } from './port.ts'
import { eventStoreContract } from './test/suite.ts'
import { startCluster, type TestCluster } from './test/fake-eventstoredb/cluster.ts'
import { seed } from './test/fake-eventstoredb/seeded.ts'
import { startEventStore, type TestEventStore } from './test/fake-eventstoredb/server.ts'
import type { Fault } from './test/fake-eventstoredb/appending.ts'

let server: TestEventStore
beforeAll(async () => {
  server = await startEventStore()
  seed(server.log, 2_000)
})
afterAll(() => server.close())

const opened =
  (url: () => string, isShared = false) =>
  async () => {
    let store = openEventStoreDB(url())
    return {
      store,
      isShared,
      reopen: async () => {
        await store.close()
        return (store = openEventStoreDB(url()))
      },
      cleanup: () => store.close(),
    }
  }

eventStoreContract(
  'The Streams protocol',
  opened(() => server.url),
  lightLoad,
)

const real = process.env['TEST_EVENTSTORE_URL']
if (real !== undefined)
  eventStoreContract(
    'The EventStoreDB at TEST_EVENTSTORE_URL',
    opened(() => real, true),
  )

afterEach(() => {
  server.faults.next = []
})

/** Tries again soon. No answer comes so late that a busy machine would run into the other timeouts. */
const eager = { ...defaultTimeouts, betweenTriesMs: 5 }

describe('An append', () => {
  it.each<readonly [string, readonly Fault[]]>([
    ['whose connection is cut before it is stored', ['drop-before']],
    ['whose answer is lost after it was stored', ['drop-after']],
    ['whose answer is lost twice', ['drop-after', 'drop-after']],
    ['that the server is too busy for', ['unavailable']],
    ['whose deadline passes before it is stored', ['late-before']],
    ['whose deadline passes when it is stored already', ['late-after']],
    ['that meets everything in turn', ['unavailable', 'drop-before', 'drop-after', 'drop-before']],
  ])('%s is stored once, and answered', async (_, faults) => {
    const store = openEventStoreDB(server.url, eager)
    const stream = newStream()
    await store.append(stream, 'no-stream', [event()])
    server.faults.next = [...faults]
    const position = await store.append(stream, 0, [event(), event()])
    const stored = await all(store.read(stream))
    expect(stored.map(({ revision }) => revision)).toEqual([0, 1, 2])
    expect(stored.at(-1)?.position).toBe(position)
    await store.close()
  })

  it('that is never answered times out, and can be retried', { tags: 'long', timeout: 60_000 }, async () => {
    const timeouts = { ...eager, answerMs: 100, appendMs: 100 }
    const store = openEventStoreDB(server.url, timeouts)
    const stream = newStream()
    const events = [event()]
    server.faults.next = Array.from({ length: 100 }, () => 'silent-after')
    await expect(store.append(stream, 'no-stream', events)).rejects.toMatchObject({ name: 'StoreUnavailable' })
    server.faults.next = []
    Object.assign(timeouts, eager)
    await store.append(stream, 'no-stream', events)
    expect(await all(store.read(stream))).toHaveLength(1)
    await store.close()
  })

  it.each<readonly [Fault, number]>([
    ['late-before', 0],
    ['late-after', 3],
  ])(
    'whose deadline passes each time (%s) has no known outcome, and left %i events, not a part of them',
    async (fault, stored) => {
      const store = openEventStoreDB(server.url, { ...eager, appendMs: 300 })
      const stream = newStream()
      server.faults.next = Array.from({ length: 1_000 }, () => fault)
      await expect(store.append(stream, 'no-stream', [event(), event(), event()])).rejects.toBeInstanceOf(
        OutcomeUnknown,
      )
      server.faults.next = []
      expect(await all(store.read(stream))).toHaveLength(stored)
      await store.close()
    },
    60_000,
  )

  it('ends in time although the clock is set back meanwhile', async () => {
    const store = openEventStoreDB(server.url, { ...eager, appendMs: 300 })
    server.faults.next = Array.from({ length: 1_000 }, () => 'late-before')
    let setBackMs = 0
    const { now } = Date
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - (setBackMs += 60_000))
    const appending = store.append(newStream(), 'no-stream', [event()])
    const ended = appending.catch((error: unknown) => error)
    expect(await Promise.race([ended, pause(5_000).then(() => 'late')])).toBeInstanceOf(OutcomeUnknown)
    clock.mockRestore()
    server.faults.next = []
    await store.close()
  }, 60_000)

  it('is stored at once, however far the clocks of server and client are apart', async () => {
    const store = openEventStoreDB(server.url, { ...eager, appendMs: 100 })
    const stream = newStream()
    try {
      for (const [revision, ahead] of [6_000, -6_000, 3_600_000, -3_600_000].entries()) {
        server.faults.clockAheadMs = ahead
        await store.append(stream, revision === 0 ? 'no-stream' : revision - 1, [event()])
      }
    } finally {
      server.faults.clockAheadMs = 0
    }
    expect(await all(store.read(stream))).toHaveLength(4)
    await store.close()
  })

  it('that loses to a rival is a conflict, also where the address asks for conflicts without an error', async () => {
    const store = openEventStoreDB(`${server.url}&throwOnAppendFailure=false`, eager)
    const stream = newStream()
    const rivals = await Promise.allSettled([
      store.append(stream, 'no-stream', [event()]),
      store.append(stream, 'no-stream', [event()]),
    ])
    expect(rivals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(rivals.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { name: 'WrongExpectedRevision', stream, expected: 'no-stream', actual: 0 },
    })
    expect(await all(store.read(stream))).toHaveLength(1)
    await store.close()
  })

  it('that a server with a lower limit refuses is reported with that limit, and not stored', async () => {
    const strict = await startEventStore({ maxAppendBytes: 1_000 })
    const store = openEventStoreDB(strict.url, eager)
    const stream = newStream()
    await store.append(stream, 'no-stream', [event()])
    const events = [event(), event(), event()]
    const before = strict.log.all.length
    await expect(store.append(stream, 0, events)).rejects.toMatchObject({
      name: 'AppendTooLarge',
      stream,
      bytes: appendBytes(events.map(textsOf)),
      maxBytes: 1_000,
    })
    expect(strict.log.all).toHaveLength(before)
    await store.append(stream, 0, [event()])
    expect(await all(store.read(stream))).toHaveLength(2)
    await store.close()
    await strict.close()
  })

  it('to a tombstoned stream is rejected, not reported as a lost connection', async () => {
    const store = openEventStoreDB(server.url, eager)
    const stream = newStream()
    server.log.tombstone(stream)
    await expect(store.append(stream, 'no-stream', [event()])).rejects.toMatchObject({ type: 'stream-deleted' })
    await store.close()
  })
})

describe('An unavailable server', () => {
  it('is reported within a bounded time, and works again once it is back', async () => {
    const store = openEventStoreDB(server.url)
    const stream = newStream()
    await store.append(stream, 'no-stream', [event()])
    server.leave()
    await expect(all(store.read(stream))).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: "EventStoreDB can't be reached just now",
    })
    await expect(store.head()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    const patient = store.append(stream, 0, [event()])
    server.comeBack()
    await patient
    expect(await all(store.read(stream))).toHaveLength(2)
    await store.close()
  }, 60_000)

  it('ends a subscription, which then continues after the last handled event', async () => {
    const store = openEventStoreDB(server.url)
    const name = newName()
    const [first, second] = [
      await store.append(newStream(), 'no-stream', [event(name)]),
      await store.append(newStream(), 'no-stream', [event(name)]),
    ]
    const seen: string[] = []
    const cut = async () => {
      for await (const batch of store.subscribe(null, { names: [name] }, new AbortController().signal)) {
        seen.push(...batch.map(({ position }) => position))
        if (seen.length === 2) server.drop()
      }
    }
    await expect(cut()).rejects.toMatchObject({ name: 'StoreUnavailable' })
    const third = await store.append(newStream(), 'no-stream', [event(name)])
    const [again] = await follow(store, seen.at(-1) ?? null, [name], 1)
    expect([...seen, again?.position]).toEqual([first, second, third])
    await store.close()
  })
})

describe('A cluster whose followers lag', () => {
  let cluster: TestCluster
  beforeEach(async () => {
    cluster = await startCluster()
    for (const replica of cluster.replicas) replica.stop()
  })
  afterEach(() => cluster.close())

  it.each(['follower', 'random', 'leader'] as const)(
    "returns a process's own appends at once, whatever the address prefers (%s)",
    async (nodePreference) => {
      const store = openEventStoreDB(cluster.url(nodePreference), eager)
      for (let stream = 0; stream < 20; stream++) {
        const name = newStream()
        const position = await store.append(name, 'no-stream', [event()])
        await store.append(name, 0, [event()])
        expect((await all(store.read(name))).map(({ revision }) => revision)).toEqual([0, 1])
        expect((await all(store.readAll(position))).map(({ stream: of }) => of)).toEqual([name])
        expect(((await store.head()) ?? '') > position).toBe(true)
      }
      await store.close()
    },
  )

  it('is written to and read through the next leader after an election', async () => {
    const store = openEventStoreDB(cluster.url('leader'), eager)
    const stream = newStream()
    await store.append(stream, 'no-stream', [event()])
    for (const replica of cluster.replicas) replica.catchUp()
    cluster.elect()
    await store.append(stream, 0, [event()])
    expect(await all(store.read(stream))).toHaveLength(2)
    await store.close()
  })
})

describe('Reading by name from a log of many other events', () => {
  const others = 10_000
  let busy: TestEventStore
  let store: EventStore
  beforeAll(async () => {
    busy = await startEventStore()
    const other = {
      type: 'Other',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: new Uint8Array(),
    }
    for (let stream = 0; stream < 10; stream++)
      busy.log.append(
        newStream(),
        'no-stream',
        Array.from({ length: others / 10 }, () => ({ ...other, id: randomUUID() })),
      )
    store = openEventStoreDB(busy.url)
  })
  afterAll(async () => {
    await store.close()
    await busy.close()
  })
  const readsFrom = async (after: string | null) => {
    const passed: string[] = []
    const before = busy.sent.events
    const found = await all(store.readAll(after, { names: ['Rare'] }, (position) => void passed.push(position)))
    // One more is the log's last record, read for its position.
    return { found, passed, sent: busy.sent.events - before - 1 }
  }

  it('transfers no event that does not match, and says how far it has searched', async () => {
    const { found, passed, sent } = await readsFrom(null)
    expect([found, sent]).toEqual([[], 0])
    expect(passed).toHaveLength(Math.floor(others / 2_000) + 1)
    expect(passed).toEqual(passed.toSorted())
    expect(passed.at(-1)).toBe(await store.end())
  })

  it('finds what comes after the position that it had searched', async () => {
    const reached = (await readsFrom(null)).passed.at(-1) ?? null
    const position = await store.append(newStream(), 'no-stream', [event('Rare')])
    const again = await readsFrom(reached)
    expect(again.found.map((stored) => stored.position)).toEqual([position])
    expect(again.sent).toBe(1)
  })

  it('tells a live subscription too how far the log was searched', async () => {
    const stop = new AbortController()
    const passed: string[] = []
    const seen: string[] = []
    const onPassed = (position: string) => void passed.push(position)
    for await (const batch of store.subscribe(null, { names: ['Rare', 'Last'] }, stop.signal, onPassed)) {
      seen.push(...batch.map(({ name }) => name))
      if (seen.includes('Last')) stop.abort()
      else await store.append(newStream(), 'no-stream', [event('Last')])
    }
    expect(seen).toEqual(['Rare', 'Last'])
    expect(passed.length).toBeGreaterThan(1)
  })

  it("has an end beyond the server's own events", async () => {
    const head = (await store.head()) ?? ''
    busy.log.append('$stats', 'any', [
      {
        id: randomUUID(),
        type: '$statsCollected',
        contentType: 'application/json',
        data: Buffer.from('{}'),
        metadata: new Uint8Array(),
      },
    ])
    expect(await store.head()).toBe(head)
    expect(((await store.end()) ?? '') > head).toBe(true)
  })
})

it('Stream names with a common prefix are told apart', async () => {
  const store = openEventStoreDB(server.url)
  const name = newName()
  const start = await store.head()
  await store.append(newStream(), 'no-stream', [event(`${name}.v2`), event(name), event(`${name}Xv2`)])
  const found = await follow(store, start, [`${name}.v2`], 1)
  expect(found.map((stored) => stored.name)).toEqual([`${name}.v2`])
  await store.close()
})
