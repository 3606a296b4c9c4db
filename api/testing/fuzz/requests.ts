/** One request after the other, each from its seed and number alone, and from what is known by then. */
import { bodyFor, type Bodied } from './bodies.ts'
import type { Operation, Parameter } from './document.ts'
import { valueFor, type Chances } from './generate.ts'
import { kindOfPath, type Known } from './known.ts'
import { oddPathParts, oddQueries, oddTexts } from './odd.ts'
import type { Random } from './random.ts'

export interface Request extends Bodied {
  readonly operation: Operation
  readonly method: string
  /** With its query, as it goes over the wire. */
  readonly url: string
}

/** `plain` is meant to be accepted; the others are more and more wrong. */
const manners = [
  { spoiled: 0, oddness: 0 },
  { spoiled: 0, oddness: 0 },
  { spoiled: 0.06, oddness: 0 },
  { spoiled: 0.25, oddness: 0.1 },
  { spoiled: 0.02, oddness: 0.5 },
] as const

export function requestFor(operation: Operation, random: Random, known: Known, plainly: boolean): Request {
  const { spoiled, oddness } = plainly ? manners[0] : random.pick(manners)
  const ahead: Chances = { random, known, spoiled, near: '' }
  const { parameters } = operation
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === 'path' && each.name === name)
    return parameter ? pathPart(parameter, operation, ahead, oddness) : ''
  })
  const chances = { ...ahead, near: /[0-9a-f-]{36}/.exec(path)?.[0] ?? '' }
  const query = queryFor(
    parameters.filter((each) => each.in === 'query'),
    chances,
    oddness,
  )
  const { headers, bytes } = bodyFor(operation, chances, oddness)
  const method = operation.method === 'GET' && random.chance(oddness / 20) ? 'HEAD' : operation.method
  return {
    operation,
    method,
    url: path + query,
    headers: { ...headers, ...headersFor(operation, random, oddness) },
    bytes,
  }
}

function pathPart({ name, schema }: Parameter, { path }: Operation, chances: Chances, oddness: number): string {
  const { random } = chances
  if (random.chance(oddness / 3)) return random.pick(oddPathParts)
  if (random.chance(oddness / 5)) return encoded(random.pick(oddTexts))
  const meant =
    name === 'token' ? 'auditor' : name !== 'id' ? name : path.includes('{choice}') ? 'chooser' : kindOfPath(path)
  const act = /\{id\}\/([a-z]+)$/.exec(path)?.[1]
  const able = act !== undefined && random.chance(0.6) ? chances.known.able(act, random) : null
  const text = able ?? encoded(asText(valueFor(schema, meant, { ...chances, spoiled: chances.spoiled / 2 })))
  return random.chance(oddness / 10) ? text.toUpperCase() : text
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

function queryFor(parameters: readonly Parameter[], chances: Chances, oddness: number): string {
  const { random, spoiled } = chances
  const parts: string[] = []
  for (const { name, required, schema } of parameters) {
    if (required ? random.chance(spoiled) : random.chance(0.5)) continue
    const part = `${name}=${encoded(asText(valueFor(schema, name, chances)))}`
    parts.push(part)
    if (random.chance(oddness / 5)) parts.push(part)
  }
  if (random.chance(oddness / 2)) parts.push(random.pick(oddQueries))
  return parts.length === 0 ? '' : `?${(oddness > 0 ? random.shuffled(parts) : parts).join('&')}`
}

const accepts = [
  '*/*',
  'application/json',
  'application/problem+json',
  'text/event-stream',
  'text/event-stream, application/json;q=0.5',
  'image/png',
  'text/plain;q=0',
  ';;;',
  '',
  'a/b;q=zz, */*;q=0.0001',
]
const prefers = ['application/problem+json', 'handling=lenient', 'return=minimal', 'respond-async, wait=10', '=', '"']
const matches = ['"0"', '"1"', '"3"', 'W/"2"', '*', '""', '"99999999999999999999"', 'x', '"1", "2"', '"-1"']
const keys = [
  'k-1',
  'k-2',
  'k-3',
  '',
  '   ',
  'x'.repeat(200),
  'x'.repeat(201),
  '__proto__',
  '\u00ff\u00fe',
  '../..',
  '"',
]
const lastIds = ['0', '00000000000000000001', '9'.repeat(40), '9'.repeat(41), 'x', '-1', '0-0', '1e9', '']
const sites = ['same-origin', 'none', 'cross-site', 'same-site', '']

/** @returns those that the document names, and sometimes others that every server meets */
function headersFor({ parameters }: Operation, random: Random, oddness: number): Record<string, string> {
  const headers: Record<string, string> = {}
  const named = (name: string) => parameters.some((each) => each.in === 'header' && each.name === name)
  const put = (name: string, chance: number, values: readonly string[]) => {
    if (random.chance(chance)) headers[name] = random.pick(values)
  }
  put(
    'Idempotency-Key',
    named('Idempotency-Key') ? 0.1 + oddness : oddness / 10,
    oddness === 0 ? [`key-${random.int(0, 400)}`] : keys,
  )
  put('If-Match', named('If-Match') ? 0.1 + oddness : oddness / 10, oddness === 0 ? ['*', '"1"', '"2"'] : matches)
  put('Last-Event-ID', named('Last-Event-ID') ? 0.5 : oddness / 10, lastIds)
  put('Accept', 0.1 + oddness, oddness === 0 ? accepts.slice(0, 5) : accepts)
  put('Prefer', 0.05 + oddness / 4, prefers)
  put('Sec-Fetch-Site', oddness / 5, sites)
  put('Origin', oddness / 8, ['null', 'https://evil.example', 'http://', 'x'])
  put('X-Request-Id', oddness / 5, ['x'.repeat(64), 'x'.repeat(65), '<b>', '\u00ff'])
  put('X-Forwarded-For', oddness / 10, ['1.2.3.4', 'x, y, z', "'"])
  put('If-None-Match', oddness / 10, ['*', '"x"'])
  put('Range', oddness / 10, ['bytes=0-1', 'bytes=-1'])
  put('Accept-Encoding', oddness / 10, ['gzip', 'x;q=', 'identity;q=0, *;q=0'])
  put('Accept-Language', oddness / 10, ['x'.repeat(500)])
  return headers
}
