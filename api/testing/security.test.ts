/** Every control in SECURITY.md names a test by its id, and the test exists. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { allIds, faultOf, statementsOf } from './test-ids.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = readFileSync(`${root}SECURITY.md`, 'utf8')
const [, threats = ''] = document.split('## Threats and controls')
const controls = statementsOf(threats.split('## Residual risks')[0] ?? '')

it('Each control has a test', () => {
  expect(controls.length).toBeGreaterThan(40)
  expect(controls.filter((control) => faultOf(control, root) !== null)).toEqual([])
})

it('Each control has an id of its own, and each id in a title belongs to a control', () => {
  const ids = controls.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(allIds(root).filter((id) => id.startsWith('S') && !ids.includes(id))).toEqual([])
})

it.each([
  ['- Reads a secret', 'has no id'],
  ['- **S1** Reads a secret', 'names no test'],
  ['- **S1** Reads a secret → api/nothing.test.ts', 'api/nothing.test.ts does not exist'],
  ['- **S0** Reads a secret → api/testing/security.test.ts', 'api/testing/security.test.ts has no test [S0]'],
])('A control is reported: %s', (line, fault) => {
  expect(statementsOf(line).map((control) => faultOf(control, root))).toEqual([fault])
})
