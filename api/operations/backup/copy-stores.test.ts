/** What a backup of shared stores reads, and in which order. The stores here are files with the same ports. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { all, event } from '../../../domain/event-store/test/samples.ts'
import { submitted, written } from '../../../domain/post/test/examples.ts'
import { Log } from '../../../projections/core/test/helpers.ts'
import { openRecordSource } from '../../records/embedded-source.ts'
import type { AnyRecord, SourceTable } from '../../records/source.ts'
import { copyStores, type SharedStores } from './copy-stores.ts'
import { readManifest } from './manifest.ts'

let folder: string
let into: string
let events: EventStore
let log: Log
beforeEach(async () => {
  folder = await temporaryFolder('copy-stores')
  into = join(folder, 'backup')
  await mkdir(into)
  events = await openEmbeddedEventStore(join(folder, 'events.db'))
  log = new Log(events)
})
afterEach(async () => {
  await events.close()
  await removeFolder(folder)
})

interface Table {
  readonly unique?: readonly string[]
  readonly records: readonly AnyRecord[]
}
/** @param onRead called before a table is read */
const tablesOf = (tables: Readonly<Record<string, Table>>, onRead: (table: string) => unknown): SourceTable[] =>
  Object.entries(tables).map(([table, { unique = [], records }]) => ({
    definition: { table, unique },
    async *records() {
      await onRead(table)
      yield records
    },
  }))
const users = { records: [{ id: 'ann', email: 'ann@x.example' }] }

async function copy({
  tables = { users },
  from = events,
  onRead = () => undefined,
  records = tablesOf(tables, onRead),
}: {
  readonly tables?: Readonly<Record<string, Table>>
  readonly from?: SharedStores['events']
  readonly onRead?: (table: string) => unknown
  readonly records?: readonly SourceTable[]
} = {}) {
  const stores: SharedStores = {
    events: from,
    records: async () => ({ tables: records }),
    media: { read: async () => null },
    images: async function* () {},
  }
  const job = { into, earlier: null, at: '2026-03-02T10:00:00.000Z', version: 'test' }
  await copyStores(stores, job, { screen: { write: () => undefined }, signal: new AbortController().signal })
}
const copiedLog = async () => {
  const copied = await openEmbeddedEventStore(join(into, 'events.db'))
  const found = await all(copied.readAll(null))
  await copied.close()
  return found
}
const copiedRecords = async (wanted: string) => {
  const source = openRecordSource(join(into, 'records.db'))
  const found: AnyRecord[] = []
  for (const { definition, records } of source.tables)
    if (definition.table === wanted) for await (const page of records()) found.push(...page)
  source.close()
  return found
}
const withoutPlace = ({ position: _, ...rest }: StoredEvent) => rest

