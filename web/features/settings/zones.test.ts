import { beforeAll, expect, it } from 'vitest'
import { described, minutesOf, zoneName, zonesFor, zonesWith, type Zone } from './zones.ts'

const winter = new Date('2030-01-15T12:00:00Z')
const summer = new Date('2030-07-15T12:00:00Z')
const read = (at: Date) => described(zonesWith('UTC'), at, new AbortController().signal)
let zones: readonly Zone[]
beforeAll(async () => {
  zones = (await read(winter)) ?? []
})
const found = (text: string) => zonesFor(text, zones).map(({ name }) => name)

it.each([
  ['Kathmandu', 'Asia/Kathmandu'],
  ['katmandu', 'Asia/Kathmandu'],
  ['Kolkata', 'Asia/Kolkata'],
  ['calcutta', 'Asia/Kolkata'],
  ['Kyiv', 'Europe/Kyiv'],
  ['Kiev', 'Europe/Kyiv'],
  ['asia/ho chi', 'Asia/Ho Chi Minh'],
  ['New_York', 'America/New York'],
  ['nepal', 'Asia/Kathmandu'],
  ['germany', 'Europe/Berlin'],
  ['Côte', 'Africa/Abidjan'],
  ['cote', 'Africa/Abidjan'],
  ['+5:45', 'Asia/Kathmandu'],
  ['UTC+1', 'Europe/Berlin'],
  ['GMT-3', 'America/Sao Paulo'],
  ['utc', 'UTC'],
])('%s finds %s [P15.1]', (text, name) => {
  expect(found(text)).toContain(name)
})
it('a country as a whole word comes first', () => {
  expect(found('india').slice(0, 2)).toEqual(['Asia/Kolkata', 'Asia/Colombo'])
  expect(found('india').length).toBeGreaterThan(5)
})
it("a match inside a word doesn't count", () => {
  for (const name of ['Africa/Lusaka', 'Asia/Jerusalem']) expect(found('usa')).not.toContain(name)
  expect(found('erlin')).toEqual([])
})
it.each([
  ['USA', 'America/New York'],
  ['US', 'America/New York'],
  ['UK', 'Europe/London'],
  ['EST', 'America/New York'],
  ['PDT', 'America/Los Angeles'],
  ['CET', 'Europe/Berlin'],
  ['IST', 'Asia/Kolkata'],
])('%s is a code, and %s comes first', (text, name) => {
  expect(found(text)[0]).toBe(name)
})
it('an abbreviation finds its zones alone', () => {
  expect(found('est')).toContain('America/Detroit')
  expect(found('est')).not.toContain('Europe/Tallinn')
  expect(found('esto')).toEqual(['Europe/Tallinn'])
  expect(found('be')).toContain('Europe/Berlin')
})
it('a country is named once', () => {
  expect(zones.find(({ name }) => name === 'Europe/Berlin')?.about).toBe('Germany, Central European Time')
})
it('an offset finds its zones alone', () => {
  expect(found('+5:45')).toEqual(['Asia/Kathmandu'])
  expect(found('UTC+1')).not.toContain('Asia/Tokyo')
})
it('offsets are of the date shown [P15.2]', { tags: 'long' }, async () => {
  const offset = (all: readonly Zone[] | null, name: string) => all?.find((zone) => zone.name === name)?.offset
  const inSummer = await read(summer)
  expect([offset(zones, 'Europe/Berlin'), offset(inSummer, 'Europe/Berlin')]).toEqual(['GMT+1', 'GMT+2'])
  expect([offset(zones, 'America/New York'), offset(inSummer, 'America/New York')]).toEqual(['GMT−5', 'GMT−4'])
  expect(offset(zones, 'Asia/Kathmandu')).toBe('GMT+5:45')
})
it('every zone is listed once, also the chosen one under either name', { tags: 'long' }, () => {
  for (const id of ['Asia/Kathmandu', 'Asia/Katmandu', 'Europe/Kyiv', 'UTC']) {
    const names = zonesWith(id).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(zonesWith(id).some((zone) => zone.id === id)).toBe(true)
  }
  expect(zoneName('Europe/Kiev')).toBe('Europe/Kyiv')
})
it.each([
  ['GMT', 0],
  ['utc+05:30', 330],
  ['−3', -180],
  ['+1030', 630],
  ['5', null],
  ['', null],
])('%s is an offset of %s minutes', (text, minutes) => {
  expect(minutesOf(text)).toBe(minutes)
})
