/** The table of letters, and a walk through all of them. */
import type { RecordDefinition, Records, RecordTable } from '../../records/port.ts'
import type { LetterRecord } from './letter-record.ts'

const definition = {
  table: 'letters',
  indexed: ['nextAt', 'doneAt', 'at', 'keyId', 'userId'],
} as const satisfies RecordDefinition<LetterRecord>
const pageSize = 200

export const letterTable = (records: Records): Promise<RecordTable<LetterRecord>> =>
  records.table<LetterRecord>(definition)

/** In the order of their requests; those removed meanwhile may be missing. */
export async function* allLetters(table: RecordTable<LetterRecord>): AsyncIterable<LetterRecord> {
  let from = ''
  let seen: ReadonlySet<string> = new Set()
  for (;;) {
    const page = await table.first('at', pageSize + seen.size, { from, below: '~' })
    yield* page.filter(({ id }) => !seen.has(id))
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize + seen.size) return
    // Those of the same instant are read again.
    seen = new Set(page.filter(({ at }) => at === last.at).map(({ id }) => id))
    from = last.at
  }
}

/**
 * Removes the letters of a user who is erased. Whose the others are can't be read without the key: those that may go to
 * any address are removed too, such as links for a new password that wait to be sent.
 */
export async function eraseLetters(records: Records, userId: string): Promise<void> {
  const table = await letterTable(records)
  for await (const letter of allLetters(table))
    if (letter.userId === userId || (letter.userId === null && letter.sealed !== null)) await table.remove(letter.id)
}
