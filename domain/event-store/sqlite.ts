/** One SQLite file that this process owns alone: opened, bound, committed and let go of in one place. */
import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import { GroupCommit } from './group-commit.ts'
import { StoreUnavailable } from './port.ts'
import { cantOpen, troubleWith } from './sqlite-trouble.ts'

export type Bindable = string | number | null
export type Row = readonly Bindable[]

export interface SqliteOptions {
  /** `FULL`: a commit survives a power cut. `NORMAL`: the file stays sound, but the last commits may be lost. */
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Size of the write-ahead log, in 4 kB pages, at which it is copied into the file. Default 1000. */
  readonly checkpointPages?: number
  /** Upper bound of the file in 4 kB pages; writes beyond it fail as on a full disk. */
  readonly maxPages?: number
  /** What to do about a file that is damaged, as a sentence. */
  readonly ifDamaged?: string
}

/** Rows come as arrays in the order of the selected columns. */
export interface Statement {
  run(values?: Row): { readonly changes: number; readonly lastInsertRowid: number }
  get(values?: Row): Row | undefined
  all(values?: Row): readonly Row[]
}

/** What this process has open, by path: whoever else opened such a file here would drop its lock when closing it. */
const openHere = new Map<string, SqliteFile>()

/** The file as this process has it; null when it doesn't. */
export const openedHere = (path: string): SqliteFile | null => openHere.get(resolve(path)) ?? null

export class SqliteFile {
  readonly #db: Database.Database
  readonly #file: string
  readonly #checkpointPages: number
  readonly #remedy: string
  readonly #statements = new Map<string, Statement>()
  readonly #group: GroupCommit
  #open = true
  /** Settles when the file may change again. */
  #still: Promise<void> | null = null

  /**
   * Opens the file, creating it and its folder where missing, and holds it until `close` or the end of the process.
   * @throws StoreUnavailable when another process, or this one, already holds the file, or when it can't be opened
   */
  constructor(path: string, options: SqliteOptions) {
    this.#file = resolve(path)
    this.#checkpointPages = options.checkpointPages ?? 1000
    this.#remedy = options.ifDamaged ?? 'Stop the server, and bring back the newest backup with npm run restore.'
    this.#group = new GroupCommit(
      (work) => this.transaction(work),
      (error) => error instanceof StoreUnavailable || error instanceof Database.SqliteError,
    )
    try {
      createPrivately(this.#file)
      this.#db = new Database(this.#file)
    } catch (error) {
      throw cantOpen(this.#file, error, statSync(this.#file, { throwIfNoEntry: false })?.isDirectory() ?? false)
    }
    try {
      // Exclusive before WAL: the lock is then the operating system's, taken here and dropped with the process.
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
      this.#db.exec('BEGIN EXCLUSIVE; COMMIT')
      this.#db.exec(`PRAGMA synchronous = ${options.synchronous}; PRAGMA cache_size = -65536`)
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

  /** The prepared statement for this text, made once. */
  prepare(sql: string): Statement {
    const known = this.#statements.get(sql)
    if (known) return known
    const native = this.#guarded(() => this.#db.prepare(sql))
    // Not every statement has columns, and only those that do can answer arrays.
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
    this.#statements.set(sql, statement)
    return statement
  }

  /** Commits all that `work` writes, or nothing when it throws. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec('COMMIT')
      return result
    } catch (error) {
      // A full disk makes SQLite roll back by itself; a second ROLLBACK would hide the reason.
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK')
      throw error
    }
  }

  /**
   * Runs `work` in one transaction with all others asked for in the same tick, so that they share one flush to disk.
   * `work` may throw to be rejected alone, as long as it has written nothing; `committed` is called before others see the answer.
   * @throws StoreUnavailable when nothing of the group was written
   */
  durably<T>(work: () => T, committed?: (result: T) => void): Promise<T> {
    if (!this.#open) return Promise.reject(this.#closed())
    return this.#group.add(work, committed)
  }

  /**
   * Brings all that is committed into the file, which then stays as it is until the answer is called: what is written meanwhile waits beside it.
   * Another process may copy it then. The answer throws StoreUnavailable when the file was closed meanwhile, and changed by that.
   */
  keepStill(): () => void {
    if (this.#still) throw new StoreUnavailable(`${this.#file} is being copied already`)
    this.exec('PRAGMA wal_autocheckpoint = 0')
    const letGo = () => this.exec(`PRAGMA wal_autocheckpoint = ${this.#checkpointPages}`)
    try {
      const [isBusy] = this.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? []
      if (isBusy !== 0) throw new StoreUnavailable(`${this.#file} is too busy to be copied`)
    } catch (error) {
      letGo()
      throw error
    }
    let settle = () => {}
    this.#still = new Promise((resolve) => (settle = resolve))
    return () => {
      this.#still = null
      settle()
      letGo()
    }
  }

  /** Leaves nothing in the file, or beside it, of what was removed. */
  async compact(): Promise<void> {
    while (this.#still) await this.#still
    this.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  }

  /** Finishes what was asked of `durably`, then lets go of the file, also on a disk that is full or failing. Once is enough; twice does no harm. */
  close(): void {
    if (!this.#open) return
    this.#group.flush()
    try {
      // The driver keeps the connection until its statements are collected, so closing alone would keep the lock.
      this.#db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema')
    } catch (error) {
      // What can't be brought into the file now waits beside it for the next start.
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

/** True when a write was refused because a unique value is taken. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code === 'SQLITE_CONSTRAINT_UNIQUE'
}

/** False for a text that the driver would not bring back as it was: nothing is stored under it, so it need not be looked for. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text)
}

/**
 * The one way to the driver, which cuts text at NUL, garbles lone surrogates, loses `undefined` and dies on a boolean.
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

/** Only ever creates: closing a second handle on the file would drop the lock of the first. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
