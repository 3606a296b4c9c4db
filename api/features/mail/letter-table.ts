/** The table of letters, and a walk through all of them. */
import { createHash } from 'node:crypto'
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

/** The key is not at hand where a user is erased, so the digest has none. */
export const digestOfAddress = (email: string): string => createHash('sha256').update(email.toLowerCase()).digest('hex')

/**
 * Removes the letters of a user who is erased: by the user, or by the address. Letters of earlier versions without
 * either are removed too, because whose they are can't be read without the key; none is older than eight days.
 */
export async function eraseLetters(records: Records, userId: string, email: string | undefined): Promise<void> {
  const table = await letterTable(records)
  const to = email === undefined ? null : digestOfAddress(email)
  const isTheirs = (letter: LetterRecord) => {
    if (letter.userId !== null) return letter.userId === userId
    return letter.to === undefined ? letter.sealed !== null : letter.to === to
  }
  for await (const letter of allLetters(table)) if (isTheirs(letter)) await table.remove(letter.id)
}

/** Removes the letters to an address, and those of a kind whose content may name a person, unless not yet composed. */
export async function eraseLettersAbout(records: Records, email: string | undefined, kind: string): Promise<void> {
  const table = await letterTable(records)
  const to = email === undefined ? null : digestOfAddress(email)
  for await (const letter of allLetters(table)) {
    const isComposed = letter.kind === kind && letter.sealed !== null && letter.tries > 0
    if (isComposed || (to !== null && letter.to === to)) await table.remove(letter.id)
  }
}
