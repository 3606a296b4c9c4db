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
  /** Folded, for a search: of its names and countries. */
  readonly words: readonly string[]
  /** Codes of its countries and its own abbreviations: found as a whole. */
  readonly codes: readonly string[]
  /** Of the zone in words, which several countries share. */
  readonly longWords: readonly string[]
}

/** Zones that people mean by a country or an abbreviation with several: those of the largest cities. */
const mainZones: readonly string[] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Toronto',
  'America/Halifax',
  'America/Mexico_City',
  'America/Sao_Paulo',
  'America/Buenos_Aires',
  'America/Argentina/Buenos_Aires',
  'America/Santiago',
  'Asia/Calcutta',
  'Asia/Jakarta',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Australia/Sydney',
  'Europe/Berlin',
  'Europe/Kiev',
  'Europe/Kyiv',
  'Europe/Lisbon',
  'Europe/London',
  'Europe/Madrid',
  'Europe/Moscow',
  'Europe/Paris',
  'Pacific/Auckland',
]

/** In use beside the codes of two letters, which the browser knows. */
const otherCodes: Readonly<Record<string, string>> = { US: 'usa', AE: 'uae' }

const resolved = (id: string): string => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: id }).resolvedOptions().timeZone
  } catch {
    return ''
  }
}

const spaced = (id: string) => id.replaceAll('_', ' ')
const folded = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsIn = (text: string) =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

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
    const words = wordsIn(`${name} ${names.map(spaced).join(' ')}`)
    return { id, name, about: '', offset: '', minutes: null, words, codes: [], longWords: [] }
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
  // A country of several codes, present and past, is named once.
  const countries = new Map<string, { readonly names: Set<string>; readonly codes: Set<string> }>()
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  let since = performance.now()
  const rest = async () => {
    if (performance.now() - since < sliceMs) return
    await pause()
    since = performance.now()
  }
  for (const code of codes) {
    const country = regions.of(code)
    for (const id of country === undefined ? [] : zonesOf(code)) {
      const { names, codes } = countries.get(id) ?? { names: new Set(), codes: new Set() }
      names.add(country ?? '')
      codes.add(code.toLowerCase()).add(otherCodes[code] ?? code.toLowerCase())
      countries.set(id, { names, codes })
    }
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
    const { names = [], codes = [] } = countries.get(zone.id) ?? countries.get(resolved(zone.id)) ?? {}
    const long = named('longGeneric')
    known.push({
      ...zone,
      about: [...new Set([...names, long])].join(', '),
      offset: offsetName(minutes),
      minutes,
      words: [...zone.words, ...wordsIn([...names].join(' '))],
      codes: [...codes, ...abbreviationsOf(zone.id, at)],
      longWords: wordsIn(long),
    })
    await rest()
    if (signal.aborted) return null
  }
  return known
}

/** English of these parts of the world says `CET`, `AEST` or `IST` where that of America says an offset. */
const spokenIn: Readonly<Record<string, string>> = {
  Africa: 'en-ZA',
  Asia: 'en-IN',
  Australia: 'en-AU',
  Europe: 'en-GB',
}

/** `est` and `edt`: half a year apart, of both halves of a year. */
function abbreviationsOf(id: string, at: Date): readonly string[] {
  const named = new Intl.DateTimeFormat(spokenIn[id.split('/')[0] ?? ''] ?? 'en-US', {
    timeZone: id,
    timeZoneName: 'short',
  })
  return [at, new Date(at.getTime() + halfYearMs)].flatMap((day) => {
    const name = named.formatToParts(day).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return name === '' || minutesOf(name) !== null ? [] : [name.toLowerCase()]
  })
}
const halfYearMs = 182 * 86_400_000

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

/** The lower, the better: as a whole before a beginning, what is the zone's own before what several share. */
function rankOf(typed: string, { words, codes, longWords }: Zone): number | null {
  if (words.includes(typed) || codes.includes(typed)) return 0
  if (longWords.includes(typed)) return 1
  if (words.some((word) => word.startsWith(typed))) return 2
  return longWords.some((word) => word.startsWith(typed)) ? 3 : null
}

/** Of the main zones in their order, then of the others. */
const placeOf = ({ id }: Zone) => (mainZones.includes(id) ? mainZones.indexOf(id) : mainZones.length)

/** Those at an offset, or where every typed word begins a word of a name, a country or the zone's own words. */
export function zonesFor(text: string, zones: readonly Zone[]): readonly Zone[] {
  const minutes = minutesOf(text)
  if (minutes !== null) return zones.filter((zone) => zone.minutes === minutes)
  const typed = wordsIn(text)
  if (typed.length === 0) return zones
  const found = zones.flatMap((zone) => {
    const ranks = typed.map((word) => rankOf(word, zone))
    return ranks.includes(null) ? [] : [{ zone, rank: Math.max(0, ...ranks.map(Number)) }]
  })
  // `EST` means a zone, not the beginning of `Estonia`; two letters may become any name.
  const [word = ''] = typed
  const isCode = typed.length === 1 && word.length > 2 && found.some(({ zone: { codes } }) => codes.includes(word))
  return found
    .filter(({ rank }) => !isCode || rank === 0)
    .sort((a, b) => a.rank - b.rank || placeOf(a.zone) - placeOf(b.zone))
    .map(({ zone }) => zone)
}
