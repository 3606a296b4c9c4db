/** Documents as JSON in one SQLite file owned by this process: one table per collection, with indexes on its fields. */
import type { Position } from '../../domain/core/event.ts'
import { isStorable, SqliteFile } from '../../domain/event-store/sqlite.ts'
import { Answers, type Found } from './answers.ts'
import { fromCursor, toCursor } from './cursor.ts'
import type {
  CollectionState,
  CollectionWrite,
  Document,
  Indexes,
  Kept,
  Page,
  Query,
  ReadStore,
  Where,
  Write,
} from './port.ts'
import { counting, field, maxDocuments, pages } from './sql.ts'

/**
 * Opens the documents at `file`, and creates it if missing.
 * @throws StoreUnavailable when another process, or this one, already has it open, or it can't be opened
 */
export async function openEmbeddedReadStore(file: string): Promise<ReadStore> {
  // A power failure may lose the newest batches with their checkpoints: they are folded again from the log.
  const sqlite = new SqliteFile(file, {
    synchronous: 'NORMAL',
    checkpointPages: 16000,
    ifDamaged: 'Stop the server and remove it: the next start rebuilds it from the log.',
  })
  sqlite.exec(`
    CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, checkpoint TEXT);
    CREATE TABLE IF NOT EXISTS views (name TEXT PRIMARY KEY, collection TEXT NOT NULL)`)
  return new EmbeddedReadStore(sqlite)
}

/** Batches rows to reduce driver calls; more rows than these gain nothing. */
const rowsAStatement = 50

const rowOf = ({ id, position, doc }: Write): [string, Position, string | null] => [
  id,
  position,
  doc && JSON.stringify(doc),
]

class EmbeddedReadStore implements ReadStore {
  readonly #sqlite: SqliteFile
  readonly #known: Set<string>
  readonly #answers = new Answers()

