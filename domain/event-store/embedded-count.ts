/** Counts the events of a log in SQLite, a long one in batches: each batch blocks the event loop. */
import type { SqliteFile } from './sqlite.ts'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

const COUNTED_AT_ONCE = 20_000

/** @param names of events; undefined for all */
export async function countAfter(
  sqlite: SqliteFile,
  after: number,
  names: readonly string[] | undefined,
): Promise<number> {
  if (names === undefined)
    return Number(sqlite.prepare('SELECT count(*) FROM events WHERE position > ?').get([after])?.[0])
  let count = 0
  for (const name of new Set(names)) count += await countOf(sqlite, name, after)
  return count
}

async function countOf(sqlite: SqliteFile, name: string, after: number): Promise<number> {
  const batch = sqlite.prepare(
    `SELECT count(*), max(position) FROM (SELECT position FROM events WHERE name = ? AND position > ? ORDER BY position LIMIT ${COUNTED_AT_ONCE})`,
  )
  for (let [count, from] = [0, after]; ;) {
    const [found, last] = batch.get([name, from]) ?? []
    count += Number(found)
    if (Number(found) < COUNTED_AT_ONCE) return count
    from = Number(last)
    await yieldToEventLoop()
  }
}
