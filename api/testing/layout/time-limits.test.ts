/**
 * No test waits for a condition for a shorter time than the patience. Tests that also run on named servers, and their
 * helpers, have no time limits of their own at all: a slow server is no fault.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { importsOf, isTestCode } from './imports.ts'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> }
const named = ['test:mongodb', 'test:servers'].flatMap((script) =>
  (scripts[script] ?? '').split(' ').filter((word) => /^(api|projections|domain)\//.test(word)),
)
const tests = named
  .flatMap((path) =>
    statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file))
      : [path],
  )
  .filter((file) => file.endsWith('.test.ts'))

/** The tests, and the test code that they import, also through other test code. */
function withHelpers(): readonly string[] {
  const edges = ['api', 'domain', 'projections'].flatMap((folder) => importsOf('.', folder))
  const found = new Set(tests)
  for (const file of found)
    for (const { from, to } of edges) if (from === file && to.endsWith('.ts') && isTestCode(to)) found.add(to)
  return [...found]
}

/** A limit after a test's function, of a test or of a poll; a number, a sum or a variable, but not `patience`. */
const limit =
  /^\s*\}, (?!\{)(?:[\w.]+ [*+] )*[\d_]+(?: [*+] .*)?\)$|\btimeout: (?!patience\b)|AbortSignal\.timeout\((?!patience\b)|^\s*\d[\d_]*_\d{3}(?: [*+] .*)?,$|\.waitFor\(.*, \d+_\d+\)/

/** What is no wait for a condition. */
const exceptions: Readonly<Record<string, string>> = {
  'api/testing/fuzz/fuzz.test.ts': 'grows with the number of requests',
  'api/testing/model/model.test.ts': 'grows with the number of steps',
  'api/testing/fuzz/send.ts': 'an answer that takes longer is a fault',
  'domain/test/patience.ts': 'the patience itself',
}

it('Tests that run on named servers, and their helpers, wait with the patience of domain/test/patience.ts', () => {
  expect(tests.length).toBeGreaterThan(40)
  const files = withHelpers()
  expect(files).toContain('api/features/auth/test/letters.ts')
  const limited = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (limit.test(line) ? [{ file, at: `${file}:${index + 1}` }] : [])),
  )
  expect(limited.filter(({ file }) => exceptions[file] === undefined).map(({ at }) => at)).toEqual([])
  expect(Object.keys(exceptions).filter((file) => !limited.some((one) => one.file === file))).toEqual([])
})

const shortest = 20_000
/** A number as the limit of a wait, but not the whole time of a test, which grows. */
const wait = /\btimeout: ([\d_]+)(?!\w| [*+])|\.waitFor\(.*, (\d+_\d+)\)/

/** Where a longer wait would show something else. */
const shortWaits: Readonly<Record<string, string>> = {
  'projections/core/look-timing.test.ts': 'the time is mocked',
}

it('No test waits for a condition for less than the patience', () => {
  const files = ['api', 'domain', 'projections', 'web'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  const short = files
    .filter((file) => isTestCode(file) && /\.tsx?$/.test(file) && file !== 'api/testing/layout/time-limits.test.ts')
    .filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => wait.exec(line))
        .some((found) => Number((found?.[1] ?? found?.[2] ?? shortest).toString().replaceAll('_', '')) < shortest),
    )
  expect(short.toSorted()).toEqual(Object.keys(shortWaits))
})

it.each([
  '  }, 60_000)',
  '  }, 2 * 60_000)',
  'await expect.poll(seen, { timeout: 5_000 })',
  "it('ends', { timeout: longest }, async () => {",
  '    90_000,',
  '    60_000 + requests * 100,',
  'const timeout = AbortSignal.timeout(10_000)',
  'await projector.waitFor(events, 5_000)',
])('A limit is found in %j', (line) => {
  expect(line).toMatch(limit)
})

it.each(['  }, patience)', '{ ...patience, interval: 5 },', 'AbortSignal.timeout(patience.timeout)'])(
  'No limit is found in %j',
  (line) => {
    expect(line).not.toMatch(limit)
  },
)
