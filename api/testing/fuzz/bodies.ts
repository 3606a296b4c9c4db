/** Bodies as bytes: JSON and what is almost JSON, files and what is almost a file. */
import { deflateSync, gzipSync } from 'node:zlib'
import { gif, jpeg, png, webp } from '../../features/media/test/helpers.ts'
import type { Operation } from './document.ts'
import { valueFor, type Chances } from './generate.ts'
import { oddTexts } from './odd.ts'
import type { Random } from './random.ts'

export interface Bodied {
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | null
}

const nothing: Bodied = { headers: {}, bytes: null }

export function bodyFor({ method, requestBody }: Operation, chances: Chances, oddness: number): Bodied {
  const { random } = chances
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined)
    return random.chance(oddness / 4)
      ? oddly(Buffer.from('{"a":1}'), 'application/json', random, method === 'GET' ? 1 : oddness)
      : nothing
  if (random.chance(oddness / 20)) return nothing
  if (type === 'text/csv') return oddly(csv(chances, oddness), type, random, oddness)
  if (type.startsWith('image/')) return image(random, oddness)
  const text = JSON.stringify(valueFor(content?.schema ?? {}, '', chances)) ?? 'null'
  const bytes = random.chance(oddness) ? almostJson(text, random) : Buffer.from(text)
  return oddly(bytes, 'application/json', random, oddness)
}

const types = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json; charset=x-odd',
  'application/merge-patch+json',
  'application/JSON ; Charset=UTF-8',
  'text/csv; charset=utf-8',
  'image/svg+xml',
  'image/png',
  '*/*',
  ';',
  '',
]
const encodings = ['gzip', 'deflate', 'br', 'x-odd', 'gzip, gzip', 'identity']

/** The type and the encoding are what they say, or not. */
function oddly(bytes: Buffer, type: string, random: Random, oddness: number): Bodied {
  const headers: Record<string, string> = { 'Content-Type': random.chance(oddness / 6) ? random.pick(types) : type }
  if (random.chance(oddness / 30)) delete headers['Content-Type']
  if (!random.chance(oddness / 10)) return { headers, bytes }
  const encoding = random.pick(encodings)
  const packed = random.chance(0.5)
    ? bytes
    : encoding === 'gzip'
      ? gzipSync(bytes)
      : encoding === 'deflate'
        ? deflateSync(bytes)
        : bytes
  return { headers: { ...headers, 'Content-Encoding': encoding }, bytes: packed }
}

const mangled: readonly ((text: string, random: Random) => string | Buffer)[] = [
  (text, random) => text.slice(0, random.int(0, text.length)),
  (text) => `\ufeff${text}`,
  (text) => `${text}${text}`,
  (text) => `${text},`,
  (text) => `${text}\u0000`,
  (text) => text.replace('{', '{"__proto__":{"polluted":true,"status":"approved"},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{"polluted":true}},'),
  (text) => text.replace(/\{("[^"]*"):/, (all, key: string) => `{${key}:null,${key}:{"$gt":""},${all.slice(1)}`),
  (text) => text.replace(/\{(.*)\}$/s, (_, inside: string) => `{${inside}${inside === '' ? '' : ','}${inside}}`),
  (text) => text.replaceAll(/:(\d+|true|false|null|"[^"]*")/g, ':1e999'),
  (text) => text.replaceAll(/:(\d+)/g, ':-0.0000000000000000000001e-999'),
  (text) => text.replaceAll(/"([^"]{1,40})"/g, '"$1\\u0000"'),
  (text) => text.replaceAll(/:"([^"]{0,40})"/g, ':"$1\\ud800"'),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll(':', ': /* why */ '),
  (text) => `[${text}]`,
  (text) => JSON.stringify(text),
  (text) => Buffer.from(text, 'utf16le'),
  (text) =>
    Buffer.concat([
      Buffer.from(text.slice(0, -2)),
      Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
      Buffer.from(text.slice(-2)),
    ]),
  () => 'null',
  () => '0',
  () => '""',
  () => '',
  () => 'NaN',
  () => 'undefined',
  () => '{"$where":"sleep(1000)"}',
  () => `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  () => `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  () => `{"${'k'.repeat(100_000)}":1}`,
  () => `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":${index}`).join(',')}}`,
  () => `{"name":${'9'.repeat(10_000)}}`,
]

const almostJson = (text: string, random: Random): Buffer => Buffer.from(random.pick(mangled)(text, random) as string)

const columns = ['content', 'platform', 'account', 'date', 'time', 'image'] as const

function csv({ random, known }: Chances, oddness: number): Buffer {
  const separator = random.chance(oddness) ? random.pick([';', '\t', '|', '"']) : ','
  const cell = (column: (typeof columns)[number]): string => {
    if (random.chance(oddness / 2)) return random.pick(oddTexts)
    const at = new Date(known.now() + random.int(-5, 40) * 86_400_000).toISOString()
    const plain = {
      content: `Row ${random.int(0, 500)}`,
      platform: random.pick(['facebook', 'X', 'Instagram', 'linkedin', 'myspace']),
      account: '',
      date: at.slice(0, 10),
      time: random.pick(['09:30', '9:30 pm', '', '25:00']),
      image: '',
    }
    return plain[column]
  }
  const quoted = (text: string) => (random.chance(oddness / 10) ? text : `"${text.replaceAll('"', '""')}"`)
  const rows = random.chance(0.02) ? random.pick([0, 999, 1_001]) : random.int(1, 6)
  const header = random.chance(oddness / 4) ? random.pick(oddTexts) : columns.join(separator)
  const lines = [
    header,
    ...Array.from({ length: rows }, () => columns.map((column) => quoted(cell(column))).join(separator)),
  ]
  const text =
    (random.chance(oddness / 5) ? `sep=${random.pick([',', ';', '"', '\\', 'a'])}\r\n` : '') +
    lines.join(random.pick(['\n', '\r\n', '\r']))
  return random.chance(oddness / 5)
    ? random.pick([
        Buffer.from(`\ufeff${text}`, 'utf16le'),
        Buffer.from(text, 'latin1'),
        Buffer.from(`${text}"`),
        Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text)]),
      ])
    : Buffer.from(text)
}

function image(random: Random, oddness: number): Bodied {
  const [kind, bytes] = random.pick([
    ['image/png', png(random.int(1, 40), random.int(1, 40), random.int(0, 255))],
    ['image/jpeg', jpeg(random.int(1, 5_000), random.int(1, 5_000), random.int(0, 9))],
    ['image/gif', gif(random.int(0, 65_535), random.int(0, 65_535))],
    ['image/webp', webp(random.pick(['VP8 ', 'VP8L', 'VP8X'] as const), random.int(1, 16_000), random.int(1, 16_000))],
  ] as const)
  if (!random.chance(oddness)) return { headers: { 'Content-Type': kind }, bytes }
  const broken = Buffer.from(bytes)
  for (let left = random.int(1, 12); left > 0; left--) broken[random.int(0, broken.length - 1)] = random.int(0, 255)
  const others = [
    broken,
    broken.subarray(0, random.int(0, broken.length)),
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.alloc(0),
    Buffer.alloc(3_000, 0xff),
    Buffer.concat([broken, Buffer.alloc(200_000)]),
  ]
  return oddly(random.pick(others), kind, random, oddness)
}
