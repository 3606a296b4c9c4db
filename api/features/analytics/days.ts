/** Periods of days in the agency's time zone, and the stored sums that they are made of. */
import { Temporal } from 'temporal-polyfill'
import { gainedSums, noSums, plus } from '../../../projections/metrics/sums.ts'
import type { Period, Sample, Sums } from '../../../projections/metrics/view.ts'
import { dayStart, type Span } from '../../core/time-zone.ts'
import { maxAnalyticsDays } from '../../contract/analytics.ts'
import { Problem } from '../../http/problem.ts'

/** The first and the last day, both included. */
export interface Days {
  readonly from: string
  readonly to: string
}

const refuse = (sentence: string) => new Problem(400, 'invalid', sentence)

/** @throws Problem 400 for days in the wrong order, or too many */
export function checkedDays({ from, to }: Days): Days {
  const length = daysIn({ from, to })
  if (length < 1) throw refuse('To: Choose a day that is not before the first')
  if (length > maxAnalyticsDays) throw refuse(`To: Choose at most ${maxAnalyticsDays} days`)
  return { from, to }
}

/** Undefined without a period. @throws Problem 400 for half a period, days in the wrong order, or too many */
export function daysOf({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }) {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined || to === undefined)
    throw refuse(`${from === undefined ? 'From' : 'To'}: Choose the first and the last day`)
  return checkedDays({ from, to })
}

export const spanOf = ({ from, to }: Days, zone: string): Span => ({
  from: dayStart(from, zone),
  to: dayStart(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), zone),
})

/** As many days, directly before. */
export function previousDays(days: Days): Days {
  const first = Temporal.PlainDate.from(days.from)
  return {
    from: first.subtract({ days: daysIn(days) }).toString(),
    to: first.subtract({ days: 1 }).toString(),
  }
}

const daysIn = ({ from, to }: Days) =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days + 1

/** UTC months, from the first that a span touches. */
export function monthsIn({ from, to }: Span): readonly string[] {
  const first = Temporal.PlainYearMonth.from(from.slice(0, 7))
  const last = Temporal.PlainYearMonth.from(new Date(Date.parse(to) - 1).toISOString().slice(0, 7))
  const count = first.until(last, { largestUnit: 'months' }).months + 1
  return Array.from({ length: count }, (_, months) => first.add({ months }).toString())
}

/** The stored periods that contain a span: its months, and the quarter hours of the UTC days that it covers in part. */
export const periodsIn = (span: Span): readonly string[] => [...monthsIn(span), ...edgesOf(span)]

const midnight = 'T00:00:00.000Z'
const edgesOf = ({ from, to }: Span): readonly string[] => [
  ...new Set([from, to].filter((at) => !at.endsWith(midnight)).map((at) => at.slice(0, 10))),
]

/** What a stored period adds to a span. Each reading is in one month and in one day: an edge is taken from the day. */
export function sumsWithin({ period, parts }: Pick<Period, 'period' | 'parts'>, span: Span): Sums {
  const isMonth = period.length === 7
  const edges = edgesOf(span)
  if (!isMonth && !edges.includes(period)) return noSums
  const isInside = (part: string) => {
    const at = isMonth ? `${period}-${part}${midnight}` : `${period}T${part}:00.000Z`
    return at >= span.from && at < span.to && !(isMonth && edges.includes(`${period}-${part}`))
  }
  return Object.entries(parts)
    .filter(([part]) => isInside(part))
    .reduce((sums, [, part]) => plus(sums, part), noSums)
}

const sampleDays = 30

/** Sample metrics count as gained evenly over the 30 days before they were added. */
export function sampleWithin({ at, sums }: Pick<Sample, 'at' | 'sums'>, span: Span): Sums {
  const end = Date.parse(at)
  const length = sampleDays * 86_400_000
  const share = (instant: string) => Math.min(1, Math.max(0, (Date.parse(instant) - (end - length)) / length))
  return gainedSums(sums, share(span.from), share(span.to))
}
