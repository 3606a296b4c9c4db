/** Reads documents in their order, in short stretches, and keeps those that meet conditions which no index serves. */
import type { SqliteFile } from '../../domain/event-store/sqlite.ts'
import type { Query, Scalar } from './port.ts'
import { pages, searchesOf, type Mark, type Source } from './sql.ts'
import { stretchMs } from './turns.ts'

/** Documents of the first stretches together: few, because most searches end there. */
const firstLook = 200
const minLook = 10
const maxLook = 1_000

export interface Kept {
  readonly mark: Mark
  /** As JSON. */
  readonly doc: string
}

/**
 * The first documents behind the mark. A search for several values follows an index for each, and merges what it keeps,
 * so that each document is read once.
 * @param wanted so many at most
 * @param turn runs each stretch
 */
export async function walk(
  sqlite: SqliteFile,
  source: Source,
  query: Query,
  { mark, wanted }: { readonly mark: Mark | null; readonly wanted: number },
  turn: (stretch: () => number) => Promise<number>,
): Promise<readonly Kept[]> {
  const searches = searchesOf(query)
  const first = Math.max(minLook, Math.floor(firstLook / searches.length))
  const paths = searches.map((where) => new Path({ ...query, where }, mark, first))
  const order = orderOf(query.sort)
  const found: Kept[] = []
  for (;;) {
    const last = paths.filter(({ isAtEnd }) => !isAtEnd).toSorted((a, b) => fromStart(order, a.mark, b.mark))[0]
    // What lies up to the path that is furthest behind is complete.
    for (const path of paths) found.push(...path.taken((at) => !last || fromStart(order, at, last.mark) <= 0))
    if (!last || found.length >= wanted) return found.toSorted((a, b) => order(a.mark, b.mark)).slice(0, wanted)
    const documents = await turn(() => last.advance(sqlite, source))
    await query.looked?.(documents)
  }
}

/** The documents of one search, read up to a mark. */
class Path {
  isAtEnd = false
  #kept: Kept[] = []
  constructor(
    private readonly query: Query,
    public mark: Mark | null,
    private look: number,
  ) {}

  /** Removes the first of the kept documents, as long as the condition is met. */
  taken(isMet: (mark: Mark) => boolean): readonly Kept[] {
    const beyond = this.#kept.findIndex(({ mark }) => !isMet(mark))
    return this.#kept.splice(0, beyond < 0 ? this.#kept.length : beyond)
  }

  /** Reads a stretch. Returns the number of its documents. */
  advance(sqlite: SqliteFile, source: Source): number {
    const began = performance.now()
    const { mark, documents } = this.#read(sqlite, source)
    this.mark = mark
    this.isAtEnd = this.mark === null
    const factor = Math.min(2, stretchMs / (performance.now() - began))
    this.look = Math.max(minLook, Math.min(maxLook, Math.round(this.look * factor)))
    return documents
  }

  /** The number of documents that were read, and where to go on; null behind the last one. */
  #read(sqlite: SqliteFile, source: Source): { readonly mark: Mark | null; readonly documents: number } {
    let documents = 0
    for (const { text, values } of pages(source, this.query, this.mark, this.look)) {
      const rows = sqlite.prepare(`SELECT id, doc, json_quote(key) FROM (${text})`).all(values)
      documents += rows.length
      const markOf = (id: unknown, key: unknown): Mark =>
        this.query.sort ? { id: String(id), value: JSON.parse(String(key)) } : { id: String(id) }
      for (const [id, doc, key] of rows) if (typeof doc === 'string') this.#kept.push({ mark: markOf(id, key), doc })
      const last = rows.length < this.look ? undefined : rows.at(-1)
      if (last) return { mark: markOf(last[0], last[2]), documents }
    }
    return { mark: null, documents }
  }
}

type Order = (a: Mark, b: Mark) => number

/** The order of SQLite: null before numbers before texts, these by their bytes; then by id. */
const orderOf =
  (sort: Query['sort']): Order =>
  (a, b) =>
    (compare(a.value ?? null, b.value ?? null) || compare(a.id, b.id)) * (sort?.order === 'desc' ? -1 : 1)

/** The same for places on a path: it starts before every document. */
const fromStart = (order: Order, a: Mark | null, b: Mark | null): number =>
  a && b ? order(a, b) : Number(a !== null) - Number(b !== null)

function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return rank(a) - rank(b) || Number(a) - Number(b)
}

const rank = (value: Scalar) => (value === null ? 0 : typeof value === 'string' ? 2 : 1)
