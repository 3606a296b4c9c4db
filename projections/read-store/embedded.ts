/** Documents as JSON in one SQLite file owned by this process: one table per collection, with indexes on its fields. */
import type { Position } from '../../domain/core/event.ts'
import { wordsOf } from '../../domain/core/words.ts'
import { isStorable, SqliteFile } from '../../domain/event-store/sqlite.ts'
import { Answers } from './answers.ts'
import { CollectionRemover } from './embedded-drop.ts'
import { findIn, search, sift } from './embedded-find.ts'
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
  WordScope,
  Write,
} from './port.ts'
import { documentsWithWords, stored, wordIndex, wordTable } from './sql-words.ts'
import { counting, field } from './sql.ts'
import { Turns } from './turns.ts'
import { scopeOf, withoutWords } from './words.ts'

/**
 * Opens the documents at `file`, and creates it if missing.
 * @throws StoreUnavailable when another process, or this one, already has it open, or it can't be opened
 */
export async function openEmbeddedReadStore(file: string): Promise<ReadStore> {
  // A power failure may lose the newest batches with their checkpoints: they are folded again from the log.
  const sqlite = new SqliteFile(file, {
    synchronous: 'NORMAL',
    cacheMB: 32,
    // Copying 4 MB to places all over the file takes some 20 ms; 64 MB block the process for a tenth of a second.
    checkpointPages: 1000,
    ifDamaged: 'Stop the server and remove it: the next start rebuilds it from the log.',
  })
  sqlite.exec(`
    CREATE TABLE IF NOT EXISTS collections (name TEXT PRIMARY KEY, checkpoint TEXT);
    CREATE TABLE IF NOT EXISTS views (name TEXT PRIMARY KEY, collection TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS word_scopes (collection TEXT PRIMARY KEY, field TEXT NOT NULL)`)
  return new EmbeddedReadStore(sqlite)
}

/** Batches rows to reduce driver calls; more rows than these gain nothing. */
const rowsAStatement = 50

type Row = (string | null)[]

const rowOf = ({ id, position, doc }: Write): Row => [id, position, doc && JSON.stringify(doc)]

function rowWithWords({ id, position, doc }: Write): Row {
  if (doc === null) return [id, position, null, null]
  const { doc: shown, words } = withoutWords(doc)
  return [id, position, JSON.stringify(shown), stored(words)]
}

class EmbeddedReadStore implements ReadStore {
  readonly blocksWhileIndexing = true
  readonly maxWritesAtOnce = 50
  readonly #sqlite: SqliteFile
  /** The collections, each with its scope of words. */
  readonly #known: Map<string, WordScope>
  readonly #answers = new Answers()
  readonly #turns = new Turns()
  readonly #remover: CollectionRemover

