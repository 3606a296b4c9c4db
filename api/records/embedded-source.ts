/** Reads all records of an embedded installation, for moving it to other stores. */
import { SqliteFile, type Row } from '../../domain/event-store/sqlite.ts'
import type { AnyRecord, RecordSource, SourceTable } from './source.ts'

const prefix = 'r_'
const recordsAtOnce = 200

/**
 * Unique and indexed fields are read from the database's own indexes: a separate list could miss a new table. @throws
 * StoreUnavailable when another process has the file, or it can't be opened
 */
export function openRecordSource(file: string): RecordSource & { close(): void } {
  const sqlite = new SqliteFile(file, { synchronous: 'FULL' })
  const names = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(([name]) => String(name))
  return {
    tables: names.filter((name) => name.startsWith(prefix)).map((name) => tableOf(sqlite, name)),
    close: () => sqlite.close(),
  }
}

function tableOf(sqlite: SqliteFile, name: string): SourceTable {
  const table = name.slice(prefix.length)
  const indexes = sqlite
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL")
    .all([name])
  const fields = indexes.map(([index]) => String(index).slice(table.length + 1))
  return {
    definition: {
      table,
      unique: fields.filter((field) => field.endsWith('!')).map((field) => field.slice(0, -1)),
      indexed: fields.filter((field) => !field.endsWith('!')),
    },
    *records() {
      const page = sqlite.prepare(`SELECT id, record FROM ${name} WHERE id > ? ORDER BY id LIMIT ${recordsAtOnce}`)
      // Every id sorts after the empty text.
      for (let after = ''; ;) {
        const rows: readonly Row[] = page.all([after])
        if (rows.length === 0) return
        yield rows.map(([, record]): AnyRecord => JSON.parse(String(record)))
        after = String(rows.at(-1)?.[0])
      }
    },
  }
}
