/** One SQLite file owned by this process: all opening, binding, committing and closing happens here. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import Database from 'libsql'
import { createPrivately } from './create-privately.ts'
import { GroupCommit } from './group-commit.ts'
import { StoreUnavailable } from './port.ts'
import { RecentlyUsed } from './recently-used.ts'
import { cantOpen, troubleWith } from './sqlite-trouble.ts'
import { weighed } from './weighed.ts'

export type Bindable = string | number | null
export type Row = readonly Bindable[]

export interface SqliteOptions {
  /** `FULL`: a commit survives a power failure. `NORMAL`: the file stays sound, but the last commits may be lost. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Size of the write-ahead log, in 4 kB pages, at which it is copied into the file. Default 1000. */
  readonly checkpointPages?: number
  /**
   * How long concurrent `durably` writes wait at most for each other, in milliseconds, to share a flush. Default 0:
   * they share one only within a tick.
   */
  readonly maxGroupWaitMs?: number
  /**
   * Pages of the file in memory at most, in MB. Default 16: what is not among them is read from the operating system's
   * cache.
   */
  readonly cacheMB?: number
  /** Maximum size of the file in 4 kB pages; writes beyond it fail like on a full disk. */
  readonly maxPages?: number
  /** The remedy for a damaged file, as a sentence. */
  readonly ifDamaged?: string
}

/** Rows are arrays in the order of the selected columns. */
export interface Statement {
  run(values?: Row): { readonly changes: number; readonly lastInsertRowid: number }
  get(values?: Row): Row | undefined
  all(values?: Row): readonly Row[]
}

/** Statements kept for each file: the text of a search follows the request. */
export const maxStatements = 300
/** This process's open files, by path: closing a second handle to the same file would drop the first one's lock. */
const openHere = new Map<string, SqliteFile>()

/** This process's open handle of the file; null without one. */
export const openedHere = (path: string): SqliteFile | null => openHere.get(resolve(path)) ?? null

export class SqliteFile {
  readonly #db: Database.Database
  readonly #file: string
  readonly #checkpointPages: number
  readonly #remedy: string
  readonly #statements = new RecentlyUsed<Statement>(maxStatements)
  readonly #group: GroupCommit
  #open = true
  /** Resolves when the file may change again. */
  #still: Promise<void> | null = null

