/** Every statement of the checklist names a test, and every named test exists. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

interface Statement {
  readonly section: string
  readonly text: string
  /** The text after the arrow. */
  readonly test: string | undefined
}

function statementsOf(checklist: string): readonly Statement[] {
  let section = ''
  const found: Statement[] = []
  for (const line of checklist.split('\n')) {
    section = /^## (.+)/.exec(line)?.[1] ?? section
    if (!line.startsWith('- ')) continue
    const [text = '', test] = line.slice(2).split(' → ')
    found.push({ section, text, test: test?.trim() || undefined })
  }
  return found
}

/** `landing: the footer says 2024`, or a path in place of the short name. */
function placeOf(test: string): { readonly file: string; readonly title: string } {
  const [, name = '', title = ''] = /^([^\s:]+): (.+)$/.exec(test) ?? []
  return { file: name.includes('/') ? name : `e2e/screens/${name}.test.ts`, title }
}

/** The titles as they stand in a test file: what follows `it(`, or the rows of an `it.each`. */
function titlesOf(source: string): ReadonlySet<string> {
  const titles = source.matchAll(/(?:\bit\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/g)
  return new Set([...titles].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1')))
}

function faultOf({ test }: Statement): string | null {
  if (test === undefined) return 'names no test'
  const { file, title } = placeOf(test)
  if (!existsSync(`${root}${file}`)) return `${file} is not there`
  const source = read(file)
  if (!titlesOf(source).has(title)) return `${file} has no test "${title}"`
  return /\.(?:skip|only|todo)\(/.test(source) ? `${file} leaves tests out` : null
}

const faults = (statements: readonly Statement[]) =>
  statements.flatMap((statement) => {
    const fault = faultOf(statement)
    return fault === null ? [] : [`${statement.text}: ${fault}`]
  })

describe('the checklist', () => {
  const statements = statementsOf(read('e2e/spec.md'))

  it('has a test for every statement', () => {
    expect(faults(statements)).toEqual([])
  })

  it('has every section of the specification', () => {
    const sections = new Set(statements.map(({ section }) => section.split('.')[0]))
    expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9'])
  })

  it('uses every test file of e2e/screens', () => {
    const used = new Set(statements.map(({ test }) => placeOf(test ?? '').file))
    const files = readdirSync(`${root}e2e/screens`).filter((name) => name.endsWith('.test.ts'))
    expect(files.filter((name) => !used.has(`e2e/screens/${name}`))).toEqual([])
  })

  it.each([
    ['- It floats', 'It floats: names no test'],
    ['- It floats → ', 'It floats: names no test'],
    ['- It floats → boat: it floats', 'It floats: e2e/screens/boat.test.ts is not there'],
    ['- It floats → landing: it floats', 'It floats: e2e/screens/landing.test.ts has no test "it floats"'],
    ['- It floats → web/ui/Boat.test.tsx: it floats', 'It floats: web/ui/Boat.test.tsx is not there'],
    [
      '- It floats → web/ui/ToastRegion.test.tsx: it floats',
      'It floats: web/ui/ToastRegion.test.tsx has no test "it floats"',
    ],
  ])('fails with %j', (line, fault) => {
    expect(faults(statementsOf(line))).toEqual([fault])
  })
})
