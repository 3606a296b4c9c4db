/** The planner's backoff after a failure: for the slot, and for a shorter time for its agency's other slots. */
import type { Instant } from '../../../domain/core/event.ts'
import { backoffMs } from '../../core/backoff.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { PlannerConfig } from './config.ts'

interface Wait {
  readonly until: Instant
  readonly failures: number
}

export class Backoff {
  readonly #slots = new Map<string, Wait>()
  readonly #agencies = new Map<string, Wait>()
  /**
   * Slots whose failures this process handled itself, and when: a view read a moment later may lag behind. Forgotten
   * after the longest backoff.
   */
  readonly #met = new Map<string, Instant>()
  constructor(
    private readonly clock: Clock,
    private readonly config: PlannerConfig,
    /** The limit of each table. The oldest entries go first: their slots have long been filled, or have passed. */
    private readonly maxEntries = 20_000,
  ) {}

  /** When the slot may be tried again; null: now. */
  until(agencyId: string, slot: string): Instant | null {
    const [ofAgency, ofSlot] = [this.#agencies.get(agencyId)?.until ?? '', this.#slots.get(slot)?.until ?? '']
    const last = ofAgency > ofSlot ? ofAgency : ofSlot
    return last > this.clock.now() ? last : null
  }

  /** The slot was skipped: its time is another post's, or another planner writes its post. */
  left(slot: string): void {
    const { longestMs, longestLeftMs } = this.config
    this.#grow(this.#slots, slot, null, longestMs, longestLeftMs)
  }

  /** @param askedMs the writer's retry-after in ms; null if it gave none */
  failed(agencyId: string, slot: string, askedMs: number | null): void {
    this.#meet(slot)
    const { firstBackoffMs, longestBackoffMs, agencyBackoffMs, longestAgencyBackoffMs } = this.config
    this.#grow(this.#slots, slot, askedMs, firstBackoffMs, longestBackoffMs)
    this.#grow(this.#agencies, agencyId, askedMs, agencyBackoffMs, longestAgencyBackoffMs)
  }

  /** Postpones all slots of an agency; none of them failed. */
  defer(agencyId: string, waitMs: number): void {
    const failures = this.#agencies.get(agencyId)?.failures ?? 0
    this.#keep(this.#agencies, agencyId, { until: later(this.clock.now(), waitMs), failures })
  }

  /** A failure from before the restart; the number of failures is lost. */
  inherit(slot: string): void {
    if (this.#met.has(slot) || this.#slots.has(slot)) return
    this.#meet(slot)
    this.#keep(this.#slots, slot, { until: later(this.clock.now(), this.config.firstBackoffMs), failures: 1 })
  }

  /** The post is written, or a user asked for a retry now. */
  done(agencyId: string, slot: string): void {
    this.#meet(slot)
    this.#agencies.delete(agencyId)
    this.#slots.delete(slot)
  }

  /** The number of entries in memory. */
  get size(): number {
    return this.#slots.size + this.#agencies.size + this.#met.size
  }

  #meet(slot: string): void {
    const now = this.clock.now()
    this.#keep(this.#met, slot, now)
    const forgotten = later(now, -this.config.longestBackoffMs)
    for (const [oldest, at] of this.#met) {
      if (at > forgotten) break
      this.#met.delete(oldest)
    }
    // A slot that was due again that long ago, and not tried since, has passed.
    for (const [oldest, { until }] of this.#slots) {
      if (until > forgotten) break
      this.#slots.delete(oldest)
    }
  }

  #grow(waits: Map<string, Wait>, key: string, askedMs: number | null, firstMs: number, longestMs: number): void {
    const failures = (waits.get(key)?.failures ?? 0) + 1
    const ms = askedMs ?? backoffMs(failures, firstMs, longestMs)
    this.#keep(waits, key, { until: later(this.clock.now(), ms), failures })
  }

  /** Sets the newest entry, at the table's end, and drops the oldest beyond the limit. */
  #keep<T>(table: Map<string, T>, key: string, entry: T): void {
    table.delete(key)
    table.set(key, entry)
    const [oldest] = table.keys()
    if (table.size > this.maxEntries && oldest !== undefined) table.delete(oldest)
  }
}