  /**
   * Opens the file, creates it and its folder if missing, and locks it until `close` or the end of the process.
   * @throws StoreUnavailable when another process, or this one, already holds the file, or when it can't be opened
   */
  constructor(path: string, options: SqliteOptions) {
    this.#file = resolve(path)
    this.#checkpointPages = options.checkpointPages ?? 1000
    this.#remedy = options.ifDamaged ?? 'Stop the server, and restore the newest backup with npm run restore.'
    this.#group = new GroupCommit(
      (work) => this.transaction(work),
      (error) => error instanceof StoreUnavailable || error instanceof Database.SqliteError,
      options.maxGroupWaitMs ?? 0,
    )
    try {
      createPrivately(this.#file)
      this.#db = new Database(this.#file)
    } catch (error) {
      throw cantOpen(this.#file, error, statSync(this.#file, { throwIfNoEntry: false })?.isDirectory() ?? false)
    }
    try {
      // Exclusive before WAL: the operating system then holds the lock, and drops it with the process.
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
      this.#db.exec('BEGIN EXCLUSIVE; COMMIT')
      this.#db.exec(
        `PRAGMA synchronous = ${options.synchronous}; PRAGMA cache_size = -${1024 * (options.cacheMB ?? 16)}`,
      )
      this.#db.exec(`PRAGMA wal_autocheckpoint = ${this.#checkpointPages}`)
      if (options.maxPages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${options.maxPages}`)
    } catch (error) {
      this.#db.close()
      throw this.#translated(error)
    }
    openHere.set(this.#file, this)
  }

  /** Runs statements without parameters, such as a schema. */
  exec(sql: string): void {
    this.#guarded(() => this.#db.exec(sql))
  }

  /** The prepared statement for this SQL: one of those used last, or a new one. One that is held goes on working. */
  prepare(sql: string): Statement {
    return this.#statements.get(sql, () => this.#prepared(sql))
  }

  #prepared(sql: string): Statement {
    const native = this.#guarded(() => this.#db.prepare(sql))
    // Only statements with columns can return arrays.
    if (/^\s*(select|with|pragma|explain)\b/i.test(sql)) native.raw()
    const statement: Statement = {
      run: (values = []) =>
        this.#guarded(() => {
          const { changes, lastInsertRowid } = native.run(storable(values))
          return { changes, lastInsertRowid: Number(lastInsertRowid) }
        }),
      get: (values = []) => this.#guarded(() => native.get(storable(values)) as Row | undefined),
      all: (values = []) => this.#guarded(() => native.all(storable(values)) as Row[]),
    }
    return weighed(statement)
  }

  /** The number of statements in memory, for tests and for an operator. */
  get keptStatements(): number {
    return this.#statements.size
  }

  /** Commits all writes of `work`, or none if it throws. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      // On a full disk SQLite rolls back by itself; a second ROLLBACK would hide the cause.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Runs `work` in one transaction with all others requested in the same tick, so that they share one flush to disk.
   * `work` may throw to fail alone, as long as it has written nothing; `committed` runs before other work sees the
   * result.
   * @throws StoreUnavailable when nothing of the group was written
   */
  durably<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    if (!this.#open) return Promise.reject(this.#closed())
    return this.#group.add(work, committed)
  }

  /**
   * Copies all commits into the file, which then stays unchanged until the returned function is called: writes
   * meanwhile wait beside it. Another process may copy the file then.
   * The returned function throws StoreUnavailable if the file was closed meanwhile, which changed it.
   */
  keepStill(): () => void {
    if (this.#still) throw new StoreUnavailable(`${this.#file} is being copied already`)
    this.exec('PRAGMA wal_autocheckpoint = 0')
    const release = () => this.exec(`PRAGMA wal_autocheckpoint = ${this.#checkpointPages}`)
    try {
      const [isBusy] = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? []
      if (isBusy !== 0) throw new StoreUnavailable(`${this.#file} is too busy to be copied`)
    } catch (error) {
      release()
      throw error
    }
    let settle = () => {}
    this.#still = new Promise((resolve) => (settle = resolve))
    return () => {
      this.#still = null
      settle()
      release()
    }
  }

  /** Erases deleted data from the file and the write-ahead log. */
  async compact(): Promise<void> {
    while (this.#still) await this.#still
    this.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /**
   * Commits pending `durably` work, then releases the file, even on a full or failing disk. Calling it twice is safe.
   */
  close(): void {
    if (!this.#open) return
    this.#group.flush()
    try {
      // The driver keeps the connection until its statements are garbage-collected, so closing alone would keep the
      // lock.
      this.#db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema')
    } catch (error) {
      // Commits that can't be copied into the file now stay beside it until the next start.
      if (!(error instanceof Database.SqliteError)) throw error
    } finally {
      this.#open = false
      openHere.delete(this.#file)
      this.#statements.clear()
      this.#db.close()
    }
  }

  #guarded<T>(work: () => T): T {
    if (!this.#open) throw this.#closed()
    try {
      return work()
    } catch (error) {
      throw this.#translated(error)
    }
  }

  #closed(): StoreUnavailable {
    return new StoreUnavailable(`${this.#file} is closed`)
  }

  #translated(error: unknown): unknown {
    if (!(error instanceof Database.SqliteError)) return error
    return troubleWith(this.#file, error, this.#remedy) ?? error
  }
}

/** True when a write was rejected because of a duplicate unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** False for a text that the driver would change: nothing is stored under it, so a lookup is pointless. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/**
 * All values pass through here to the driver, which cuts text at NUL, garbles lone surrogates, loses `undefined` and
 * dies on a boolean.
 * @throws TypeError for any of these, and for a number that isn't finite
 */
export function storable(values: Row): Row {
  for (const value of values) {
    if (typeof value === 'string' ? !isStorable(value) : value !== null && !Number.isFinite(value)) {
      throw new TypeError(`SQLite can't keep ${JSON.stringify(value) ?? 'undefined'}`)
    }
  }
  return values
}
