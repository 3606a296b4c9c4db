/** Records as JSON in one SQLite file, owned by one process. */
import type { Row } from '../../domain/event-store/sqlite.ts'
import { isStorable, isUniqueViolation, SqliteFile } from '../../domain/event-store/sqlite.ts'
import type { RecordDefinition, Records, RecordTable, TextRange, Versioned } from './port.ts'
import { RecordConflict } from './port.ts'
import { RecentRecords } from './recent-records.ts'

/**
 * Opens the records at `file`, creating it where missing. Every change is on disk before it is acknowledged. @throws
 * StoreUnavailable when the file is already open, in this or another process, or can't be opened
 * @param synchronous `NORMAL` for a copy that counts only once the whole file is on disk
 */
export async function openEmbeddedRecords(file: string, synchronous: 'FULL' | 'NORMAL' = 'FULL'): Promise<Records> {
  const sqlite = new SqliteFile(file, { synchronous })
  const nextVersion = versions(sqlite)
  const recent = new RecentRecords()
  return {
    async table(definition) {
      return new EmbeddedTable(sqlite, definition, nextVersion, recent)
    },
    // Clears freed pages and their copies in the write-ahead log.
    scrub: () => sqlite.compact(),
    async close() {
      sqlite.close()
    },
  }
}

/**
 * Versions that no record of this file ever had: a lease that was removed and taken again must not look like the old
 * one.
 */
function versions(sqlite: SqliteFile): () => number {
  const opened = Number(sqlite.prepare('PRAGMA user_version').get()?.[0] ?? 0) + 1
  sqlite.exec(`PRAGMA user_version = ${opened}`)
  let last = opened * 2 ** 31
  return () => (last += 1)
}

class EmbeddedTable<T extends { readonly id: string }> implements RecordTable<T> {
  readonly #table: string

  constructor(
    private readonly sqlite: SqliteFile,
    private readonly definition: RecordDefinition<T>,
    private readonly nextVersion: () => number,
    /** Shared by all tables of the file. */
    private readonly recent: RecentRecords,
  ) {
    const { table, unique = [], indexed = [] } = definition
    if (!/^[a-z][a-z0-9_]*$/.test(table)) throw new TypeError(`Not a table: ${JSON.stringify(table)}`)
    this.#table = `r_${table}`
    // One commit for the table and its indexes: a server creates dozens of tables when it starts.
    sqlite.transaction(() =>
      sqlite.exec(
        [
          `CREATE TABLE IF NOT EXISTS ${this.#table} (
            id TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL, record TEXT NOT NULL)`,
          ...unique.map(
            (name) => `CREATE UNIQUE INDEX IF NOT EXISTS "${table}.${name}!" ON ${this.#table} (${field(name)})`,
          ),
          ...indexed.map(
            (name) => `CREATE INDEX IF NOT EXISTS "${table}.${name}" ON ${this.#table} (${field(name)}, id)`,
          ),
        ].join(';\n'),
      ),
    )
  }

  async get(id: string): Promise<Versioned<T> | null> {
    const known = this.recent.get(this.#table, id)
    if (known) return known as Versioned<T>
    if (!isStorable(id)) return null
    const row = this.sqlite.prepare(`SELECT record, version FROM ${this.#table} WHERE id = ?`).get([id])
    if (!row) return null
    return this.recent.keep(this.#table, id, String(row[0]), Number(row[1])) as Versioned<T>
  }

  async insert(record: T): Promise<boolean> {
    const values = [record.id, this.nextVersion(), JSON.stringify(record)]
    const sql = `INSERT INTO ${this.#table} (id, version, record) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
    return (await this.#change(sql, values, record.id)) === 1
  }

  async replace(record: T, expectedVersion: number): Promise<boolean> {
    const values = [this.nextVersion(), JSON.stringify(record), record.id, expectedVersion]
    const sql = `UPDATE ${this.#table} SET version = ?, record = ? WHERE id = ? AND version = ?`
    return (await this.#change(sql, values, record.id)) === 1
  }

  async put(record: T): Promise<void> {
    const values = [record.id, this.nextVersion(), JSON.stringify(record)]
    const sql = `INSERT INTO ${this.#table} (id, version, record) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET version = excluded.version, record = excluded.record`
    await this.#change(sql, values, record.id)
  }

  async remove(id: string, expectedVersion?: number): Promise<boolean> {
    if (!isStorable(id)) return false
    const sql = `DELETE FROM ${this.#table} WHERE id = ?`
    const isGone =
      expectedVersion === undefined
        ? this.#change(sql, [id], id)
        : this.#change(`${sql} AND version = ?`, [id, expectedVersion], id)
    return (await isGone) === 1
  }

  async find(name: keyof T & string, value: string, limit = 100): Promise<readonly T[]> {
    const sql = `SELECT record FROM ${this.#table} WHERE ${this.#lookUp(name)} = ? ORDER BY id LIMIT ?`
    if (!isStorable(value)) return []
    return this.sqlite
      .prepare(sql)
      .all([value, limit])
      .map(([record]) => JSON.parse(String(record)))
  }

  async first(name: keyof T & string, limit: number, range?: TextRange): Promise<readonly T[]> {
    const key = this.#lookUp(name)
    if (range && !(isStorable(range.from) && isStorable(range.below))) return []
    // Numbers sort before every text; only texts are wanted.
    const where = range ? `${key} >= ? AND ${key} < ?` : `${key} >= ''`
    const sql = `SELECT record FROM ${this.#table} WHERE ${where} ORDER BY ${key}, id LIMIT ?`
    return this.sqlite
      .prepare(sql)
      .all(range ? [range.from, range.below, limit] : [limit])
      .map(([record]) => JSON.parse(String(record)))
  }

  async count(): Promise<number> {
    return Number(this.sqlite.prepare(`SELECT count(*) FROM ${this.#table}`).get()?.[0] ?? 0)
  }

  async removeBefore(name: keyof T & string, value: string): Promise<number> {
    const key = this.#lookUp(name)
    // Numbers sort before every text; only texts are wanted.
    return this.#change(`DELETE FROM ${this.#table} WHERE ${key} >= '' AND ${key} < ?`, [value], null)
  }

  /**
   * Changes records durably, together with other changes of the same tick. Returns how many records changed.
   * @param id the record that it changes; null for several
   */
  async #change(sql: string, values: Row, id: string | null): Promise<number> {
    const statement = this.sqlite.prepare(sql)
    const forget = () => (id === null ? this.recent.forgetAll() : this.recent.forget(this.#table, id))
    const work = () => {
      try {
        return statement.run(values).changes
      } catch (error) {
        throw isUniqueViolation(error) ? new RecordConflict(this.definition.table, id ?? '') : error
      }
    }
    try {
      return await this.sqlite.durably(work, forget)
    } catch (error) {
      forget()
      throw error
    }
  }

  #lookUp(name: string): string {
    if (name === 'id') return 'id'
    const { table, unique = [], indexed = [] } = this.definition
    if (![...unique, ...indexed].some((known) => known === name))
      throw new TypeError(`${table} has no index on ${name}`)
    return field(name)
  }
}

function field(name: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name)) throw new TypeError(`Not a field: ${JSON.stringify(name)}`)
  return `json_extract(record,'$.${name}')`
}
