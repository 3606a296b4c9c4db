/** Where this server's answers lost something that an earlier build's had. */
import { ApiClient } from '../../http/client.ts'
import { read } from './answers.ts'
import type { Earlier, Person } from './fixture.ts'

export interface Moving {
  /** Posts that the server's processes go on with: only their histories are compared. */
  readonly ids: ReadonlySet<string>
  /** Fields that count them. */
  readonly fields: ReadonlySet<string>
}

export const nothingMoves: Moving = { ids: new Set(), fields: new Set() }

/**
 * By path: fields that CHANGELOG.md calls changed or removed, and sentences, which are for people. A calendar's posts
 * have an excerpt where they had the text.
 */
const changed = [
  [/\/delivery$/, 'sentence'],
  [/\/calendar\?/, 'content'],
] as const

/** CHANGELOG.md: histories name an account without a name by what its address has before the @. */
const isShorterName = (place: string, before: unknown, after: unknown) =>
  place.endsWith('.actor.name') && typeof before === 'string' && before.replace(/@[^@]+$/, '') === after

/** One line each: fields may be added, histories and the list of checkpoints may grow, a post may accept more acts. */
export function lossesOf(before: unknown, after: unknown, moving: Moving, place: string): string[] {
  const moves = (value: unknown) => value instanceof Object && 'id' in value && moving.ids.has(String(value.id))
  if (Array.isArray(before) && Array.isArray(after)) {
    const earlier = before.filter((one) => !moves(one)) as readonly unknown[]
    const later = after.filter((one) => !moves(one)) as readonly unknown[]
    if (earlier.every((one) => typeof one === 'string'))
      return earlier.filter((one) => !later.includes(one)).map((one) => `${place}: ${one} is missing`)
    const [growsAtEnd, growsAtStart] = [place.endsWith('/history'), place.endsWith('/checkpoints')]
    const fits = growsAtEnd || growsAtStart ? later.length >= earlier.length : later.length === earlier.length
    if (!fits) return [`${place}: ${earlier.length} before, ${later.length} after`]
    const from = growsAtStart ? later.length - earlier.length : 0
    return earlier.flatMap((one, index) => lossesOf(one, later[from + index], moving, `${place}[${index}]`))
  }
  if (before instanceof Object && after instanceof Object)
    return Object.entries(before)
      .filter(([name]) => !moving.fields.has(name))
      .filter(
        ([name]) => !changed.some(([path, field]) => field === name && path.test(place.replace(/\[\d+\].*$/, ''))),
      )
      .flatMap(([name, value]) => lossesOf(value, Reflect.get(after, name), moving, `${place}.${name}`))
  return before === after || isShorterName(place, before, after)
    ? []
    : [`${place}: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`]
}

/** Everything that the earlier build answered to a person, asked again. */
export async function losses(url: string, earlier: Earlier, person: Person, moving: Moving): Promise<string[]> {
  const client = new ApiClient(url)
  client.cookie = earlier.story.cookies[person]
  const found: string[] = []
  for (const [path, before] of Object.entries(earlier.answers[person])) {
    const [, id = '', rest = ''] = /^\/api\/posts\/([^/]+)(.*)$/.exec(path) ?? []
    if (moving.ids.has(id) && rest !== '/history') continue
    const after = await read(client, path).catch(String)
    found.push(...lossesOf(before, after, moving, path))
  }
  return found
}
