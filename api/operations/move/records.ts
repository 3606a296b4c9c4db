/** Copies the records from one store to another: users, sessions, connections and all other tables. */
import type { Position } from '../../../domain/core/event.ts'
import { RecordConflict, type Records, type RecordTable } from '../../records/port.ts'
import type { AnyRecord, RecordSource, SourceTable } from '../../records/source.ts'
import { MoveRefused } from './refused.ts'

export interface Counts {
  readonly seen: number
  readonly copied: number
}

/** Processes' checkpoints in the log; each log has its own positions. */
export const positions = 'checkpoints'
const atOnce = 16
/** For a record whose unique value another one had: each time, the other one was changed meanwhile. */
const maxTries = 5

/**
 * @param placed maps a position of the old log to the new one. @throws MoveRefused when the target belongs to another
 * installation
 */
export async function copyRecords(
  from: RecordSource,
  to: Records,
  placed: (position: Position) => Promise<Position | null>,
  signal: AbortSignal,
  done: (records: number) => void = () => undefined,
): Promise<Counts> {
  let [seen, copied] = [0, 0]
  for (const source of from.tables) {
    const { definition } = source
    const table = await to.table<AnyRecord>(definition)
    for await (const page of source.records()) {
      const wanted = definition.table === positions ? await replaced(page, placed) : page
      for (let first = 0; first < wanted.length; first += atOnce) {
        signal.throwIfAborted()
        const outcomes = await Promise.all(
          wanted.slice(first, first + atOnce).map((record) => copyRecord(source, table, record)),
        )
        copied += outcomes.filter(Boolean).length
      }
      seen += wanted.length
      done(wanted.length)
    }
  }
  return { seen, copied }
}

async function copyRecord(
  source: SourceTable,
  table: RecordTable<AnyRecord>,
  record: AnyRecord,
  tries = maxTries,
): Promise<boolean> {
  const there = await table.get(record.id)
  if (there && JSON.stringify(there.record) === JSON.stringify(record)) return false
  if (!there && (await table.insert(record))) return true
  await table.put(record).catch((error: unknown) => {
    if (!(error instanceof RecordConflict)) throw error
    if (source.current && tries > 0) return copyAgain(source, source.current, table, record, tries - 1)
    throw new MoveRefused(
      `The database at MONGODB_URL has records of another installation (in ${error.table}). Choose an empty database, or the one of an interrupted move or restore of this installation.`,
    )
  })
  return true
}

/**
 * Another record had this one's unique value when it was copied, and has lost it since: people work meanwhile. Both are
 * copied as they are now.
 */
async function copyAgain(
  source: SourceTable,
  current: NonNullable<SourceTable['current']>,
  table: RecordTable<AnyRecord>,
  record: AnyRecord,
  tries: number,
): Promise<void> {
  const ids = new Set([record.id])
  for (const field of source.definition.unique ?? [])
    for (const { id } of await table.find(field, String(record[field]))) ids.add(id)
  for (const id of ids) await table.remove(id)
  for (const id of ids) {
    const now = await current(id)
    if (now) await copyRecord(source, table, now, tries)
  }
}

/** A process without a checkpoint in the new log starts at its beginning, without a record. */
async function replaced(
  page: readonly AnyRecord[],
  placed: (position: Position) => Promise<Position | null>,
): Promise<readonly AnyRecord[]> {
  const records = await Promise.all(
    page.map(async (record) => ({ ...record, position: await placed(String(record['position'])) })),
  )
  return records.filter(({ position }) => position !== null)
}
