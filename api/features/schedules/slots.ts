/** Computes a schedule's slots as instants, in the agency's time zone. */
import { Temporal } from 'temporal-polyfill'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { weekOf } from '../../contract/week.ts'
import { wallClock, zonedNow } from '../../core/time-zone.ts'

export interface Slot {
  readonly at: Instant
  /** The slot's number in the endless sequence of the schedule's weeks, independent of the starting point. */
  readonly ordinal: number
  /** The clocks go forward over the wanted time. */
  readonly isMoved: boolean
}

/** How far ahead slots are searched. */
const weeks = 53
const someSunday = Temporal.PlainDate.from('1970-01-04')

/**
 * The slots of a schedule after an instant, in order, each once: of several that a gap moves to one instant, the first.
 */
export function* slotsOf(rules: ScheduleRules, now: Instant, zone: string): Generator<Slot> {
  const week = weekOf(rules)
  const today = zonedNow(now, zone).toPlainDate()
  const thisWeek = Math.floor(someSunday.until(today).days / 7)
  let last = now
  for (let number = thisWeek; number <= thisWeek + weeks; number++) {
    const sunday = someSunday.add({ days: 7 * number })
    for (const [index, { day, time }] of week.entries()) {
      const date = sunday.add({ days: day })
      if (Temporal.PlainDate.compare(date, today) < 0) continue
      const at = wallClock(date, time, zone)
      if (at <= last) continue
      last = at
      yield { at, ordinal: number * week.length + index, isMoved: !zonedNow(at, zone).toPlainTime().equals(time) }
    }
  }
}

/** The slots after an instant, up to and including another. */
export function slotsWithin(rules: ScheduleRules, from: Instant, to: Instant, zone: string): Slot[] {
  const found: Slot[] = []
  for (const slot of slotsOf(rules, from, zone)) {
    if (slot.at > to) break
    found.push(slot)
  }
  return found
}

/** A slot's topic: the topics in turn, or something new in the brand's voice. */
export function topicOf({ contentTopics }: ScheduleRules, { ordinal }: Slot): string {
  return contentTopics[ordinal % contentTopics.length] ?? 'regenerate'
}
