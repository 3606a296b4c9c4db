/** Values for a schema: what it asks for, and as often as told what lies at its bounds or beyond. */
import * as fc from 'fast-check'
import { isFreeText, withChoice, type Schema } from './document.ts'
import type { Known } from './known.ts'
import { oddNumbers, oddTexts, oddValue } from './odd.ts'
import type { Random } from './random.ts'

export interface Chances {
  readonly random: Random
  readonly known: Known
  /** What the request's path names. */
  readonly near: string
  /** How often a part is spoiled: 0 for what must be accepted. */
  readonly spoiled: number
}

const longestText = 70_000

/** @param name of the field, which says what a bare string means */
export function valueFor(schema: Schema, name: string, chances: Chances): unknown {
  const { random, spoiled } = chances
  if (random.chance(spoiled)) return oddValue(random)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && schema.properties) return objectFor(withChoice(schema, random.pick(choices)), name, chances)
  if (choices) return valueFor(random.pick(choices), name, chances)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  switch (schema.type) {
    case 'object':
      return objectFor(schema, name, chances)
    case 'array':
      return listFor(schema, name, chances)
    case 'integer':
    case 'number':
      return numberFor(schema, chances)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    case 'string':
      return textFor(schema, name, chances)
    default:
      return oddValue(random)
  }
}

function objectFor(
  { properties = {}, required = [], additionalProperties, propertyNames }: Schema,
  name: string,
  chances: Chances,
): object {
  const { random, spoiled } = chances
  const made: [string, unknown][] = []
  for (const [key, schema] of Object.entries(properties)) {
    const isNeeded = required.includes(key)
    if (isNeeded ? random.chance(spoiled) : random.chance(0.45)) continue
    made.push([key, valueFor(schema, key, chances)])
  }
  if (propertyNames && typeof additionalProperties === 'object') {
    for (let left = random.int(0, 3); left > 0; left--)
      made.push([
        JSON.stringify(valueFor(propertyNames, name, chances)).replaceAll('"', ''),
        valueFor(additionalProperties, name, chances),
      ])
  }
  if (random.chance(spoiled)) made.push([random.pick(oddTexts), oddValue(random)])
  return Object.fromEntries(random.chance(spoiled) ? random.shuffled(made) : made)
}

function listFor({ items = {}, minItems = 0, maxItems = 5 }: Schema, name: string, chances: Chances): unknown[] {
  const { random, spoiled } = chances
  const length = random.chance(spoiled)
    ? random.pick([0, minItems - 1, maxItems, maxItems + 1])
    : random.chance(0.03)
      ? maxItems
      : random.int(minItems, Math.min(maxItems, minItems + 4))
  return Array.from({ length: Math.max(0, Math.min(length, 1_001)) }, () => valueFor(items, name, chances))
}

function numberFor({ minimum = -1_000, maximum = 1_000 }: Schema, { random, spoiled }: Chances): number {
  if (random.chance(spoiled)) return random.pick([minimum - 1, maximum + 1, minimum + 0.5, ...oddNumbers])
  return random.chance(0.2) ? random.pick([minimum, maximum]) : random.int(minimum, maximum)
}

function textFor(schema: Schema, name: string, chances: Chances): string {
  const { random, spoiled } = chances
  const { minLength = 0, maxLength = 200 } = schema
  if (random.chance(spoiled))
    return random.chance(0.5)
      ? random.pick(oddTexts)
      : sized(random.pick([0, minLength - 1, maxLength, maxLength + 1]), random)
  const meant = meantBy(schema, name, chances)
  if (meant !== null) return meant
  // At its bound now and then, and a text that is a little odd is still a text.
  if (random.chance(0.08)) return sized(maxLength, random)
  const odd = random.chance(0.15) ? random.pick(oddTexts) : ''
  return odd.length >= minLength && odd.length <= maxLength && odd.trim() !== ''
    ? odd
    : sized(random.int(Math.max(1, minLength), Math.min(maxLength, 60)), random)
}

const letters = [...'abcdefghijklmnop qrstuvwxyzäöüßéñ中文\u{1F680}.,!?#@']

function sized(length: number, random: Random): string {
  const most = Math.max(0, Math.min(length, longestText))
  if (most > 500) return 'x'.repeat(most)
  let text = 'A'
  while (text.length < most) text += random.pick(letters)
  return text.slice(0, most).toWellFormed().replaceAll('\ufffd', 'z')
}

const hour = 3_600_000

/** A bare string whose name or form tells what is wanted; null when neither does. */
function meantBy(schema: Schema, name: string, { random, known, near }: Chances): string | null {
  const { format, pattern } = schema
  if (/^(choice|remoteId|chooser|cursor|token|hash)$/.test(name)) return known.named(name, random)
  if (format === 'uuid') return known.id(name, random, near)
  if (format === 'date-time') return instant(random, known.now())
  if (/email/i.test(name)) return random.chance(0.5) ? known.email : `fuzz-${random.int(0, 2 ** 31)}@example.com`
  if (/password/i.test(name)) return random.chance(0.7) ? known.password : sized(random.int(8, 30), random)
  if (/zone/i.test(name))
    return random.pick([
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'America/St_Johns',
      'Pacific/Apia',
      'Africa/Casablanca',
    ])
  if (/url$|^live$/i.test(name))
    return random.pick(['https://images.invalid/a.png', 'http://127.0.0.1:9/b.jpg', known.imageUrl])
  if (name === 'auditor') return known.token(random)
  if (pattern?.startsWith('^20[2-9]') && random.chance(0.9)) return instantNear(random, known.now()).slice(0, 10)
  return pattern === undefined || isFreeText(schema) ? null : random.pick(matching(pattern))
}

function instant(random: Random, now: number): string {
  if (random.chance(0.03))
    return random.pick([
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '1970-01-01T00:00:00+14:00',
      '9999-12-31T23:59:59-23:59',
      '0000-01-01T00:00:00+23:59',
    ])
  const at = instantNear(random, now)
  return random.chance(0.2) ? at.replace('Z', random.pick(['+05:45', '-12:00', '+14:00'])) : at
}

const instantNear = (random: Random, now: number) => new Date(now + random.int(-48 * hour, 480 * hour)).toISOString()

const samples = new Map<string, readonly string[]>()

function matching(pattern: string): readonly string[] {
  const known = samples.get(pattern)
  if (known) return known
  const made = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 60, seed: 1 })
  samples.set(pattern, made)
  return made
}
