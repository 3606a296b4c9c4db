/** Ids in test titles: `… [S12]`, `… [2.14]`, `… [P8.1]`. SECURITY.md, e2e/spec.md and e2e/product.md name them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The title behind `it(`, `test(` or `describe(`, or behind the rows of an `it.each`, when it ends in ids. */
const titleWithIds =
  /(?:\b(?:it|test|describe)\(|\)\()\s*(['"`])(?:\\.|(?!\1)[^\\])*? \[((?:[SP]?\d[\d.]*(?:, )?)+)\]\1\s*,/g

/** Comments that begin a line: a test in one does not run. */
const comments = /^\s*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm

/** The ids in the titles of a test file. */
export const idsIn = (source: string): ReadonlySet<string> =>
  new Set([...source.replaceAll(comments, '').matchAll(titleWithIds)].flatMap(([, , ids = '']) => ids.split(', ')))

/** Tests that never run, or keep others from running. `skipIf` on a condition stays: some servers are not there. */
const leftOut =
  /\b(?:it|test|describe)(?:\.\w+)*\.(?:(?:only|todo|fails|fixme)(?:\.\w+)*\(|skip(?:\.\w+)*\(\s*(?:['"`[)]|true\b)|skipIf\(\s*true\b|runIf\(\s*false\b)/

/** Whether tests of a file are left out. */
export const leavesOut = (source: string): boolean => leftOut.test(source.replaceAll(comments, ''))

export interface Statement {
  readonly id: string
  readonly text: string
  /** The test's file, or null when none is named. */
  readonly file: string | null
}

/** The lines `- **id** text → file` of a document. */
export const statementsOf = (document: string): readonly Statement[] =>
  document
    .split('\n')
    .filter((line) => line.startsWith('- '))
    .map((line) => {
      const [, id = '', text = '', file = null] = /^- (?:\*\*([^*]+)\*\* )?(.*?)(?: → (\S*))?$/.exec(line) ?? []
      return { id, text, file: file || null }
    })

/** What is wrong with a statement's test; null when it exists. @param root ends in a slash */
export function faultOf({ id, file }: Statement, root: string): string | null {
  if (id === '') return 'has no id'
  if (file === null) return 'names no test'
  if (!existsSync(root + file)) return `${file} does not exist`
  const source = readFileSync(root + file, 'utf8')
  if (!idsIn(source).has(id)) return `${file} has no test [${id}]`
  return leavesOut(source) ? `${file} leaves tests out` : null
}

/** The ids in all test titles of the repository. */
export function allIds(root: string): readonly string[] {
  const files = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return files
    .split('\n')
    .filter((file) => file !== '' && existsSync(root + file))
    .flatMap((file) => [...idsIn(readFileSync(root + file, 'utf8'))])
}
