/** The rules of CONTRIBUTING.md on comments, as far as a test can count them. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const maxColumns = 120
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs']).toString().trim().split('\n')
const isGenerated = (path: string) => path.endsWith('routeTree.gen.ts')

const comments = files
  .filter((path) => !isGenerated(path))
  .flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => (/^\s*(\/\*\*|\*|\/\/)/.test(line) ? [{ at: `${path}:${index + 1}`, line }] : [])),
  )

it('No comment line has more than 120 characters, unless an address makes it so', () => {
  const long = comments.filter(({ line }) => line.length > maxColumns && !/https?:\/\/\S+$/.test(line))
  expect(long.map(({ at }) => at)).toEqual([])
})

it('Less than 1 % of the comment lines have a subject such as whoever or nobody', () => {
  const vague = comments.filter(({ line }) => /\b(whoever|nobody|somebody|everybody|whatever)\b/i.test(line))
  expect(vague.length / comments.length, vague.map(({ at }) => at).join('\n')).toBeLessThan(0.01)
})
