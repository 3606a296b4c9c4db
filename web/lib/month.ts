/** Months and days as plain calendar keys: `2025-01` and `2025-01-05`. */
const utc = (key: string) => new Date(`${key}T00:00:00Z`)
const keyOf = (date: Date) => date.toISOString().slice(0, 10)

export const monthOf = (day: string) => day.slice(0, 7)
/** Of the years that an agency plans in: dates far away from them are a slip in an address. */
export const isMonth = (text: unknown): text is string =>
  typeof text === 'string' && /^(20\d\d|2100)-(0[1-9]|1[0-2])$/.test(text)

export function shiftMonth(month: string, by: number): string {
  const date = utc(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + by)
  return monthOf(keyOf(date))
}

export function shiftDay(day: string, by: number): string {
  const date = utc(day)
  date.setUTCDate(date.getUTCDate() + by)
  return keyOf(date)
}

/** Whole weeks that cover the month, each starting on Sunday. */
export function weeksOf(month: string): string[][] {
  const first = utc(`${month}-01`)
  let day = shiftDay(keyOf(first), -first.getUTCDay())
  const weeks: string[][] = []
  do {
    weeks.push(Array.from({ length: 7 }, (_, index) => shiftDay(day, index)))
    day = shiftDay(day, 7)
  } while (monthOf(day) === month)
  return weeks
}

/** The Sunday on or before a day. */
export const sundayOf = (day: string): string => shiftDay(day, -utc(day).getUTCDay())

export const weekFrom = (sunday: string): string[] => Array.from({ length: 7 }, (_, index) => shiftDay(sunday, index))

/** A day of the years that `isMonth` takes. */
export const isDay = (text: unknown): text is string =>
  typeof text === 'string' &&
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  isMonth(monthOf(text)) &&
  !Number.isNaN(utc(text).getTime()) &&
  keyOf(utc(text)) === text
