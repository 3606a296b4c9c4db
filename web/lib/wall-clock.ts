/** From a wall clock in a zone to the instant. Temporal is loaded only where the browser has none. */
import type { Temporal as Shim } from 'temporal-polyfill'

type TemporalApi = typeof Shim

async function temporal(): Promise<TemporalApi> {
  const native: unknown = Reflect.get(globalThis, 'Temporal')
  if (isTemporal(native)) return native
  return (await import('temporal-polyfill')).Temporal
}

const isTemporal = (value: unknown): value is TemporalApi =>
  typeof value === 'object' && value !== null && 'ZonedDateTime' in value && 'PlainDateTime' in value

/** Ready before the first drag. */
export const loadWallClock = () => void temporal().catch(() => undefined)

/**
 * A time inside a spring gap moves to the first instant after it; in an autumn overlap the first of the two is used.
 */
export async function instantAt(day: string, clock: string, zone: string): Promise<string> {
  const { PlainDateTime } = await temporal()
  const wall = PlainDateTime.from(`${day}T${clock}`)
  const zoned = wall.toZonedDateTime(zone, { disambiguation: 'compatible' })
  const inGap = !zoned.toPlainDateTime().equals(wall)
  // Strictly before what it is asked of: the gap's own first time leads exactly to its end.
  const afterGap = inGap ? zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous') : null
  return new Date((afterGap ?? zoned).epochMilliseconds).toISOString()
}

/** Of a date and time field's value, `2025-01-05T15:00`. */
export function instantOfField(value: string, zone: string): Promise<string> {
  const [day = '', clock = ''] = value.split('T')
  return instantAt(day, clock, zone)
}

/** The same time of day on another day. */
export async function sameClockOn(day: string, instant: string, zone: string): Promise<string> {
  const { Instant } = await temporal()
  const clock = Instant.from(instant).toZonedDateTimeISO(zone).toPlainTime()
  return instantAt(day, clock.toString(), zone)
}
