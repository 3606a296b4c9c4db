/** Durable appends a second, by one writer and by 64 at once. Reference: a bare loop of SQLite commits of one row. */
import { join } from 'node:path'
import Database from 'libsql'
import { removeFolder, temporaryFolder } from '../domain/test/folder.ts'
import { openEmbeddedEventStore } from '../domain/event-store/embedded.ts'
import { onePost } from './events.ts'
import { grouped, ms, percentile, perSecond, print } from './report.ts'

const seconds = 4

export async function appends(): Promise<void> {
  const folder = await temporaryFolder('socialai-bench')
  try {
    const bare = bareCommits(join(folder, 'bare.db'))
    const one = await measure(join(folder, 'one.db'), 1)
    const many = await measure(join(folder, 'many.db'), 64)
    print('Durable appends', [
      { what: 'reference: bare commits of one row, synchronous=FULL', figure: `${grouped(bare)}/s` },
      {
        what: '1 writer',
        figure: `${grouped(one.rate)}/s (p50 ${ms(one.p50)}, p99 ${ms(one.p99)}), ${(one.rate / bare).toFixed(2)} of the reference`,
      },
      {
        what: '64 writers',
        figure: `${grouped(many.rate)}/s (p50 ${ms(many.p50)}, p99 ${ms(many.p99)}), ${(many.rate / bare).toFixed(2)} of the reference`,
      },
    ])
  } finally {
    await removeFolder(folder)
  }
}

async function measure(file: string, writers: number) {
  const store = await openEmbeddedEventStore(file)
  const samples: number[] = []
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  const write = async () => {
    while (performance.now() < until) {
      const { stream, events } = onePost()
      const start = performance.now()
      await store.append(stream, 'no-stream', events)
      samples.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
  const took = performance.now() - began
  await store.close()
  return { rate: perSecond(samples.length, took), p50: percentile(samples, 0.5), p99: percentile(samples, 0.99) }
}

function bareCommits(file: string): number {
  const db = new Database(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)')
  const insert = db.prepare('INSERT INTO rows (text) VALUES (?)')
  const text = JSON.stringify(onePost().events)
  const began = performance.now()
  let count = 0
  while (performance.now() - began < seconds * 500) {
    insert.run(text)
    count += 1
  }
  const rate = perSecond(count, performance.now() - began)
  db.close()
  return rate
}
