/** Tests that also run on named servers have no time limits of their own: a slow server is no fault. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Readonly<Record<string, string>> }
const named = ['test:mongodb', 'test:servers'].flatMap((script) =>
  (scripts[script] ?? '').split(' ').filter((word) => /^(api|projections|domain)\//.test(word)),
)
const files = named.flatMap((path) =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => join(path, file))
    : [path],
)

/** A limit after a test's function, or of a poll. */
const limit = /^\s*\}, [\d_]+\)|\btimeout: [\d_]+|^\s*\d[\d_]*_\d{3},$/

it('Tests that run on named servers wait with the patience of domain/test/patience.ts', () => {
  const tests = files.filter((file) => file.endsWith('.test.ts'))
  expect(tests.length).toBeGreaterThan(40)
  const limited = tests.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (limit.test(line) ? [`${file}:${index + 1}`] : [])),
  )
  expect(limited).toEqual([])
  for (const line of ['  }, 60_000)', 'await expect.poll(seen, { timeout: 5_000 })', '    90_000,'])
    expect(line).toMatch(limit)
})