  constructor(sqlite: SqliteFile) {
    this.#sqlite = sqlite
    this.#remover = new CollectionRemover(sqlite)
    this.#remover.removeLeftOver()
    this.#known = new Map(
      sqlite
        .prepare('SELECT name, field FROM collections LEFT JOIN word_scopes ON collection = name')
        .all()
        .map(([name, scope]) => [String(name), typeof scope === 'string' ? scope : null]),
    )
  }

  async ensure(collection: string, indexes: Indexes, wordScope: WordScope = null): Promise<void> {
    if (!/^[a-z][a-z0-9_]*$/.test(collection)) throw new TypeError(`Not a collection: ${JSON.stringify(collection)}`)
    await this.#remover.removed(collection)
    const table = `c_${collection}`
    this.#sqlite.transaction(() => {
      const create =
        wordScope === null
          ? `CREATE TABLE IF NOT EXISTS ${table} (id TEXT NOT NULL PRIMARY KEY, position TEXT NOT NULL, doc TEXT)`
          : documentsWithWords(table)
      // Each index ends with the id, like every sort order.
      const fieldIndexes = indexes.map(
        (fields) =>
          `CREATE INDEX IF NOT EXISTS "${collection}.${fields.join('.')}" ON ${table} (${[...fields.map(field), 'id'].join(', ')})`,
      )
      this.#sqlite.exec(
        [
          create,
          `CREATE INDEX IF NOT EXISTS "${collection}/tombstones" ON ${table} (position) WHERE doc IS NULL`,
          ...fieldIndexes,
        ].join(';\n'),
      )
      this.#sqlite.prepare('INSERT INTO collections (name) VALUES (?) ON CONFLICT DO NOTHING').run([collection])
      if (wordScope === null) return
      const { changes } = this.#sqlite
        .prepare('INSERT INTO word_scopes (collection, field) VALUES (?, ?) ON CONFLICT DO NOTHING')
        .run([collection, wordScope])
      if (changes > 0) this.#sqlite.exec(wordIndex(collection, table, wordScope))
    })
    this.#known.set(collection, wordScope)
  }

  async get(collection: string, id: string): Promise<Document | null> {
    const statement = this.#sqlite.prepare(`SELECT doc FROM ${this.#table(collection)} WHERE id = ?`)
    const doc = isStorable(id) ? statement.get([id])?.[0] : null
    return typeof doc === 'string' ? JSON.parse(doc) : null
  }

  async getMany(collection: string, ids: readonly string[]): Promise<ReadonlyMap<string, Kept>> {
    const table = this.#table(collection)
    const words = this.#known.get(collection) === null ? 'NULL' : 'words'
    const rows = this.#sqlite
      .prepare(`SELECT id, position, doc, ${words} FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`)
      .all([JSON.stringify(ids)])
    return new Map(
      rows.map(([id, position, doc, words]) => [
        String(id),
        {
          position: String(position),
          doc:
            typeof doc === 'string'
              ? { ...JSON.parse(doc), ...(typeof words === 'string' ? { words: words.slice(1) } : {}) }
              : null,
        },
      ]),
    )
  }

  async find(collection: string, query: Query): Promise<Page> {
    const table = this.#table(collection)
    const words = query.words === undefined ? [] : wordsOf(query.words)
    const wordScope = this.#known.get(collection) ?? null
    const reading = { sqlite: this.#sqlite, turns: this.#turns }
    if (words.length === 0) {
      if (query.filter === undefined)
        return this.#answers.of(collection, query, () => findIn(this.#sqlite, table, query))
      const source = wordScope === null ? collection : String(query.where?.[wordScope])
      return this.#answers.ofLong(collection, query, () => sift(reading, table, query, source))
    }
    const scope = scopeOf(query, wordScope)
    const tables = { documents: table, words: wordTable(collection) }
    return this.#answers.ofLong(collection, query, () => search(reading, tables, query, scope, words))
  }

  async count(collection: string, where: Where = {}): Promise<number> {
    const { text, values } = counting(this.#table(collection), where)
    return this.#answers.count(collection, where, () => Number(this.#sqlite.prepare(text).get(values)?.[0]))
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
    const hasWords = this.#known.get(collection) !== null
    const [columns, places, set, row] = hasWords
      ? ['id, position, doc, words', '(?, ?, ?, ?)', ', words = excluded.words', rowWithWords]
      : ['id, position, doc', '(?, ?, ?)', '', rowOf]
    const upsert = (rows: number) =>
      this.#sqlite.prepare(`
        INSERT INTO ${table} (${columns}) VALUES ${Array(rows).fill(places).join(', ')}
        ON CONFLICT (id) DO UPDATE SET position = excluded.position, doc = excluded.doc${set}
        WHERE excluded.position > ${table}.position`)
    const advance = this.#sqlite.prepare(
      'UPDATE collections SET checkpoint = ?1 WHERE name = ?2 AND (checkpoint IS NULL OR checkpoint < ?1)',
    )
    return () => {
      const whole = writes.length - (writes.length % rowsAStatement)
      for (let start = 0; start < whole; start += rowsAStatement) {
        upsert(rowsAStatement).run(writes.slice(start, start + rowsAStatement).flatMap(row))
      }
      for (const write of writes.slice(whole)) upsert(1).run(row(write))
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
      this.#sqlite.prepare('DELETE FROM word_scopes WHERE collection = ?').run([collection])
      this.#sqlite.prepare('DELETE FROM collections WHERE name = ?').run([collection])
    })
    this.#known.delete(collection)
    this.#answers.forget(collection)
    this.#remover.remove(collection)
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
    this.#remover.close()
    this.#sqlite.close()
  }

  /** @throws Error for a collection that was never ensured, or was dropped */
  #table(collection: string): string {
    if (!this.#known.has(collection)) throw new Error(`There is no collection ${JSON.stringify(collection)}`)
    return `c_${collection}`
  }
}
