/** Copies the records from one store to another: users, sessions, connections and all other tables. */
import type { Position } from '../../../domain/core/event.ts'
import type { AnyRecord, RecordSource } from '../../records/embedded-source.ts'
import { RecordConflict, type Records, type RecordTable } from '../../records/port.ts'
import { MoveRefused } from './refused.ts'

export interface Counts {
  readonly seen: number
  readonly copied: number
}

/** Processes' checkpoints in the log; each log has its own positions. */
const positions = 'checkpoints'
const atOnce = 16

/**
 * @param placed maps a position of the old log to the new one. @throws MoveRefused when the target belongs to another
 * installation
 */
export async function copyRecords(
  from: RecordSource,
  to: Records,
  placed: (position: Position) => Promise<Position | null>,
  signal: AbortSignal,
): Promise<Counts> {
  let [seen, copied] = [0, 0]
  for (const { definition, records } of from.tables) {
    const table = await to.table<AnyRecord>(definition)
    for (const page of records()) {
      const wanted = definition.table === positions ? await replaced(page, placed) : page
      for (let first = 0; first < wanted.length; first += atOnce) {
        signal.throwIfAborted()
        const outcomes = await Promise.all(
          wanted.slice(first, first + atOnce).map((record) => copyRecord(table, record)),
        )
        copied += outcomes.filter(Boolean).length
      }
      seen += wanted.length
    }
  }
  return { seen, copied }
}

async function copyRecord(table: RecordTable<AnyRecord>, record: AnyRecord): Promise<boolean> {
  const there = await table.get(record.id)
  if (there && JSON.stringify(there.record) === JSON.stringify(record)) return false
  if (!there && (await table.insert(record))) return true
  await table.put(record).catch((error: unknown) => {
    if (!(error instanceof RecordConflict)) throw error
    throw new MoveRefused(
      `The database at MONGODB_URL has records of another installation (in ${error.table}). Choose an empty database, or the one of an interrupted move of this installation.`,
    )
  })
  return true
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
