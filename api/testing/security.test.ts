/** Every control in SECURITY.md names a test, and the test exists. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = readFileSync(`${root}SECURITY.md`, 'utf8')
const [, threats = ''] = document.split('## Who might want it')
const controls = (threats.split('## What stays open')[0] ?? '').split('\n').filter((line) => line.startsWith('- '))

/** The titles after `it(` or after the rows of an `it.each`. */
const titlesOf = (source: string) =>
  [...source.matchAll(/(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g)].map(([, , title = '']) =>
    title.replaceAll(/\\(.)/g, '$1'),
  )

function faultOf(control: string): string | null {
  const [, file = '', title = ''] = / → ([^\s:]+): (.+)$/.exec(control) ?? []
  if (file === '') return 'names no test'
  if (!existsSync(root + file)) return `${file} is not there`
  // A title may end with a figure of the run.
  return titlesOf(readFileSync(root + file, 'utf8')).some((each) => each.startsWith(title))
    ? null
    : `${file} has no test "${title}"`
}

it.each(controls)('%s', (control) => {
  expect(faultOf(control)).toBeNull()
})

it('A control without a test, or with one that is not there, would be noticed', () => {
  expect([
    faultOf('- Something'),
    faultOf('- Something → api/nothing.test.ts: works'),
    faultOf('- Something → api/testing/security.test.ts: is not there'),
    faultOf(
      '- Something → api/testing/security.test.ts: A control without a test, or with one that is not there, would be noticed',
    ),
  ]).toEqual([
    'names no test',
    'api/nothing.test.ts is not there',
    'api/testing/security.test.ts has no test "is not there"',
    null,
  ])
  expect(controls.length).toBeGreaterThan(40)
})
