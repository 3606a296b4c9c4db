/** The agency's wall clock: bounds of its weeks and months, and wall-clock times as instants. */
import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../../domain/core/event.ts'

export interface Span {
  readonly from: Instant
  /** Exclusive. */
  readonly to: Instant
}

const instantOf = (time: Temporal.ZonedDateTime): Instant => new Date(time.epochMilliseconds).toISOString()

export const zonedNow = (now: Instant, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.from(now).toZonedDateTimeISO(zone)

/** The month `2025-01` in a zone. */
export function monthSpan(month: string, zone: string): Span {
  const first = Temporal.PlainDate.from(`${month}-01`)
  return { from: instantOf(first.toZonedDateTime(zone)), to: instantOf(first.add({ months: 1 }).toZonedDateTime(zone)) }
}

/** The beginning of a day in a zone. */
export const dayStart = (day: string, zone: string): Instant =>
  instantOf(Temporal.PlainDate.from(day).toZonedDateTime(zone))

/** The week of an instant, Sunday to Saturday. */
export function weekSpan(now: Instant, zone: string): Span {
  const today = zonedNow(now, zone).toPlainDate()
  const sunday = today.subtract({ days: today.dayOfWeek % 7 })
  return { from: instantOf(sunday.toZonedDateTime(zone)), to: instantOf(sunday.add({ days: 7 }).toZonedDateTime(zone)) }
}

/**
 * A wall-clock time as an instant. Inside a spring gap: the first instant after it; in an autumn overlap: the first of
 * the two.
 */
export function wallClock(date: Temporal.PlainDate, time: string, zone: string): Instant {
  const wanted = date.toPlainDateTime(Temporal.PlainTime.from(time))
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'compatible' })
  if (found.toPlainDateTime().equals(wanted)) return instantOf(found)
  // Strictly before its argument: the gap's own first time leads exactly to its end.
  const afterGap = found.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')
  return instantOf(afterGap ?? found)
}

/** The next day at 09:00. */
export const nextMorning = (now: Instant, zone: string): Instant =>
  wallClock(zonedNow(now, zone).toPlainDate().add({ days: 1 }), '09:00', zone)
