/** Translates SQLite's errors for an operator. */
import { Damaged, NoRoom, StoreUnavailable } from './port.ts'

interface Refusal {
  readonly code: string
  readonly message: string
}

/** Null for an error unrelated to the file. @param remedy a sentence for a damaged file */
export function troubleWith(file: string, refusal: Refusal, remedy: string): StoreUnavailable | null {
  const { code, message } = refusal
  const options = { cause: refusal }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return new StoreUnavailable(
      `Another SocialAI is already running on ${file}. Stop it first, or choose another DATA_DIR.`,
      options,
    )
  if (code.startsWith('SQLITE_FULL'))
    return new NoRoom(`There is no room left on the disk for ${file}. Make room; no restart is needed.`, options)
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return new Damaged(`${file} is damaged (${message}). ${remedy}`, options)
  if (code.startsWith('SQLITE_READONLY'))
    return new StoreUnavailable(
      `${file} can't be written: its disk, its folder or the file itself is read-only.`,
      options,
    )
  if (code.startsWith('SQLITE_IOERR'))
    return new StoreUnavailable(`The disk doesn't read or write ${file} (${message}). It may be failing.`, options)
  return /^SQLITE_(CANTOPEN|NOMEM|PERM|AUTH)/.test(code)
    ? new StoreUnavailable(`${file} can't be read or written: ${message}`, options)
    : null
}

/** For errors before the database is open. */
export function cantOpen(file: string, error: unknown, isFolder: boolean): StoreUnavailable {
  const reason = isFolder ? 'it is a folder' : error instanceof Error ? error.message : String(error)
  const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
  if (isFull) return new NoRoom(`There is no room left on the disk for ${file}.`, { cause: error })
  return new StoreUnavailable(`${file} can't be opened: ${reason}`, { cause: error })
}
