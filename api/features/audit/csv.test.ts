import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

/** Splits a line as a spreadsheet with this separator would: quotation marks count only at the start of a cell. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = []
  let rest = line.replace(/\r\n$/, '')
  while (rest !== '') {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest)
    const text = quoted ? (quoted[1] ?? '').replaceAll('""', '"') : (rest.split(separator, 1)[0] ?? '')
    cells.push(text)
    rest = rest.slice((quoted?.[0] ?? text).length + 1)
  }
  return cells
}

describe('a line of a CSV export', () => {
  const formulas = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    'a;=1+1;b',
    ';=1',
    'a;;@b',
    'a\t=1',
    'a\n=1',
    'a\r\n-1',
    '{"content":"a;=1+1;b"}',
    '{"content":"=1"}',
    '\t=1',
    'x;\t+1',
    '=1;=2;=3',
  ]

  it.each([',', ';', '\t'])('has no cell that starts a formula where %j separates columns [S58]', (separator) => {
    for (const text of formulas) {
      for (const cell of cellsOf(csvLine(['first', text, 'last']), separator).flatMap((each) => each.split(/[\r\n]/))) {
        expect({ text, cell }).toEqual({ text, cell: expect.not.stringMatching(/^[=+\-@]/) })
      }
    }
  })

  it('has an apostrophe before formulas and nowhere else', () => {
    expect(csvLine(['=a-b', 'a;=1+1;b', '2026-01-01T10:00:00Z', 'a - b = c', 'x@y.z'])).toBe(
      `'=a-b,a;'=1+1;b,2026-01-01T10:00:00Z,a - b = c,x@y.z\r\n`,
    )
  })

  it('quotes fields as RFC 4180 requires', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 'plain'])).toBe('"a,b","say ""hi""","two\nlines",plain\r\n')
  })
})
