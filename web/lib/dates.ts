/** Instants as people of the agency read them: in its own time zone, wherever the browser is. */
const formats = new Map<string, Intl.DateTimeFormat>()

function format(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = zone + JSON.stringify(options)
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone })
  formats.set(key, made)
  return made
}

const date = { month: 'short', day: 'numeric', year: 'numeric' } as const
const time = { hour: 'numeric', minute: '2-digit' } as const

// Intl separates the time from AM and PM by a narrow no-break space; people search for the ordinary one.
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ')

/** `Jan 5, 2025` */
export const formatDate = (instant: string, zone: string) => format(zone, date).format(new Date(instant))
/** `3:00 PM` */
export const formatTime = (instant: string, zone: string) => plain(format(zone, time).format(new Date(instant)))
/** `Jan 5, 2025 at 3:00 PM` */
export const formatDateTime = (instant: string, zone: string) =>
  `${formatDate(instant, zone)} at ${formatTime(instant, zone)}`

export const formatNow = (zone: string) => formatDateTime(new Date().toISOString(), zone)

/** `Tue, Mar 4 at 9:00 AM`, with the year where it isn't this one. */
export function formatSoon(instant: string, zone: string): string {
  const sameYear = dayKey(instant, zone).slice(0, 4) === dayKey(new Date().toISOString(), zone).slice(0, 4)
  const day = format(zone, { weekday: 'short', month: 'short', day: 'numeric', ...(!sameYear && { year: 'numeric' }) })
  return `${day.format(new Date(instant))} at ${formatTime(instant, zone)}`
}

/** `Mon 9:00 AM` within the coming six days, else as `formatSoon`. */
export function formatSlot(instant: string, zone: string): string {
  const isNear = Date.parse(instant) - Date.now() < 6 * 86_400_000
  return isNear
    ? `${format(zone, { weekday: 'short' }).format(new Date(instant))} ${formatTime(instant, zone)}`
    : formatSoon(instant, zone)
}

/** `2025-01-05`: the day that an instant falls on. */
export function dayKey(instant: string, zone: string): string {
  const parts = format(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(new Date(instant))
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')}`
}

/** `15:00`: the wall clock at an instant. */
export function clockKey(instant: string, zone: string): string {
  return format(zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(instant))
}

export const todayKey = (zone: string) => dayKey(new Date().toISOString(), zone)

/** `2025-01-05T15:00`, as a date and time field holds it. */
export const fieldValue = (instant: string, zone: string) => `${dayKey(instant, zone)}T${clockKey(instant, zone)}`

/** The earliest that a date and time field may hold. */
export const nowField = (zone: string) => fieldValue(new Date().toISOString(), zone)

/** `Sunday, January 5`, of a day that has no zone. */
export const formatDay = (day: string) =>
  format('UTC', { weekday: 'long', month: 'long', day: 'numeric' }).format(new Date(`${day}T12:00:00Z`))

/** `Mar 1 – 7, 2026`, or `Mar 29 – Apr 4, 2026`: the days of a week, from the first to the last. */
export const formatWeek = (first: string, last: string) =>
  plain(format('UTC', date).formatRange(new Date(`${first}T12:00:00Z`), new Date(`${last}T12:00:00Z`))).replaceAll(
    '\u2009',
    ' ',
  )

/** `January 2025` */
export const formatMonth = (month: string) =>
  format('UTC', { month: 'long', year: 'numeric' }).format(new Date(`${month}-15T12:00:00Z`))

/**
 * `Paris, GMT+1`: a zone's short name beside a time.
 *
 * @param at an instant, or a field's date and time, whose offset is shown; empty: now
 */
export function zoneLabel(zone: string, at: string | null = null): string {
  const date = new Date(at === null || at.endsWith('Z') ? (at ?? Date.now()) : `${at}Z`)
  const offset = format(zone, { timeZoneName: 'shortOffset' })
    .formatToParts(Number.isNaN(date.getTime()) ? new Date() : date)
    .find((part) => part.type === 'timeZoneName')?.value
  const city = zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone
  return offset === undefined || offset === city ? city : `${city}, ${offset}`
}

/** The instant at which a day, `2025-01-05`, begins in a zone. */
export function startOfDay(day: string, zone: string): string {
  const wall = Date.parse(`${day}T00:00Z`)
  const offsetAt = (at: number) => Date.parse(`${fieldValue(new Date(at).toISOString(), zone)}Z`) - at
  // The first guess may lie on the other side of a change of the clock.
  const first = wall - offsetAt(wall)
  return new Date(wall - offsetAt(first)).toISOString()
}
