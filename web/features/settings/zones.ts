/** Time zones, found by city, country, the zone's own name and offset, all from the browser's data. */

/**
 * Browsers list zones by the names that their data began with, and say no other. These are the present ones (IANA's
 * file `backward`); the browser checks each pair.
 */
const presentNames = [
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
] as const

export interface Zone {
  readonly id: string
  /** By its present name. */
  readonly name: string
  /** Countries, and the zone in words; empty until they are read. */
  readonly about: string
  /** `GMT+5:45` on the day shown; empty until it is read. */
  readonly offset: string
  readonly minutes: number | null
  /** Folded, for a search. */
  readonly words: string
}

const resolved = (id: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: id }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}

const spaced = (id: string) => id.replaceAll('_', ' ')
const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The zone's present name. */
export function zoneName(id: string): string {
  const pair = presentNames.find((names) => names.some((name) => name === id))
  return spaced(pair && resolved(pair[0]) === resolved(pair[1]) ? pair[1] : id)
}

/** Every zone that the browser knows, and the chosen one, by name. */
export function zonesWith(chosen: string): readonly Zone[] {
  const same = resolved(chosen)
  const listed = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((id) => id !== 'UTC')]
  const ids = listed.includes(chosen) ? listed : [...listed.filter((id) => resolved(id) !== same), chosen]
  const zones = ids.map((id) => {
    const name = zoneName(id)
    const names = presentNames.find((pair) => pair.some((each) => spaced(each) === name)) ?? [id]
    return { id, name, about: '', offset: '', minutes: null, words: folded(`${name} ${names.map(spaced).join(' ')}`) }
  })
  return zones.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Work in one go; then other tasks of the page run. */
const sliceMs = 8
const pause = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Adds offsets, countries and the zones' own names, which takes the browser half a second in all. */
export async function described(
  zones: readonly Zone[],
  at: Date,
  signal: AbortSignal,
): Promise<readonly Zone[] | null> {
  const countries = new Map<string, string[]>()
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  let since = performance.now()
  const rest = async () => {
    if (performance.now() - since < sliceMs) return
    await pause()
    since = performance.now()
  }
  for (const code of codes) {
    const country = regions.of(code)
    for (const id of country === undefined ? [] : zonesOf(code))
      countries.set(id, [...(countries.get(id) ?? []), country ?? ''])
    await rest()
    if (signal.aborted) return null
  }
  const known: Zone[] = []
  for (const zone of zones) {
    const named = (style: 'longGeneric' | 'longOffset') =>
      new Intl.DateTimeFormat('en-US', { timeZone: zone.id, timeZoneName: style })
        .formatToParts(at)
        .find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const minutes = minutesOf(named('longOffset'))
    const about = [...(countries.get(zone.id) ?? countries.get(resolved(zone.id)) ?? []), named('longGeneric')]
    known.push({
      ...zone,
      about: about.join(', '),
      offset: offsetName(minutes),
      minutes,
      words: `${zone.words} ${folded(about.join(' '))}`,
    })
    await rest()
    if (signal.aborted) return null
  }
  return known
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codes = letters.flatMap((first) => letters.map((second) => first + second))

/** A method in new browsers, a property in older ones, and absent in some. */
function zonesOf(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`)
  const read: unknown = Reflect.get(locale, 'getTimeZones')
  const found: unknown = typeof read === 'function' ? Reflect.apply(read, locale, []) : Reflect.get(locale, 'timeZones')
  return Array.isArray(found) ? found.filter((id) => typeof id === 'string') : []
}

/** Of `GMT+05:45`, `UTC+1` or `-3`; null: no offset. */
export function minutesOf(text: string): number | null {
  const found = /^(?:gmt|utc)? ?(?:([+\-−])(\d{1,2})(?::?(\d\d))?)?$/i.exec(text.trim())
  if (!found || text.trim() === '') return null
  const [, sign, hours = '0', minutes = '0'] = found
  return (sign === undefined || sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes))
}

/** `GMT+5:45` */
function offsetName(minutes: number | null): string {
  if (minutes === null) return ''
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const clock = rest === 0 ? String(hours) : `${hours}:${String(rest).padStart(2, '0')}`
  return minutes === 0 ? 'GMT' : `GMT${minutes < 0 ? '−' : '+'}${clock}`
}

/** 0: the words have it as a whole word; 1: at a word's beginning; 2: inside a word; null: not at all. */
function rankOf(typed: string, words: string): number | null {
  const at = words.indexOf(typed)
  if (at < 0) return null
  const spaced = ` ${words.replaceAll(/[/,]/g, ' ')} `
  return spaced.includes(` ${typed} `) ? 0 : spaced.includes(` ${typed}`) ? 1 : 2
}

/** Those at an offset, or with every typed word in a name, a country or the zone's own words; whole words first. */
export function zonesFor(text: string, zones: readonly Zone[]): readonly Zone[] {
  const minutes = minutesOf(text)
  if (minutes !== null) return zones.filter((zone) => zone.minutes === minutes)
  const typed = folded(text).replaceAll(/[/_]/g, ' ').split(' ').filter(Boolean)
  if (typed.length === 0) return zones
  const found = zones.flatMap((zone) => {
    const ranks = typed.map((word) => rankOf(word, zone.words))
    return ranks.includes(null) ? [] : [{ zone, rank: Math.max(0, ...ranks.map(Number)) }]
  })
  return found.sort((a, b) => a.rank - b.rank).map(({ zone }) => zone)
}
