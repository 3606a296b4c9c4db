/** Parses dates and times as spreadsheets write them. */
import { Temporal } from 'temporal-polyfill'
import { quoted } from './quoted.ts'

/** Day or month first in dates with slashes: a spreadsheet uses its country's order for the whole file. */
export type DateOrder = 'day-first' | 'month-first' | 'unclear'

const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/** One date whose day is past 12 decides the order for all of them. */
export function dateOrderOf(dates: readonly string[]): DateOrder {
  const pairs = dates.flatMap((date) => {
    const [, first, second] = slashed.exec(date.trim()) ?? []
    return first === undefined || second === undefined ? [] : [[Number(first), Number(second)] as const]
  })
  const isDayFirst = pairs.some(([first]) => first > 12)
  const isMonthFirst = pairs.some(([, second]) => second > 12)
  return isDayFirst === isMonthFirst ? 'unclear' : isDayFirst ? 'day-first' : 'month-first'
}

type Read<T> = { readonly value: T } | { readonly sentence: string }

export function readDate(text: string, order: DateOrder): Read<Temporal.PlainDate> {
  const [, year, month, day] = iso.exec(text) ?? []
  if (year !== undefined) return dateOf(year, month, day, text)
  const [, dottedDay, dottedMonth, dottedYear] = dotted.exec(text) ?? []
  if (dottedYear !== undefined) return dateOf(dottedYear, dottedMonth, dottedDay, text)
  const [, first, second, slashedYear] = slashed.exec(text) ?? []
  if (slashedYear === undefined) return { sentence: `“${quoted(text)}” is not a date. Write it like 2026-12-31.` }
  if (order === 'unclear' && first !== second) {
    return { sentence: `It isn't clear which part of ${text} is the day. Write the date like 2026-12-31.` }
  }
  return order === 'month-first' ? dateOf(slashedYear, first, second, text) : dateOf(slashedYear, second, first, text)
}

function dateOf(year = '', month = '', day = '', text: string): Read<Temporal.PlainDate> {
  try {
    const fields = { year: Number(year), month: Number(month), day: Number(day) }
    return { value: Temporal.PlainDate.from(fields, { overflow: 'reject' }) }
  } catch {
    return { sentence: `There is no day ${text}.` }
  }
}

/** `9:00`, `09:00`, `09:00:00`, `9 AM`, `9:30 pm` -> `HH:MM` */
export function readTime(text: string): Read<string> {
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?::(\d{2}))?(?::\d{2})?\s*([ap]\.?m\.?)?$/i.exec(text) ?? []
  const wrong = { sentence: `“${quoted(text)}” is not a time. Write it like 09:30.` }
  if (hours === undefined || (half === undefined && !text.includes(':'))) return wrong
  const written = Number(hours)
  if (Number(minutes) > 59 || written > 23 || (half !== undefined && (written < 1 || written > 12))) return wrong
  const isAfternoon = half?.toLowerCase().startsWith('p') === true
  const hour = half === undefined ? written : (written % 12) + (isAfternoon ? 12 : 0)
  return { value: `${String(hour).padStart(2, '0')}:${minutes}` }
}
