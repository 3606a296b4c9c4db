/**
 * Limits each agency's daily usage of something. A day starts at 00:00 UTC for every agency.
 * Usage is counted in memory and added to a record in steps of a twentieth of the limit, so that most usage costs no
 * write. Processes that share the records learn of each other's usage with each step of their own. Together they may
 * exceed the limit by two steps per process (one counted, one being written), and by one use each, because a use that
 * starts below the limit is accepted. A process that dies loses its usage since the last step, and while the records
 * are unavailable each process counts on its own.
 */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { RecordTable, Records } from './port.ts'

const dayMs = 86_400_000
const stepsADay = 20
const maxAgencies = 10_000
/** The pause after a step that could not be recorded; its usage stays counted in memory. */
const pauseMs = 10_000
/** The maximum number of retries when two processes write the same record. */
const maxTries = 20
/** The limit on concurrent writes at shutdown. */
const atOnce = 100

interface UseOfDay {
  /** Of budget, day and agency. */
  readonly id: string
  /** `2026-03-01` */
  readonly day: string
  readonly used: number
  /** Of the last write. Absent in records of earlier versions. */
  readonly writeId?: string
}

/** An agency's day in memory. */
interface Entry {
  readonly id: string
  readonly day: string
  /** The record's value when it was last read. */
  recorded: number
  /** Used here since then. */
  fresh: number
  /** The step that is being recorded. */
  writing: Promise<void> | null
  /** The last step whose write had no answer: the record may have it. */
  unanswered: { readonly writeId: string; readonly amount: number } | null
  /** No step is tried before this time. */
  pausedUntil: number
}

export interface DailyBudgetOptions {
  /** Part of the records' ids, e.g. `log`. */
  readonly name: string
  /** Per day and agency. */
  readonly limit: number
}

export interface DailyBudgetPorts {
  readonly records: Records
  readonly clock: Clock
  readonly log: Logger
}

export class DailyBudget {
  /** The least recently used come first. */
  readonly #entries = new Map<string, Entry>()
  readonly #loading = new Map<string, Promise<Entry>>()
  readonly #step: number

  private constructor(
    private readonly table: RecordTable<UseOfDay>,
    private readonly ports: DailyBudgetPorts,
    readonly options: DailyBudgetOptions,
  ) {
    this.#step = Math.max(1, Math.floor(options.limit / stepsADay))
  }

  static async open(ports: DailyBudgetPorts, options: DailyBudgetOptions): Promise<DailyBudget> {
    return new DailyBudget(
      await ports.records.table<UseOfDay>({ table: 'daily_use', indexed: ['day'] }),
      ports,
      options,
    )
  }

  /** The number of agencies in memory: 10,000 at most. */
  get size(): number {
    return this.#entries.size
  }

  /**
   * Uses an amount, unless the limit was reached before. @returns 0, or the milliseconds until there is budget again
   * @throws StoreUnavailable when the records are unavailable at an agency's first use of a day
   */
  async take(agencyId: string, amount: number): Promise<number> {
    const entry = await this.#entry(agencyId)
    // Waits while a step is slow to be written, so that usage stays at most one step ahead.
    if (entry.writing && entry.fresh >= 2 * this.#step) await entry.writing
    const wait = this.#wait(entry)
    if (wait === 0) this.#add(entry, amount)
    return wait
  }

  /** Uses an amount even beyond the limit: for usage that must not be refused. */
  async count(agencyId: string, amount: number): Promise<void> {
    this.#add(await this.#entry(agencyId), amount)
  }

  /** Takes back an unused amount. */
  async giveBack(agencyId: string, amount: number): Promise<void> {
    const entry = await this.#entry(agencyId)
    entry.fresh -= amount
  }

  /** Like `take` of nothing. */
  async waitFor(agencyId: string): Promise<number> {
    return this.#wait(await this.#entry(agencyId))
  }

  /** Deletes the records of earlier days. */
  async sweep(): Promise<void> {
    await this.table.removeBefore('day', this.#today())
  }

  /** Records the usage since the last steps. */
  async close(): Promise<void> {
    const open = [...this.#entries.values()].filter(({ fresh }) => fresh > 0)
    for (let from = 0; from < open.length; from += atOnce)
      await Promise.all(open.slice(from, from + atOnce).map((entry) => this.#write(entry)))
  }

  #today = () => this.ports.clock.now().slice(0, 10)

  #wait({ recorded, fresh, day }: Entry): number {
    if (recorded + fresh < this.options.limit) return 0
    return Math.max(1, Date.parse(`${day}T00:00:00.000Z`) + dayMs - Date.parse(this.ports.clock.now()))
  }

  #add(entry: Entry, amount: number): void {
    entry.fresh += amount
    if (entry.fresh >= this.#step && !entry.writing && entry.pausedUntil <= performance.now()) void this.#write(entry)
  }

  async #entry(agencyId: string): Promise<Entry> {
    const known = this.#entries.get(agencyId)
    if (known?.day !== this.#today()) return this.#load(agencyId)
    this.#entries.delete(agencyId)
    this.#entries.set(agencyId, known)
    return known
  }

  /** Shared by all callers at the same moment. */
  #load(agencyId: string): Promise<Entry> {
    const day = this.#today()
    const id = `${this.options.name}/${day}/${agencyId}`
    const underWay = this.#loading.get(id)
    if (underWay) return underWay
    const loading = this.table.get(id).then((found) => {
      const entry: Entry = {
        id,
        day,
        recorded: found?.record.used ?? 0,
        fresh: 0,
        writing: null,
        unanswered: null,
        pausedUntil: 0,
      }
      this.#entries.delete(agencyId)
      this.#entries.set(agencyId, entry)
      this.#makeRoom()
      return entry
    })
    this.#loading.set(id, loading)
    return loading.finally(() => this.#loading.delete(id))
  }

  #makeRoom(): void {
    for (const [agencyId, entry] of this.#entries) {
      if (this.#entries.size <= maxAgencies) return
      this.#entries.delete(agencyId)
      if (entry.fresh > 0 && entry.day === this.#today()) void this.#write(entry)
    }
  }

  #write(entry: Entry): Promise<void> {
    const before = entry.writing ?? Promise.resolve()
    const writing = before
      .then(() => this.#record(entry))
      .finally(() => {
        if (entry.writing === writing) entry.writing = null
      })
    entry.writing = writing
    return writing
  }

  /** Adds the usage here to the record, and reads that of other processes. */
  async #record(entry: Entry): Promise<void> {
    try {
      for (let tries = 1; tries <= maxTries; tries++) {
        const found = await this.table.get(entry.id)
        const known = entry.unanswered
        if (known && found?.record.writeId === known.writeId) entry.fresh -= known.amount
        const amount = entry.fresh
        const writeId = randomUUID()
        const used = Math.max(0, (found?.record.used ?? 0) + amount)
        const use = { id: entry.id, day: entry.day, used, writeId }
        entry.unanswered = { writeId, amount }
        const isWritten = await (found ? this.table.replace(use, found.version) : this.table.insert(use))
        entry.unanswered = null
        if (!isWritten) continue
        entry.recorded = used
        entry.fresh -= amount
        return
      }
    } catch (error) {
      entry.pausedUntil = performance.now() + pauseMs
      this.ports.log.warn(
        { err: error, budget: this.options.name },
        "Could not record an agency's use of its daily budget; counting it in memory",
      )
    }
  }
}
