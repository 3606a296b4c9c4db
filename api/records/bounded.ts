/** Enforces the table of bounds on any record store. */
import { bounds as productBounds, type Bound } from './bounds.ts'
import type { RecordDefinition, Records, RecordTable } from './port.ts'

/** The maximum number of records of a kind is reached. */
export class RecordsFull extends Error {
  override readonly name = 'RecordsFull'
  /** @param sentence for the user */
  constructor(
    readonly kind: string,
    readonly sentence: string,
  ) {
    super(`The maximum number of ${kind} is reached`)
  }
}

interface Options {
  readonly bounds?: Readonly<Record<string, Bound>>
  /** Called when a kind is full, at most once in ten minutes. */
  readonly onFull?: (kind: string) => void
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

/** The interval between two counts; records added meanwhile by other processes are not seen. */
const recountMs = 60_000
/** The interval while a kind is full, however many inserts are refused. */
const recountFullMs = 1_000
const tellMs = 600_000
/** Evicts one percent at once, so that not every insert has to evict. */
const roomShare = 0.01
const maxRemovedAtOnce = 100

/** @throws TypeError when opening a collection without a row in the table of bounds */
export function boundedRecords(
  records: Records,
  { bounds = productBounds, onFull = () => undefined, elapsed = () => performance.now() }: Options = {},
): Records {
  const rooms = new Map<string, Room>()
  return {
    async table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>> {
      const { table: kind, unique = [], indexed = [] } = definition
      const bound = Object.hasOwn(bounds, kind) ? bounds[kind] : undefined
      if (!bound) throw new TypeError(`The collection ${kind} has no bound: add a row to api/records/bounds.ts`)
      const by = bound.atMaximum.act === 'remove-first' ? bound.atMaximum.by : null
      const field = [...unique, ...indexed].find((known) => known === by)
      if (by !== null && field === undefined)
        throw new TypeError(`The collection ${kind} has no index on ${by}, which eviction needs`)
      const room = rooms.get(kind) ?? new Room(kind, bound, elapsed, onFull)
      rooms.set(kind, room)
      return new BoundedTable(await records.table(definition), room, field ?? null)
    },
    scrub: () => records.scrub(),
    close: () => records.close(),
  }
}

/** The number of records of a kind: counted now and then, estimated in between. */
class Room {
  #reckoned = 0
  #countedAt = Number.NEGATIVE_INFINITY
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly kind: string,
    private readonly bound: Bound,
    private readonly elapsed: () => number,
    private readonly onFull: (kind: string) => void,
  ) {}

  change(by: number): void {
    this.#reckoned += by
  }

  /** How many records must be removed for one more; 0 while there is room. */
  async surplus(count: () => Promise<number>): Promise<number> {
    const { inAll } = this.bound
    const since = this.elapsed() - this.#countedAt
    if (since > recountMs || (this.#reckoned >= inAll && since > recountFullMs)) {
      const before = this.#countedAt
      this.#countedAt = this.elapsed()
      this.#reckoned = await count().catch((error: unknown) => {
        this.#countedAt = before
        throw error
      })
    }
    if (this.#reckoned < inAll) return 0
    return Math.min(maxRemovedAtOnce, this.#reckoned + 1 - inAll + Math.floor(inAll * roomShare))
  }

  /** @throws RecordsFull */
  refuse(): never {
    if (this.elapsed() - this.#loggedAt > tellMs) {
      this.#loggedAt = this.elapsed()
      this.onFull(this.kind)
    }
    const { atMaximum } = this.bound
    throw new RecordsFull(
      this.kind,
      atMaximum.act === 'refuse' ? atMaximum.sentence : 'There is no room for more of this on this server.',
    )
  }
}

class BoundedTable<T extends { readonly id: string }> implements RecordTable<T> {
  constructor(
    private readonly inner: RecordTable<T>,
    private readonly room: Room,
    /** The field whose lowest values are evicted; null: inserts beyond the maximum are refused. */
    private readonly by: (keyof T & string) | null,
  ) {}

  get: RecordTable<T>['get'] = (id) => this.inner.get(id)
  find: RecordTable<T>['find'] = (field, value, limit) => this.inner.find(field, value, limit)
  first: RecordTable<T>['first'] = (field, limit, range) => this.inner.first(field, limit, range)
  count: RecordTable<T>['count'] = () => this.inner.count()
  replace: RecordTable<T>['replace'] = (record, version) => this.inner.replace(record, version)

  async insert(record: T): Promise<boolean> {
    await this.#makeRoom(record.id)
    const isNew = await this.inner.insert(record)
    if (isNew) this.room.change(1)
    return isNew
  }

  async put(record: T): Promise<void> {
    const isKnown = await this.#makeRoom(record.id)
    await this.inner.put(record)
    // Below the maximum, an overwrite is counted as an insert; the next count corrects that.
    if (!isKnown) this.room.change(1)
  }

  async remove(id: string, expectedVersion?: number): Promise<boolean> {
    const wasThere = await this.inner.remove(id, expectedVersion)
    if (wasThere) this.room.change(-1)
    return wasThere
  }

  async removeBefore(field: keyof T & string, value: string): Promise<number> {
    const removed = await this.inner.removeBefore(field, value)
    this.room.change(-removed)
    return removed
  }

  /** True: the table is full, and the record only replaces itself. @throws RecordsFull if nothing may be evicted */
  async #makeRoom(id: string): Promise<boolean> {
    const surplus = await this.room.surplus(() => this.inner.count())
    if (surplus <= 0) return false
    if ((await this.inner.get(id)) !== null) return true
    const first = this.by === null ? [] : await this.inner.first(this.by, surplus)
    if (first.length === 0) this.room.refuse()
    for (const each of first) await this.remove(each.id)
    return false
  }
}
