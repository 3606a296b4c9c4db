/** @module-tag sampled */
import { join } from 'node:path'
import { assert, asyncProperty, constantFrom, integer, nat } from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { Ledger, type Head } from '../../../domain/audit/ledger.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import { all, event } from '../../../domain/event-store/test/samples.ts'
import { SqliteFile } from '../../../domain/event-store/sqlite.ts'
import type { Kept } from './comparison.ts'
import { verifyLog } from './verify-log.ts'
import { sample } from '../../../domain/test/sample.ts'

let folder: string
const file = () => join(folder, 'events.db')
const signedAt = '2026-03-02T10:00:00.000Z'
const notAsSigned = `The first 6 events differ from those signed on ${signedAt}.`

beforeEach(async () => {
  folder = await temporaryFolder('verify-log')
  for (const stream of ['a', 'b', 'a', 'b', 'a', 'b']) await append(stream)
})
afterEach(() => removeFolder(folder))

async function onLog<T>(run: (store: Awaited<ReturnType<typeof openEmbeddedEventStore>>) => Promise<T>): Promise<T> {
  const store = await openEmbeddedEventStore(file())
  try {
    return await run(store)
  } finally {
    await store.close()
  }
}

/** Appends with valid hashes, as the product or a skilled attacker would. */
const append = (stream: string) =>
  onLog(async (store) => {
    const last = (await all(store.read(stream))).at(-1)
    const {
      name,
      data,
      metadata: { hash: _, prevHash: __, ...metadata },
    } = event('SampleTaken', { of: stream })
    const head = { revision: last?.revision ?? -1, hash: last?.metadata.hash ?? null }
    await store.append(stream, last?.revision ?? 'no-stream', chainHashes(stream, head, [{ name, data, metadata }]))
  })

function change(...statements: readonly string[]): void {
  const sqlite = new SqliteFile(file(), { synchronous: 'FULL' })
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
}

/** Renumbers a stream's events and recomputes their hashes, so that its chain is valid after any change. */
function chainAnew(stream: string): void {
  const sqlite = new SqliteFile(file(), { synchronous: 'FULL' })
  const rows = sqlite
    .prepare('SELECT position, name, data, metadata FROM events WHERE stream = ? ORDER BY position')
    .all([stream])
  const events = rows.map(([, name, data, metadata]) => {
    const { hash: _, prevHash: __, ...open } = JSON.parse(String(metadata))
    return { name: String(name), data: JSON.parse(String(data)), metadata: open }
  })
  sqlite.prepare('UPDATE events SET revision = -1 - position WHERE stream = ?').run([stream])
  for (const [revision, { data, metadata }] of chainHashes(stream, { revision: -1, hash: null }, events).entries()) {
    sqlite
      .prepare('UPDATE events SET revision = ?, data = ?, metadata = ? WHERE position = ?')
      .run([revision, JSON.stringify(data), JSON.stringify(metadata), rows[revision]?.[0] ?? 0])
  }
  sqlite.close()
}

type Version = Kept['checkpoint']['version']
const signed = (version: Version): Promise<Kept> =>
  onLog(async (store) => {
    const ledger = new Ledger()
    for (const each of await all(store.readAll(null))) ledger.take(each)
    const { position, streams, events, order, tree } = ledger
    const covered = { position: position ?? '', at: signedAt, events }
    const heads = new Map<string, Head>()
    for await (const [stream, head] of ledger.heads()) heads.set(stream, head)
    return {
      checkpoint:
        version === 1
          ? { version, ...covered, streams, root: await ledger.rootOfHeads(), order }
          : { version, ...covered, root: tree.root() },
      heads,
    }
  })
const problems = (...kept: readonly Kept[]) => onLog(async (store) => (await verifyLog(store, kept)).problems)

const versions: readonly Version[] = [1, 2]

