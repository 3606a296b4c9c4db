/** The days of a view of the calendar: the first posts of each day, and how many more there are. */
import { Temporal } from 'temporal-polyfill'
import type { Instant } from '../../../domain/core/event.ts'
import { yieldToEventLoop } from '../../../domain/event-store/yield-to-event-loop.ts'
import type { CalendarView } from '../../../projections/calendar/view.ts'
import { excerptOf } from '../../../projections/core/excerpt.ts'
import type { ViewReader } from '../../../projections/core/views.ts'
import type { Where } from '../../../projections/read-store/port.ts'
import type { CalendarDays, CalendarSpan, CalendarTile } from '../../contract/index.ts'
import { seenBy } from './lists.ts'
import type { PostReader } from './reader.ts'
import { dayStart, zonedNow } from '../../core/time-zone.ts'

/** A tile of the month shows three posts, or a fourth where it is the last; a row of a list shows one. */
export const maxPerDay: Readonly<Record<CalendarSpan, number>> = { month: 4, list: 20, week: 30, day: 200 }

/** A view with at most so many posts is one query. */
const maxAtOnce = 100
/** Days read before yielding to the event loop. */
const daysPerTurn = 7
const maxExcerpt = 100

const planned = ['approved', 'scheduled', 'published'] as const
const open = ['draft', 'pending'] as const

/** A day's key, and its instants: `from` is included, `to` is not. */
interface Day {
  readonly day: string
  readonly from: Instant
  readonly to: Instant
}

interface Wanted {
  readonly month?: string | undefined
  readonly day?: string | undefined
}

/** The days that a view shows, by default those around now. Months and lists are whole weeks, from Sunday. */
export function viewDays(span: CalendarSpan, { month, day }: Wanted, now: Instant, zone: string): readonly Day[] {
  const today = zonedNow(now, zone).toPlainDate()
  switch (span) {
    case 'month':
    case 'list': {
      const first = month === undefined ? today.with({ day: 1 }) : Temporal.PlainDate.from(`${month}-01`)
      const last = first.with({ day: first.daysInMonth })
      return daysBetween(sundayOf(first), sundayOf(last).add({ days: 6 }), zone)
    }
    case 'week': {
      const sunday = sundayOf(day === undefined ? today : Temporal.PlainDate.from(day))
      return daysBetween(sunday, sunday.add({ days: 6 }), zone)
    }
    case 'day': {
      const only = day === undefined ? today : Temporal.PlainDate.from(day)
      return daysBetween(only, only, zone)
    }
  }
}

const sundayOf = (date: Temporal.PlainDate) => date.subtract({ days: date.dayOfWeek % 7 })

/** Computing 42 days in a zone takes milliseconds, and most requests are of the same few months. */
const known = new Map<string, readonly Day[]>()
const maxKnown = 500

function daysBetween(first: Temporal.PlainDate, last: Temporal.PlainDate, zone: string): readonly Day[] {
  const key = `${first.toString()} ${last.toString()} ${zone}`
  const found = known.get(key)
  if (found) return found
  const starts: { readonly day: string; readonly from: Instant }[] = []
  for (let date = first; Temporal.PlainDate.compare(date, last) <= 0; date = date.add({ days: 1 }))
    starts.push({ day: date.toString(), from: dayStart(date.toString(), zone) })
  const end = dayStart(last.add({ days: 1 }).toString(), zone)
  const days = starts.map(({ day, from }, index) => ({ day, from, to: starts[index + 1]?.from ?? end }))
  if (known.size >= maxKnown) known.clear()
  known.set(key, days)
  return days
}

interface Asked {
  /** The clients whose posts are shown. */
  readonly of: Where
  readonly withDrafts: boolean
  readonly maxPerDay: number
}

/** @param isThere false for a removed client, whose posts are not shown */
export async function tilesOf(
  view: Pick<ViewReader<CalendarView>, 'page' | 'count'>,
  { of, withDrafts, maxPerDay }: Asked,
  days: readonly Day[],
  isThere: (clientId: string) => boolean,
  reader: PostReader,
): Promise<CalendarDays> {
  const within = (from: Instant, to: Instant): Where => ({
    ...of,
    status: { in: withDrafts ? [...planned, ...open] : [...planned] },
    scheduledFor: { gte: from, lt: to },
  })
  const first = (where: Where, limit: number) =>
    view.page({ where, sort: { field: 'scheduledFor', order: 'asc' }, limit })
  const [from, to] = [days[0], days.at(-1)]
  if (!from || !to) throw new RangeError('A view has at least one day')
  const posts: CalendarTile[] = []
  const more: { day: string; count: number }[] = []
  const add = async (found: readonly CalendarView[]) => {
    for (const post of found) if (isThere(post.clientId)) posts.push(...(await tileOf(post, reader)))
  }
  const all = await first(within(from.from, to.to), maxAtOnce)
  let index = 0
  for (const { day, from, to } of days) {
    if (all.next === null) {
      const ofDay = all.items.filter(
        ({ scheduledFor }) => scheduledFor !== null && scheduledFor >= from && scheduledFor < to,
      )
      await add(ofDay.slice(0, maxPerDay))
      if (ofDay.length > maxPerDay) more.push({ day, count: ofDay.length - maxPerDay })
      continue
    }
    const { items, next } = await first(within(from, to), maxPerDay)
    await add(items)
    if (next !== null) more.push({ day, count: (await view.count(within(from, to))) - items.length })
    if (++index % daysPerTurn === 0) await yieldToEventLoop()
  }
  return { from: from.day, to: to.day, posts, more }
}

async function tileOf(post: CalendarView, reader: PostReader): Promise<readonly CalendarTile[]> {
  const { id, clientId, platform, status, delivery, heldBecause, scheduledFor, excerpt, truncated } = post
  if (scheduledFor === null) return []
  const short = excerptOf(excerpt, maxExcerpt)
  return [
    {
      id,
      clientId,
      platform,
      status,
      delivery,
      heldBecause,
      scheduledFor,
      excerpt: short.excerpt,
      truncated: truncated || short.truncated,
      assignedTo: post.assignedTo,
      ...(await seenBy(reader, post)),
    },
  ]
}
