/** Every statement of e2e/spec.md and e2e/product.md names a test by its id, and the test exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { allIds, faultOf, statementsOf, type Statement } from './test-ids.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [document = ''] = readFileSync(`${root}e2e/spec.md`, 'utf8').split('## Deviations')

/** `landing` is `e2e/screens/landing.test.ts`. */
const withPath = (statement: Statement): Statement => ({
  ...statement,
  file:
    statement.file === null || statement.file.includes('/') ? statement.file : `e2e/screens/${statement.file}.test.ts`,
})
const faults = (text: string) =>
  statementsOf(text)
    .map(withPath)
    .flatMap((statement) => {
      const fault = faultOf(statement, root)
      return fault === null ? [] : [`${statement.text}: ${fault}`]
    })

describe('the checklist', () => {
  const statements = statementsOf(document).map(withPath)

  it('has a test for every statement', () => {
    expect(statements.length).toBeGreaterThan(250)
    expect(faults(document)).toEqual([])
  })

  it('has an id for each statement, and knows each id in a title', () => {
    const ids = statements.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(allIds(root).filter((id) => !/^[SP]/.test(id) && !ids.includes(id))).toEqual([])
  })

  it('has every section of the specification', () => {
    const sections = new Set(statements.map(({ id }) => id.split('.')[0]))
    expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('has a statement for every file of screens', () => {
    const used = new Set(statements.map(({ file }) => file))
    const files = readdirSync(`${root}e2e/screens`).filter((name) => name.endsWith('.test.ts'))
    expect(files.filter((name) => !used.has(`e2e/screens/${name}`))).toEqual([])
  })

  it.each([
    ['- It floats', 'It floats: has no id'],
    ['- **9.999** It floats', 'It floats: names no test'],
    ['- **9.999** It floats → boat', 'It floats: e2e/screens/boat.test.ts does not exist'],
    ['- **9.999** It floats → landing', 'It floats: e2e/screens/landing.test.ts has no test [9.999]'],
  ])('reports %j', (line, fault) => {
    expect(faults(line)).toEqual([fault])
  })
})

describe('the list of what goes beyond the specification', () => {
  const product = readFileSync(`${root}e2e/product.md`, 'utf8')

  it('has a test for every statement, and an id for each', () => {
    expect(faults(product)).toEqual([])
    const ids = statementsOf(product).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(allIds(root).filter((id) => id.startsWith('P') && !ids.includes(id))).toEqual([])
  })
})
