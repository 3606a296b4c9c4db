/** Values that no client sends by accident. */
import type { Random } from './random.ts'

export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  'NUL\u0000inside',
  '\u0000',
  'lone \ud800 high',
  'lone \udc00 low',
  '\ud83d',
  '\u202eright to left\u202c',
  '\u200f\u200e\u2066\u2069',
  '\ufeffmark first',
  '\u200b\u200d\u2060\ufeff',
  '\u00ad\u3164\u2800\ufe0f\u{e0041}',
  '\ufffe\uffff',
  '\u2028\u2029',
  '👩‍👩‍👧‍👦'.repeat(20),
  '𝕏'.repeat(60),
  'e\u0301'.repeat(60),
  'Z\u0351\u036b\u0343a\u0321\u034al\u0321go',
  '\u001b[31mred\u001b[0m',
  '__proto__',
  'constructor',
  'toString',
  '$gt',
  '$where: 1',
  "' OR '1'='1",
  "'; DROP TABLE events; --",
  '"}],"x":[{"',
  '../../../../etc/passwd',
  '..\\..\\windows',
  '%00%0d%0aSet-Cookie: a=b',
  '${7*7}{{7*7}}#{7*7}',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  'http://[::1',
  'http://127.0.0.1:1/x.png',
  'http://169.254.169.254/latest/meta-data',
  'https://user:pass@images.invalid/x.png',
  'https://images.invalid/x.png',
  'file:///etc/passwd',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e999',
  '9'.repeat(400),
  'true',
  '[]',
  '{}',
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999999999Z',
  '2026-02-29T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '{0195a000-0000-7000-8000-00000000dead}',
  'urn:uuid:0195a000-0000-7000-8000-00000000dead',
  'a'.repeat(5_000),
  '0000-01',
  '9999-12',
  'Etc/GMT+12',
  '+23:59',
  'utc',
]

export const oddNumbers: readonly number[] = [
  0,
  -0,
  -1,
  0.5,
  1e-7,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1.7976931348623157e308,
  5e-324,
]

/** Values that a careless store or a careless merge would take for more than data. */
export const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { $gt: '' },
  { $ne: null },
  { $where: 'sleep(1000)' },
  { $regex: '.*' },
  { constructor: { prototype: { polluted: true } } },
  { toString: 1, valueOf: 2, hasOwnProperty: 3 },
  { length: 3, 0: 'a' },
  { toJSON: 'x' },
  ['a', { $gt: 1 }],
]

export const nested = (depth: number): unknown => {
  let value: unknown = 'deep'
  for (let left = depth; left > 0; left--) value = left % 2 === 0 ? [value] : { a: value }
  return value
}

export const oddValue = (random: Random): unknown =>
  random.chance(0.5)
    ? random.pick(oddTexts)
    : random.chance(0.3)
      ? random.pick(oddNumbers)
      : random.chance(0.1)
        ? nested(random.int(5, 500))
        : random.pick(oddValues)

/** Parts of a path as they go over the wire. */
export const oddPathParts: readonly string[] = [
  '%00',
  '%zz',
  '%',
  '%ff%fe',
  '%ed%a0%80',
  '..',
  '.',
  '..%2f..%2fetc',
  '%2e%2e',
  '%20',
  '*',
  "'",
  '%22',
  '%7b%7d',
  '__proto__',
  'constructor',
  '$gt',
  '-1',
  '0',
  '1e9',
  'null',
  'undefined',
  'x'.repeat(300),
  encodeURIComponent('‮👩‍🚀'),
  ';a=b',
  ':id',
  '(',
  '[]',
  '%5c',
  '+',
]

/** Appended to a query as they are. */
export const oddQueries: readonly string[] = [
  'a=1',
  'asOf[$gt]=',
  'month[]=2026-01',
  '__proto__[polluted]=1',
  '__proto__=1',
  'constructor=1',
  '%zz=%zz',
  '=',
  '&&&',
  'x=%00',
  'x=%ed%a0%80',
  `x=${'y'.repeat(3_000)}`,
  Array.from({ length: 500 }, (_, index) => `p${index}=1`).join('&'),
  '?',
  '%',
  'toString=1',
]
