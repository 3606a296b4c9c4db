import type { PostingSchedule } from '../../../domain/client/schedule-state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { later, type Clock } from '../../core/clock.ts'
import { slotsWithin, type Slot } from '../../features/schedules/slots.ts'

const pageMs = 24 * 3_600_000
const maxPages = 20_000

interface Page {
  readonly key: string
  readonly slots: readonly Slot[]
  /** The slots are complete only after `from` and up to `until`. */
  readonly from: Instant
  readonly until: Instant
}

/**
 * Caches the coming slots, computed about once a day: finding clock changes is too slow to repeat every few seconds.
 */
export class SlotBook {
  readonly #pages = new Map<string, Page>()
  constructor(
    private readonly clock: Clock,
    private readonly aheadMs: number,
  ) {}

  of(scheduleId: string, schedule: PostingSchedule, zone: string): readonly Slot[] {
    const now = this.clock.now()
    const end = later(now, this.aheadMs)
    return this.#page(scheduleId, schedule, zone, now).slots.filter(({ at }) => at > now && at <= end)
  }

  /**
   * Whether the schedule's rules no longer contain a slot; false for one before or after the days that are known. A
   * clock that ran ahead, and was corrected, leaves posts beyond those days: each is judged when its day is near.
   */
  isGone(scheduleId: string, schedule: PostingSchedule, zone: string, slot: Instant): boolean {
    const { from, until, slots } = this.#page(scheduleId, schedule, zone, this.clock.now())
    return slot > from && slot <= until && !slots.some(({ at }) => at === slot)
  }

  /** When the next slot comes into reach, or the slots must be computed anew. */
  nextLook(scheduleId: string, schedule: PostingSchedule, zone: string): Instant {
    const now = this.clock.now()
    const end = later(now, this.aheadMs)
    const { slots, until } = this.#page(scheduleId, schedule, zone, now)
    // A page that ends here is written anew a moment later.
    return later(slots.find(({ at }) => at > end)?.at ?? later(until, 1), -this.aheadMs)
  }

  #page(scheduleId: string, schedule: PostingSchedule, zone: string, now: Instant): Page {
    const key = `${schedule.revision} ${zone}`
    const kept = this.#pages.get(scheduleId)
    const isEnough = kept?.key === key && kept.from <= now && kept.until >= later(now, this.aheadMs)
    return isEnough ? kept : this.#write(scheduleId, schedule, zone, key, now)
  }

  #write(scheduleId: string, schedule: PostingSchedule, zone: string, key: string, now: Instant): Page {
    const until = later(now, this.aheadMs + pageMs)
    const page = { key, from: now, until, slots: slotsWithin(schedule, now, until, zone) }
    if (this.#pages.size >= maxPages) this.#pages.clear()
    this.#pages.set(scheduleId, page)
    return page
  }
}