describe.each(versions)('The log compared with a checkpoint of version %i and the ends of all streams', (version) => {
  let kept: Kept
  beforeEach(async () => {
    kept = await signed(version)
  })

  it('has no flaw, also after further appends', async () => {
    expect(await problems(kept)).toEqual([])
    for (const stream of ['a', 'c']) await append(stream)
    expect(await problems(kept)).toEqual([])
  })

  it('names an event inserted before the checkpoint, and no unchanged stream', async () => {
    await append('c')
    change("UPDATE events SET position = 0 WHERE stream = 'c'")
    expect(await problems(kept)).toEqual([
      notAsSigned,
      'SampleTaken, event 0 of c, lies within the signed part of the log and was not signed: it was inserted.',
    ])
  })

  it('names only the stream that was changed and had its hashes recomputed [S87]', async () => {
    change('UPDATE events SET data = \'{"of":"z"}\' WHERE stream = \'a\' AND revision = 1')
    chainAnew('a')
    for (const stream of ['a', 'b', 'c']) await append(stream)
    expect(await problems()).toEqual([])
    expect(await problems(kept)).toEqual([
      notAsSigned,
      'a differs from the signed stream: its event 2 has another hash, so this event or an earlier one was changed, inserted or removed.',
    ])
  })

  it('reports only what is certain about a removed event when the other hashes were recomputed', async () => {
    change("DELETE FROM events WHERE stream = 'a' AND revision = 1")
    chainAnew('a')
    expect(await problems(kept)).toEqual([
      'The log has 5 events. The checkpoint covers 6: some were removed.',
      'a had 3 events when it was signed and has 2 now: 1 of them was removed.',
    ])
    await append('a')
    expect((await problems(kept)).slice(1)).toEqual([
      'a differs from the signed stream: its event 2 has another hash, so this event or an earlier one was changed, inserted or removed.',
    ])
  })

  it('reports events of several streams in another order', async () => {
    change(
      'UPDATE events SET position = 99 WHERE position = 3',
      'UPDATE events SET position = 3 WHERE position = 4',
      'UPDATE events SET position = 4 WHERE position = 99',
    )
    expect(await problems()).toEqual([])
    expect(await problems(kept)).toEqual([`The order of events differs from the order signed on ${signedAt}.`])
    // Only the oldest checkpoints did not cover the order; without the streams' ends, the others can't tell why.
    if (kept.checkpoint.version === 2) {
      expect(await problems({ ...kept, heads: null })).toEqual([notAsSigned])
    } else {
      const { order: _, ...earlier } = kept.checkpoint
      expect(await problems({ ...kept, checkpoint: earlier })).toEqual([])
    }
  })

  it('names a stream that was removed completely', async () => {
    change("DELETE FROM events WHERE stream = 'b'")
    for (let n = 0; n < 4; n += 1) await append('a')
    expect(await problems(kept)).toEqual([notAsSigned, 'b was removed, with its 3 events.'])
  })
})

describe('A change to any byte of any stored event', () => {
  const runs = sample('AUDIT_RUNS', { test: 15, long: 100 })
  it('is found, and its stream is named, at random', { timeout: 10_000 + runs * 500 }, async () => {
    const kept = await signed(2)
    await assert(
      asyncProperty(
        integer({ min: 1, max: 6 }),
        constantFrom('stream', 'name', 'data', 'metadata'),
        nat(),
        integer({ min: 33, max: 126 }),
        async (position, column, place, code) => {
          const sqlite = new SqliteFile(file(), { synchronous: 'FULL' })
          const [stream = '', text = ''] =
            sqlite.prepare(`SELECT stream, ${column} FROM events WHERE position = ?`).get([position])?.map(String) ?? []
          const at = place % text.length
          const changed = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1)
          sqlite.prepare(`UPDATE OR IGNORE events SET ${column} = ? WHERE position = ?`).run([changed, position])
          const isChanged =
            sqlite.prepare(`SELECT 1 FROM events WHERE position = ? AND ${column} = ?`).get([position, text]) ===
            undefined
          sqlite.close()
          const found = await problems(kept)
          const by = await problems()
          const mend = new SqliteFile(file(), { synchronous: 'FULL' })
          mend.prepare(`UPDATE events SET ${column} = ? WHERE position = ?`).run([text, position])
          mend.close()
          expect(found.length > 0).toBe(isChanged)
          // The log alone shows this too: only a stream's last event can be replaced without breaking the chain.
          expect(by.length > 0).toBe(isChanged)
          if (isChanged) expect(found.join('\n')).toMatch(new RegExp(`\\b${stream}\\b`))
        },
      ),
      { numRuns: runs },
    )
  })
})

describe('The log without a checkpoint', () => {
  it('names an event before its beginning', async () => {
    change("UPDATE events SET revision = 3, position = 0 WHERE stream = 'a' AND revision = 2")
    expect(await problems()).toContain('Events before SampleTaken, event 3 of a, are missing.')
  })

  it.each(["data = '{'", "data = '[]'", "data = 'null'"])(
    'names an unreadable event (%s), and continues after it',
    async (damage) => {
      change(
        `UPDATE events SET ${damage} WHERE stream = 'a' AND revision = 1`,
        "UPDATE events SET data = '{}' WHERE stream = 'b' AND revision = 2",
      )
      expect(await problems()).toEqual([
        "SampleTaken, event 1 of a, can't be read: it was changed.",
        'SampleTaken, event 2 of b, was changed.',
      ])
    },
  )

  it('names events with invalid metadata or numbers', async () => {
    change(
      "UPDATE events SET metadata = '7' WHERE stream = 'a' AND revision = 2",
      "UPDATE events SET metadata = '{\"hash\":5}' WHERE stream = 'b' AND revision = 1",
      "UPDATE events SET data = '{\"n\":1e999}' WHERE stream = 'b' AND revision = 2",
    )
    expect(await problems()).toEqual([
      'SampleTaken, event 1 of b, was changed.',
      "SampleTaken, event 2 of a, can't be read: it was changed.",
      'SampleTaken, event 2 of b, was changed.',
    ])
  })
})
