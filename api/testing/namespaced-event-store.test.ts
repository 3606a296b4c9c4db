/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEventStoreDB } from '../../domain/event-store/eventstoredb.ts'
import { lightLoad } from '../../domain/event-store/test/load.ts'
import { all, event, newName, newStream } from '../../domain/event-store/test/samples.ts'
import { eventStoreContract } from '../../domain/event-store/test/suite.ts'
import { startEventStore, type TestEventStore } from '../../domain/event-store/test/fake-eventstoredb/server.ts'
import { namespacedEventStore } from './namespaced-event-store.ts'

let server: TestEventStore
beforeAll(async () => {
  server = await startEventStore()
})
afterAll(() => server.close())

const open = () => namespacedEventStore(openEventStoreDB(server.url), randomUUID())

eventStoreContract(
  'A part of a shared log',
  async () => {
    const store = open()
    return { store, cleanup: () => store.close() }
  },
  lightLoad,
)

it('Two namespaces of one log may have streams of the same name, and see no events of each other', async () => {
  const [one, other] = [open(), open()]
  const [stream, name] = [newStream(), newName()]
  const position = await one.append(stream, 'no-stream', [event(name), event(name)])
  await other.append(stream, 'no-stream', [event(name)])
  expect(await all(one.read(stream))).toHaveLength(2)
  expect((await all(one.readAll(null))).map((stored) => stored.stream)).toEqual([stream, stream])
  expect(await one.head({ names: [name] })).toBe(position)
  expect(await other.count(null)).toBe(1)
  await Promise.all([one.close(), other.close()])
})