describe('A backup of shared stores', () => {
  it('is not made while a move or a restore to them is unfinished', async () => {
    await log.write('post-a', written)
    const moves = { records: [{ id: 'from', log: 'x', isUnfinished: true }] }
    await expect(copy({ tables: { users, moves } })).rejects.toThrow('is not finished')
    expect(await readdir(into)).not.toContain('manifest.json')
  })

  it('is not made of a log that ends before its last event', async () => {
    await log.write('post-a', written)
    await log.write('post-b', written)
    const from: SharedStores['events'] = {
      head: () => events.head(),
      async *readAll() {
        for await (const batch of events.readAll(null)) return yield batch.slice(0, 1)
      },
    }
    await expect(copy({ from })).rejects.toThrow('ended its log before the last event')
  })

  it('ends its log where the log ended when it was read, after the records of the work done [P19.9]', async () => {
    await log.write('post-a', written)
    const read: string[] = []
    await copy({
      tables: {
        users,
        checkpoints: { records: [] },
        planner_agenda: { records: [] },
        connection_checks: { records: [] },
        audit_checkpoints: { records: [] },
        billing_messages: { records: [] },
      },
      // Every table's reading sees one more event.
      onRead: (table) => log.write(`post-${read.push(table)}`, written),
    })
    expect(read.indexOf('checkpoints')).toBe(0)
    const before = ['planner_agenda', 'connection_checks', 'audit_checkpoints', 'billing_messages']
    expect(read.slice(1, -1).sort()).toEqual(before.sort())
    expect(read.at(-1)).toBe('users')
    // The event that came with the users is none of this backup.
    expect((await copiedLog()).map(({ stream }) => stream)).toEqual([
      'post-a',
      ...read.slice(0, -1).map((_, n) => `post-${n + 1}`),
    ])
    expect(await readManifest(into)).toMatchObject({ log: { events: 6 }, problems: [] })
  })

  it("has each process's position as one in its own log, and none of a process that had read nothing", async () => {
    await foreign('invoice-1')
    await log.write('post-a', written)
    const { position } = await log.write('post-a', submitted)
    await log.write('post-b', written)
    const records = [
      { id: 'farewell', position },
      { id: 'new', position: '' },
    ]
    await copy({ tables: { users, checkpoints: { records } } })
    const second = (await copiedLog())[1]
    expect(await copiedRecords('checkpoints')).toEqual([{ id: 'farewell', position: second?.position }])
    expect(second).toMatchObject({ stream: 'post-a', revision: 1 })
    expect(second?.position).not.toBe(position)
  })

  const foreign = async (stream: string) => {
    const { metadata } = event()
    const { hash: _, ...others } = metadata
    await events.append(stream, 'no-stream', [{ name: 'InvoiceSent', data: {}, metadata: others as typeof metadata }])
  }

  it('leaves out events of other programs, also those of a stream whose beginning is gone', async () => {
    await log.write('post-a', written)
    await foreign('invoice-1')
    await log.write('post-a', submitted)
    const truncated: SharedStores['events'] = {
      head: () => events.head(),
      async *readAll(after) {
        for await (const batch of events.readAll(after))
          yield batch.map((one) => (one.stream === 'invoice-1' ? { ...one, revision: 7 } : one))
      },
    }
    await copy({ from: truncated })
    const ours = (await all(events.readAll(null))).filter(({ stream }) => stream === 'post-a')
    expect((await copiedLog()).map(withoutPlace)).toEqual(ours.map(withoutPlace))
  })

  it('is refused when events of a stream are missing', async () => {
    await log.write('post-a', written, submitted)
    const harmed: SharedStores['events'] = {
      head: () => events.head(),
      async *readAll(after) {
        for await (const batch of events.readAll(after)) yield batch.filter(({ revision }) => revision > 0)
      },
    }
    await expect(copy({ from: harmed })).rejects.toThrow(
      /^Events of post-a are missing at EVENTSTORE_URL: .* npm run audit/,
    )
  })

  it('names a changed event, as the backup of a folder does', async () => {
    await log.write('post-a', written)
    const changed: SharedStores['events'] = {
      head: () => events.head(),
      async *readAll(after) {
        for await (const batch of events.readAll(after))
          yield batch.map((one) => ({ ...one, data: { ...one.data, content: 'Changed' } }))
      },
    }
    await copy({ from: changed })
    expect((await readManifest(into)).problems).toEqual([expect.stringMatching(/event 0 of post-a, was changed\.$/)])
  })

  it('is refused when there are events but no records', async () => {
    await log.write('post-a', written)
    await expect(copy({ tables: {} })).rejects.toThrow('There are no records at MONGODB_URL, but events')
  })

  it('has two records as they are now, when the unique value of one went to the other meanwhile', async () => {
    await log.write('post-a', written)
    const now = new Map([
      ['ann', { id: 'ann', email: 'new@x.example' }],
      ['bob', { id: 'bob', email: 'ann@x.example' }],
    ])
    const records: SourceTable[] = [
      {
        definition: { table: 'users', unique: ['email'] },
        async *records() {
          // Ann was read before the change, Bob after it.
          yield [{ id: 'ann', email: 'ann@x.example' }]
          yield [{ id: 'bob', email: 'ann@x.example' }]
        },
        current: async (id) => now.get(id) ?? null,
      },
    ]
    await copy({ records })
    expect(await copiedRecords('users')).toEqual([...now.values()])
  })

  it('does not keep the mark of a move that brought the data to these stores', async () => {
    await log.write('post-a', written)
    await copy({ tables: { users, moves: { records: [{ id: 'from', log: 'l', isUnfinished: false }] } } })
    expect(await copiedRecords('moves')).toEqual([])
    expect(await copiedRecords('users')).toEqual(users.records)
  })
})
