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
  /** Slots whose failures this process handled itself: a view read a moment later may lag behind. */
  readonly #met = new Set<string>()
  constructor(
    private readonly clock: Clock,
    private readonly config: PlannerConfig,
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
    this.#met.add(slot)
    const { firstBackoffMs, longestBackoffMs, agencyBackoffMs, longestAgencyBackoffMs } = this.config
    this.#grow(this.#slots, slot, askedMs, firstBackoffMs, longestBackoffMs)
    this.#grow(this.#agencies, agencyId, askedMs, agencyBackoffMs, longestAgencyBackoffMs)
  }

  /** Postpones all slots of an agency; none of them failed. */
  defer(agencyId: string, waitMs: number): void {
    this.#agencies.set(agencyId, {
      until: later(this.clock.now(), waitMs),
      failures: this.#agencies.get(agencyId)?.failures ?? 0,
    })
  }

  /** A failure from before the restart; the number of failures is lost. */
  inherit(slot: string): void {
    if (this.#met.has(slot)) return
    this.#met.add(slot)
    this.#slots.set(slot, { until: later(this.clock.now(), this.config.firstBackoffMs), failures: 1 })
  }

  /** The post is written, or a user asked for a retry now. */
  done(agencyId: string, slot: string): void {
    this.#met.add(slot)
    this.#agencies.delete(agencyId)
    this.#slots.delete(slot)
  }

  #grow(waits: Map<string, Wait>, key: string, askedMs: number | null, firstMs: number, longestMs: number): void {
    const failures = (waits.get(key)?.failures ?? 0) + 1
    const ms = askedMs ?? backoffMs(failures, firstMs, longestMs)
    waits.set(key, { until: later(this.clock.now(), ms), failures })
  }
}
