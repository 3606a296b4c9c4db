/**
 * Removes the tables of dropped collections. SQLite drops a table in one step, which blocks the process for seconds
 * where it has a hundred thousand documents: the rows are deleted a few at a time first.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { SqliteFile } from '../../domain/event-store/sqlite.ts'
import { wordTable } from './sql-words.ts'

/** A stretch deletes as many rows as take about this long. */
const stretchMs = 6
const minRows = 10
const maxRows = 2_000

export class CollectionRemover {
  readonly #removing = new Map<string, Promise<void>>()
  /** Why the tables of a collection are left: they are removed when its name is used again, or after the next start. */
  readonly #left = new Map<string, unknown>()
  #isOpen = true

  constructor(private readonly sqlite: SqliteFile) {}

  /** Goes on with what a closed file has left. */
  removeLeftOver(): void {
    const rows = this.sqlite
      .prepare(
        `SELECT substr(name, 3) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'c\\_%' ESCAPE '\\'
         AND substr(name, 3) NOT IN (SELECT name FROM collections)`,
      )
      .all()
    for (const [collection] of rows) this.remove(String(collection))
  }

  /** Begins to remove the tables of a collection that is no longer known. */
  remove(collection: string): void {
    const removing = this.#remove(collection)
      .catch((error: unknown) => void this.#left.set(collection, error))
      .finally(() => this.#removing.delete(collection))
    this.#removing.set(collection, removing)
  }

  /** Resolves once a collection of this name can be created again. @throws what keeps its tables from being removed */
  async removed(collection: string): Promise<void> {
    if (this.#left.delete(collection)) this.remove(collection)
    await this.#removing.get(collection)
    if (this.#left.has(collection)) throw this.#left.get(collection)
  }

  close(): void {
    this.#isOpen = false
  }

  async #remove(collection: string): Promise<void> {
    const words = wordTable(collection)
    this.sqlite.exec(`
      DROP TRIGGER IF EXISTS "${collection}/words inserted";
      DROP TRIGGER IF EXISTS "${collection}/words updated"`)
    await this.#empty(`c_${collection}`)
    // FTS5 keeps its index in tables of its own, and opens none without the first rows of this one:
    // https://www.sqlite.org/fts5.html#the_data_table (row 1 has totals, row 10 the structure)
    await this.#empty(`${words}_docsize`)
    await this.#empty(`${words}_data`, 'rowid > 10')
    if (this.#isOpen) this.sqlite.exec(`DROP TABLE IF EXISTS c_${collection}; DROP TABLE IF EXISTS ${words}`)
  }

  async #empty(table: string, where = '1'): Promise<void> {
    if (!this.#isOpen) return
    if (this.sqlite.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get([table]) === undefined) return
    const statement = this.sqlite.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${where} ORDER BY rowid LIMIT ?)`,
    )
    for (let rows = minRows; this.#isOpen;) {
      const began = performance.now()
      if (statement.run([rows]).changes === 0) return
      const tookMs = performance.now() - began
      rows = Math.max(minRows, Math.min(maxRows, Math.round(rows * Math.min(2, stretchMs / tookMs))))
      // Requests have the processor at least half of the time.
      await pause(tookMs)
    }
  }
}
