/** Queues letters that were given up or kept once more, and ends letters that are no longer wanted. */
import type { Instant } from '../../../domain/core/event.ts'
import type { RecordTable } from '../../records/port.ts'
import type { LetterRecord, LetterStatus } from './letter-record.ts'
import { allLetters } from './letter-table.ts'

const again: ReadonlySet<LetterStatus> = new Set(['failed', 'kept'])
/** Of one call: all letters that are kept at once. */
export const maxQueuedAgain = 10_000

/** `again`: it is queued now; `none`: there is no such letter; else its status, which stays. */
export type QueuedAgain = 'again' | 'none' | LetterStatus

export async function queueAgain(table: RecordTable<LetterRecord>, id: string, now: Instant): Promise<QueuedAgain> {
  for (let found = await table.get(id); found; found = await table.get(id)) {
    const { record, version } = found
    if (!again.has(record.status) || record.sealed === null) return record.status
    const queued = { ...record, status: 'queued', tries: 0, claim: null, nextAt: now, doneAt: null } as const
    if (await table.replace(queued, version)) return 'again'
  }
  return 'none'
}

/** Returns how many letters with this status are queued now. */
export async function queueAllAgain(
  table: RecordTable<LetterRecord>,
  status: 'failed' | 'kept',
  now: Instant,
): Promise<number> {
  const ids: string[] = []
  for await (const letter of allLetters(table)) {
    if (letter.status === status && letter.sealed !== null) ids.push(letter.id)
    if (ids.length === maxQueuedAgain) break
  }
  let queued = 0
  for (const id of ids) if ((await queueAgain(table, id, now)) === 'again') queued += 1
  return queued
}

/** One that has not left does not leave any more. */
export async function endLetter(table: RecordTable<LetterRecord>, id: string, now: Instant): Promise<void> {
  for (let found = await table.get(id); found; found = await table.get(id)) {
    const { record, version } = found
    if (record.sealed === null) return
    const over = { claim: null, nextAt: null, doneAt: now, keyId: null, sealed: null } as const
    if (await table.replace({ ...record, status: 'not needed', ...over }, version)) return
  }
}
