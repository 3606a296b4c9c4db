import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxWordLength, maxWordsOfText, searchable, wordsOf } from './words.ts'

describe('The words of a text', () => {
  it.each([
    ['Fresh coffee, FRESH rolls', ['fresh', 'coffee', 'rolls']],
    ['Straße STRASSE strasse', ['strasse']],
    ['É e\u0301 ÅNGSTRÖM', ['e', 'angstrom']],
    ['Łódź Øresund œuvre Þór', ['lodz', 'oresund', 'oeuvre', 'thor']],
    ['ΣΊΣΥΦΟΣ Σίσυφος', ['σισυφοσ']],
    ["don't stop-me@now.example #Summer_2030", ['don', 't', 'stop', 'me', 'now', 'example', 'summer', '2030']],
    ['हिन्दी 茶 ☕ 🎉', ['हिन्दी', '茶']],
    ['ﬁne ① İstanbul ısı', ['fine', '1', 'istanbul', 'isi']],
    ['\ud800lone', ['lone']],
    ['STRAẞE straße', ['strasse']],
    ['', []],
  ])('%j are folded and listed once', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('are bounded in number and length', () => {
    expect(wordsOf(Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(' '))).toHaveLength(maxWordsOfText)
    expect(wordsOf('𝐱𝟘🀄漢'.repeat(30_000)).every((word) => [...word].length <= maxWordLength)).toBe(true)
  })

  it('are the words of their own list', { tags: 'long' }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const words = wordsOf(text)
        expect(searchable(words.join(' '))).toBe(words.join(' '))
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u)
      }),
      { numRuns: 2_000 },
    )
  })
})
