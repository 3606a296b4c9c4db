/**
 * How much each agency has used of something today. A day is one of UTC: it begins at 00:00 for every agency alike.
 *
 * Counted in memory and added to a record in steps of a twentieth of the limit, so that what is used costs no write of its
 * own as a rule. Processes that share the records learn of each other's use with each of their own steps: together they may
 * go beyond the limit by two steps for each process (one that is counted, one that is being written), and by one use each,
 * because a use that begins below the limit is let through. A process that dies forgets what it had used since its last
 * step, and while the records are away each process counts for itself.
 */
import type { Logger } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { RecordTable, Records } from './port.ts'

const dayMs = 86_400_000
const stepsADay = 20
const maxAgencies = 10_000
/** After a step that could not be recorded: what was used stays counted here. */
const pauseMs = 10_000
/** How often two processes may write the same record at the same moment. */
const maxTries = 20
/** Records written at once when the process ends. */
const atOnce = 100

interface UseOfDay {
  /** Of budget, day and agency. */
  readonly id: string
  /** `2026-03-01` */
  readonly day: string
  readonly used: number
}

/** An agency's day in memory. */
interface Entry {
  readonly id: string
  readonly day: string
  /** As the record had it at the last look. */
  recorded: number
  /** Used here since then. */
  fresh: number
  /** A step that is being recorded. */
  writing: Promise<void> | null
  /** No step is tried before then. */
  pausedUntil: number
}

export interface DailyBudgetOptions {
  /** Part of the records' ids, e.g. `log`. */
  readonly name: string
  /** A day and agency. */
  readonly limit: number
}

export interface DailyBudgetPorts {
  readonly records: Records
  readonly clock: Clock
  readonly log: Logger
}

export class DailyBudget {
  /** Those used longest ago come first. */
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

  /** How many agencies are in memory: 10,000 at most. */
  get size(): number {
    return this.#entries.size
  }

  /**
   * Uses so much, unless the limit was reached before.
   * @returns 0, or how long it takes until there is room again, in milliseconds
   * @throws StoreUnavailable when the records are away at an agency's first use of a day
   */
  async take(agencyId: string, amount: number): Promise<number> {
    const entry = await this.#entry(agencyId)
    // Nothing is used ahead of a step that is long in being written.
    if (entry.writing && entry.fresh >= 2 * this.#step) await entry.writing
    const wait = this.#wait(entry)
    if (wait === 0) this.#add(entry, amount)
    return wait
  }

  /** Uses so much, also beyond the limit: for what must not be refused. */
  async count(agencyId: string, amount: number): Promise<void> {
    this.#add(await this.#entry(agencyId), amount)
  }

  /** What was taken was not used. */
  async giveBack(agencyId: string, amount: number): Promise<void> {
    const entry = await this.#entry(agencyId)
    entry.fresh -= amount
  }

  /** As `take` of nothing. */
  async waitFor(agencyId: string): Promise<number> {
    return this.#wait(await this.#entry(agencyId))
  }

  /** Removes the records of earlier days. */
  async sweep(): Promise<void> {
    await this.table.removeBefore('day', this.#today())
  }

  /** Records what was used since the last steps. */
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

  /** Once for all who ask at the same moment. */
  #load(agencyId: string): Promise<Entry> {
    const day = this.#today()
    const id = `${this.options.name}/${day}/${agencyId}`
    const underWay = this.#loading.get(id)
    if (underWay) return underWay
    const loading = this.table.get(id).then((found) => {
      const entry: Entry = { id, day, recorded: found?.record.used ?? 0, fresh: 0, writing: null, pausedUntil: 0 }
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

  /** Adds what was used here to the record, and learns what others have used. */
  async #record(entry: Entry): Promise<void> {
    try {
      for (let tries = 1; tries <= maxTries; tries++) {
        const amount = entry.fresh
        const found = await this.table.get(entry.id)
        const use = { id: entry.id, day: entry.day, used: Math.max(0, (found?.record.used ?? 0) + amount) }
        if (!(found ? await this.table.replace(use, found.version) : await this.table.insert(use))) continue
        entry.recorded = use.used
        entry.fresh -= amount
        return
      }
    } catch (error) {
      entry.pausedUntil = performance.now() + pauseMs
      this.ports.log.warn(
        { err: error, budget: this.options.name },
        'what an agency has used today could not be recorded and stays counted in memory',
      )
    }
  }
}
