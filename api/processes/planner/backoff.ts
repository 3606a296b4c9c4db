/** Who is left alone for a while after a failure: a slot, and for a shorter time its agency's other slots. */
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { PlannerConfig } from './config.ts'

interface Rest {
  readonly until: Instant
  readonly failures: number
}

export class Backoff {
  readonly #slots = new Map<string, Rest>()
  readonly #agencies = new Map<string, Rest>()
  /** Slots whose failures this life knows of: what is read of them a moment later may be older than what it heard. */
  readonly #met = new Set<string>()
  constructor(
    private readonly clock: Clock,
    private readonly config: PlannerConfig,
  ) {}

  isResting(agencyId: string, slot: string): boolean {
    const now = this.clock.now()
    return [this.#agencies.get(agencyId), this.#slots.get(slot)].some((rest) => rest !== undefined && rest.until > now)
  }

  /** @param askedMs how long the writer asks to be left alone; null: it didn't say */
  failed(agencyId: string, slot: string, askedMs: number | null): void {
    this.#met.add(slot)
    const { firstRestMs, longestRestMs, agencyRestMs, longestAgencyRestMs } = this.config
    this.#grow(this.#slots, slot, askedMs, firstRestMs, longestRestMs)
    this.#grow(this.#agencies, agencyId, askedMs, agencyRestMs, longestAgencyRestMs)
  }

  /** Leaves all slots of an agency for later; none of them failed. */
  defer(agencyId: string, restMs: number): void {
    this.#agencies.set(agencyId, {
      until: later(this.clock.now(), restMs),
      failures: this.#agencies.get(agencyId)?.failures ?? 0,
    })
  }

  /** A failure of an earlier life, whose number nobody remembers. */
  inherit(slot: string): void {
    if (this.#met.has(slot)) return
    this.#met.add(slot)
    this.#slots.set(slot, { until: later(this.clock.now(), this.config.firstRestMs), failures: 1 })
  }

  /** Its post is written, or somebody wants it tried at once. */
  done(agencyId: string, slot: string): void {
    this.#met.add(slot)
    this.#agencies.delete(agencyId)
    this.#slots.delete(slot)
  }

  #grow(rests: Map<string, Rest>, key: string, askedMs: number | null, firstMs: number, longestMs: number): void {
    const failures = (rests.get(key)?.failures ?? 0) + 1
    const restMs = askedMs ?? Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestMs)
    rests.set(key, { until: later(this.clock.now(), restMs), failures })
  }
}