  constructor(sqlite: SqliteFile) {
    this.#sqlite = sqlite
    this.#known = new Set(
      sqlite
        .prepare('SELECT name FROM collections')
        .all()
        .map(([name]) => String(name)),
    )
  }

  async ensure(collection: string, indexes: Indexes): Promise<void> {
    if (!/^[a-z][a-z0-9_]*$/.test(collection)) throw new TypeError(`Not a collection: ${JSON.stringify(collection)}`)
    const table = `c_${collection}`
    this.#sqlite.transaction(() => {
      this.#sqlite.exec(`
        CREATE TABLE IF NOT EXISTS ${table} (id TEXT NOT NULL PRIMARY KEY, position TEXT NOT NULL, doc TEXT);
        CREATE INDEX IF NOT EXISTS "${collection}/tombstones" ON ${table} (position) WHERE doc IS NULL`)
      for (const fields of indexes) {
        // Each index ends with the id, like every sort order.
        const keys = [...fields.map(field), 'id'].join(', ')
        this.#sqlite.exec(`CREATE INDEX IF NOT EXISTS "${collection}.${fields.join('.')}" ON ${table} (${keys})`)
      }
      this.#sqlite.prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING').run([collection])
    })
    this.#known.add(collection)
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const statement = this.#sqlite.prepare(`SELECT doc FROM ${this.#table(collection)} WHERE id = ?`)
    const doc = isStorable(id) ? statement.get([id])?.[0] : null
    return typeof doc === 'string' ? JSON.parse(doc) : null
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
    const rows = this.#sqlite
      .prepare(`SELECT id, position, doc FROM ${this.#table(collection)} WHERE id IN (SELECT value FROM json_each(?))`)
      .all([JSON.stringify(ids)])
    return new Map(
      rows.map(([id, position, doc]) => [
        String(id),
        { position: String(position), doc: typeof doc === 'string' ? JSON.parse(doc) : null },
      ]),
    )
  }

  async find(collection: string, query: Query): Promise<Page> {
    return this.#answers.of(collection, query, () => this.#find(collection, query))
  }

  #find(collection: string, query: Query): Found {
    const { sort, cursor, limit = maxDocuments } = query
    if (!Number.isInteger(limit) || limit < 1 || limit > maxDocuments) throw new RangeError(`Not a limit: ${limit}`)
    const mark = cursor === undefined ? null : fromCursor(cursor, sort)
    const found: (string | Document)[] = []
    let characters = 0
    for (const { text, values } of pages(this.#table(collection), query, mark, limit + 1)) {
      // The driver needs as long for one row as SQLite for several, so the page is returned as a single text.
      const page = this.#sqlite
        .prepare(`SELECT group_concat(json_quote(id) || ',' || doc) FROM (${text})`)
        .get(values)?.[0]
      if (typeof page === 'string') {
        found.push(...JSON.parse(`[${page}]`))
        characters += page.length
      }
      if (found.length > 2 * limit) break
    }
    return { page: toPage(found, limit, sort), characters }
  }

  async count(collection: string, where: Where = {}): Promise<number> {
    const { text, values } = counting(this.#table(collection), where)
    return Number(this.#sqlite.prepare(text).get(values)?.[0])
  }

  async write(collection: string, writes: readonly Write[], checkpoint: Position | null): Promise<void> {
    await this.#sqlite.durably(this.#writing({ collection, writes, checkpoint }), () =>
      this.#answers.forget(collection),
    )
  }

  async writeTogether(parts: readonly CollectionWrite[]): Promise<readonly PromiseSettledResult<void>[]> {
    const alone = () =>
      Promise.allSettled(parts.map(({ collection, writes, checkpoint }) => this.write(collection, writes, checkpoint)))
    if (parts.some(({ collection }) => !this.#known.has(collection))) return alone()
    const work = parts.map((part) => this.#writing(part))
    try {
      await this.#sqlite.durably(
        () => work.forEach((write) => write()),
        () => parts.forEach(({ collection }) => this.#answers.forget(collection)),
      )
      return parts.map(() => ({ status: 'fulfilled', value: undefined }))
    } catch {
      // Written again part by part, so that one that can't be written fails alone.
      return alone()
    }
  }

  /** @throws Error for an unknown collection */
  #writing({ collection, writes, checkpoint }: CollectionWrite): () => void {
    const table = this.#table(collection)
    const upsert = (rows: number) =>
      this.#sqlite.prepare(`
        INSERT INTO ${table} (id, position, doc) VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}
        ON CONFLICT (id) DO UPDATE SET position = excluded.position, doc = excluded.doc
        WHERE excluded.position > ${table}.position`)
    const advance = this.#sqlite.prepare(
      'UPDATE collections SET checkpoint = ?1 WHERE name = ?2 AND (checkpoint IS NULL OR checkpoint < ?1)',
    )
    return () => {
      const whole = writes.length - (writes.length % rowsAStatement)
      for (let start = 0; start < whole; start += rowsAStatement) {
        upsert(rowsAStatement).run(writes.slice(start, start + rowsAStatement).flatMap(rowOf))
      }
      for (const write of writes.slice(whole)) upsert(1).run(rowOf(write))
      if (checkpoint !== null) advance.run([checkpoint, collection])
    }
  }

  async checkpoint(collection: string): Promise<Position | null> {
    const row = this.#sqlite.prepare('SELECT checkpoint FROM collections WHERE name = ?').get([collection])
    return typeof row?.[0] === 'string' ? row[0] : null
  }

  async live(view: string): Promise<string | null> {
    const row = this.#sqlite.prepare('SELECT collection FROM views WHERE name = ?').get([view])
    return row ? String(row[0]) : null
  }

  async checkpoints(collections: readonly string[]): Promise<ReadonlyMap<string, Position | null>> {
    const wanted = new Set(collections)
    return new Map(
      (await this.collections()).flatMap(({ name, checkpoint }) => (wanted.has(name) ? [[name, checkpoint]] : [])),
    )
  }

  async liveCollections(): Promise<ReadonlyMap<string, string>> {
    const rows = this.#sqlite.prepare('SELECT name, collection FROM views').all()
    return new Map(rows.map(([name, collection]) => [String(name), String(collection)]))
  }

  async swap(view: string, collection: string): Promise<void> {
    this.#table(collection)
    this.#sqlite.prepare('INSERT OR REPLACE INTO views (name, collection) VALUES (?, ?)').run([view, collection])
  }

  async drop(collection: string): Promise<void> {
    if (!this.#known.has(collection)) return
    this.#sqlite.transaction(() => {
      this.#sqlite.exec(`DROP TABLE c_${collection}`)
      this.#sqlite.prepare('DELETE FROM collections WHERE name = ?').run([collection])
    })
    this.#known.delete(collection)
    this.#answers.forget(collection)
  }

  /** Only this process reads, and it has switched already. */
  retire(collection: string): Promise<void> {
    return this.drop(collection)
  }

  async sweep(): Promise<readonly string[]> {
    return []
  }

  async prune(collection: string, upTo: Position): Promise<number> {
    return this.#sqlite
      .prepare(`DELETE FROM ${this.#table(collection)} WHERE doc IS NULL AND position <= ?`)
      .run([upTo]).changes
  }

  async collections(): Promise<readonly CollectionState[]> {
    const rows = this.#sqlite.prepare('SELECT name, checkpoint FROM collections ORDER BY name').all()
    return rows.map(([name, checkpoint]) => ({
      name: String(name),
      checkpoint: typeof checkpoint === 'string' ? checkpoint : null,
    }))
  }

  async close(): Promise<void> {
    this.#sqlite.close()
  }

  /** @throws Error for a collection that was never ensured, or was dropped */
  #table(collection: string): string {
    if (!this.#known.has(collection)) throw new Error(`There is no collection ${JSON.stringify(collection)}`)
    return `c_${collection}`
  }
}

/** @param found ids and documents in turn, up to one document more than the limit */
function toPage(found: readonly (string | Document)[], limit: number, sort: Query['sort']): Page {
  const items = found.filter((entry) => typeof entry === 'object').slice(0, limit)
  const after = (index: number) => toCursor(String(found[2 * index]), items[index] ?? {}, sort)
  return { items, next: found.length > 2 * limit ? after(limit - 1) : null, after }
}
