/** @module-tag long */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { attackOf, verdictOf, worstTextsFor } from './expressions/attacks.ts'
import { exportedFrom, expressionsIn, mayRepeat, productionFiles, type Found } from './expressions/found.ts'
import { overForeignText, overOwnText } from './expressions/listed.ts'

const foreign: readonly string[] = Object.values(overForeignText).flat()
const own = Object.keys(overOwnText)
const isUnbounded = ({ expression }: Found) => expression === null || mayRepeat(expression.source)

describe('a module with an unbounded regular expression', () => {
  it('is listed by the source of the text that it matches', () => {
    const unlisted = productionFiles
      .filter((file) => !foreign.includes(file) && !own.includes(file))
      .flatMap((file) => expressionsIn(file).filter(isUnbounded))
    expect(
      unlisted.map(({ file, line, expression }) => `${file}:${line} ${expression?.source ?? 'RegExp(…)'}`),
    ).toEqual([])
  })

  it('is listed once, and exists', () => {
    const listed = [...foreign, ...own]
    expect(
      listed.filter(
        (file, at) =>
          listed.indexOf(file) !== at || !productionFiles.includes(file) || !expressionsIn(file).some(isUnbounded),
      ),
    ).toEqual([])
  })

  it('exports each expression that it composes from parts, so that tests can check it', async () => {
    for (const file of foreign) {
      const found = expressionsIn(file)
      const made = found.filter(({ expression }) => expression === null).length
      if (made === 0) continue
      const literals = found.flatMap(({ expression }) =>
        expression ? [`/${expression.source}/${expression.flags}`] : [],
      )
      const exported = (await exportedFrom(file)).filter((expression) => !literals.includes(String(expression)))
      expect({ file, exported: exported.length }).toEqual({ file, exported: made })
    }
  })

  it('belongs to a group with a test', () => {
    for (const group of Object.keys(overForeignText))
      expect([group, existsSync(fileURLToPath(new URL(`expressions/${group}.test.ts`, import.meta.url)))]).toEqual([
        group,
        true,
      ])
  })
})

describe('the search for unbounded expressions', () => {
  it.each([
    ['a*', true],
    ['^a+$', true],
    ['a{2,}', true],
    ['a{65}', true],
    ['a{2,64}', false],
    ['[*+]', false],
    ['\\*\\+\\{2,\\}', false],
    ['a?b|c', false],
  ])('reports whether %s is unbounded: %s', (source, isOne) => {
    expect(mayRepeat(source)).toBe(isOne)
  })

  it('finds literals, RegExp() calls and new RegExp()', () => {
    const text =
      "const a = /x+/g; const b = new RegExp(`y${a}`); const c = RegExp('z'); const d = <b title={/w*/u.source} />; // /no+/\n"
    expect(expressionsIn('some.tsx', text).map(({ expression }) => expression?.source ?? null)).toEqual([
      'x+',
      null,
      null,
      'w*',
    ])
  })

  it('gets an attack text from recheck for quadratic and slower expressions', async () => {
    for (const slow of [/\s+$/, /(?<![.,])(?:\d+,)+x/, /^(?:a+)+$/]) {
      const verdict = await verdictOf(slow)
      const [attack = ''] = attackOf(verdict)
      expect([String(slow), verdict.status]).toEqual([String(slow), 'vulnerable'])
      expect(attack.length).toBeGreaterThan(90_000)
    }
    expect(worstTextsFor(/#[\p{L}_]+;/u).map((text) => text.slice(0, 2))).toEqual(
      expect.arrayContaining(['##', '__', ';;']),
    )
  })
})
