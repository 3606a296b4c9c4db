/** Rebuild in events a second, against a bare loop over the same file: scan, parse and fold in memory, no writes. */
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'libsql'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import type { Recorded } from '../domain/core/event.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import type { Projection } from '../projections/core/projection.ts'
import { openEmbeddedReadStore } from '../projections/read-store/embedded.ts'
import { rebuildProjection } from '../projections/rebuild.ts'
import { projections } from '../projections/registry.ts'
import { lifeLength, postLife, type Whose } from './events.ts'
import { grouped, percentile, perSecond, print } from './report.ts'

const events = Number(process.env['BENCH_EVENTS'] ?? 200_000)
const turns = 3

export async function rebuild(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  const log = join(folder, 'events.db')
  try {
    await fill(log, events)
    const lines = []
    for (const name of ['posts', 'calendar', 'due-posts']) {
      const projection = projections.find((candidate) => candidate.name === name)
      if (!projection) throw new Error(`There is no projection ${name}`)
      const bare: number[] = []
      const ours: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        collectGarbage()
        bare.push(bareLoop(log, projection, events))
        collectGarbage()
        ours.push(await rebuilt(log, join(folder, `${name}-${turn}.db`), projection))
      }
      const [reference, rate] = [percentile(bare, 0.5), percentile(ours, 0.5)]
      lines.push({ what: `${name}, reference: bare loop`, figure: `${grouped(reference)} events/s` })
      lines.push({
        what: `${name}, rebuild`,
        figure: `${grouped(rate)} events/s, ${(rate / reference).toFixed(2)} of the reference`,
      })
    }
    const memory = process.memoryUsage().rss / 1024 / 1024
    print(`Rebuild of ${grouped(events)} events, median of ${turns}`, [
      ...lines,
      { what: 'memory of this process', figure: `${grouped(memory)} MB` },
    ])
  } finally {
    await removeFolder(folder)
  }
}

/** Neither side is to clean up after the other. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

async function rebuilt(log: string, views: string, projection: Projection): Promise<number> {
  const store = await openEmbeddedEventStore(log)
  const readStore = await openEmbeddedReadStore(views)
  const began = performance.now()
  await rebuildProjection(projection, store, readStore)
  const took = performance.now() - began
  await readStore.close()
  await store.close()
  return perSecond(events, took)
}

/** Events a second. */
export function bareLoop(log: string, projection: Projection, count: number): number {
  const db = new Database(log)
  const began = performance.now()
  const docs = new Map<string, { readonly id: string } | null>()
  const page = db
    .prepare(
      'SELECT position, stream, revision, name, data, metadata FROM events WHERE position > ? ORDER BY position LIMIT 5000',
    )
    .raw()
  let after = 0
  for (;;) {
    const rows = page.all(after) as [number, string, number, string, string, string][]
    if (rows.length === 0) break
    for (const [position, stream, revision, name, data, metadata] of rows) {
      after = position
      const event = {
        type: name,
        stream,
        revision,
        position: String(position),
        data: JSON.parse(data),
        metadata: JSON.parse(metadata),
      } as Recorded
      if (!projection.types.includes(name)) continue
      for (const key of projection.keys(event)) docs.set(key, projection.apply(docs.get(key) ?? null, event, key))
    }
  }
  const rate = perSecond(count, performance.now() - began)
  db.close()
  return rate
}

/** Appends so many events of whole lives. */
export async function fill(file: string, count: number, whose?: Whose): Promise<void> {
  const store = await openEmbeddedEventStore(file)
  const posts = count / lifeLength
  const atOnce = 500
  for (let from = 0; from < posts; from += atOnce) {
    const lives = Array.from({ length: Math.min(atOnce, posts - from) }, () => postLife(whose))
    await Promise.all(lives.map(({ stream, events: life }) => store.append(stream, 'no-stream', life)))
  }
  await store.close()
}
