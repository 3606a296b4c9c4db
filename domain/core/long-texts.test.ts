/** @module-tag long */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { besideOthersMs, fastestMs } from '../test/fastest.ts'
import { linksOnX } from './links-on-x.ts'
import { normalForm } from './normal-form.ts'
import { priceOf, problemsWith } from './preflight.ts'
import { segmentsOf } from './segments.ts'
import { textLength } from './text-limits.ts'
import { platforms } from './values.ts'

/** The longest time that one text may block the event loop. */
const maxMs = besideOthersMs(50)
const longest = 65_000
/** Each of these took quadratic time in an expression, the segmenter or the normalizer, or looks as if it could. */
const pieces = [
  'a',
  'word ',
  'é',
  'éa',
  'éa.',
  'é.',
  'a.',
  'a-',
  '語',
  'я',
  '.',
  '-',
  '(',
  '(a)',
  '((a)',
  '/',
  '?',
  '!',
  '#',
  '#a',
  '@a',
  '@',
  '1',
  'a.com ',
  'a.com,',
  'a.com/(',
  'a.com?é',
  'http://',
  'http://é',
  'https://a.',
  'http://a_.',
  'xn--',
  'a.xn--',
  'a.中',
  '#１',
  '_',
  '☕',
  '👩‍👩‍👧‍👦',
  '🇩',
  '1\ufe0f\u20e3',
  '\u0301',
  '\u0301\u0316',
  '\u200d',
  '\u{e0067}',
  '\ud83d',
  '\uff9e',
  'कि',
  '\ufdfa',
  ' ',
  '\n',
] as const

describe('a text of 65,000 characters', () => {
  it.each(pieces)('of nothing but %j is counted and checked for every network within 50 ms [S56]', (piece) => {
    const content = piece.repeat(Math.floor(longest / piece.length))
    const image = { type: 'image/jpeg', size: 1, width: 1, height: 1 } as const
    for (const platform of platforms) {
      expect(fastestMs(() => textLength(platform, content), maxMs)).toBeLessThan(maxMs)
      expect(fastestMs(() => problemsWith({ platform, content, hasImage: true, image }), maxMs)).toBeLessThan(maxMs)
    }
    expect(fastestMs(() => linksOnX(content), maxMs)).toBeLessThan(maxMs)
    expect(fastestMs(() => priceOf('twitter', content), maxMs)).toBeLessThan(maxMs)
  })

  it('with marks in descending order is counted within 50 ms', () => {
    const content = `a${'\u0301'.repeat(longest / 2)}${'\u0316'.repeat(longest / 2)}`
    for (const platform of platforms) expect(fastestMs(() => textLength(platform, content), maxMs)).toBeLessThan(maxMs)
  })
})

describe('links on X', () => {
  it('are at most 4,096 characters long', () => {
    const link = (length: number) => `https://example.com/${'a'.repeat(length - 20)}`
    expect(linksOnX(`See ${link(4_096)} now`)).toEqual([{ start: 4, end: 4_100 }])
    expect(linksOnX(`See ${link(4_097)} now`)).toEqual([])
  })

  it('are found far inside a run of letters without spaces', () => {
    const before = '語'.repeat(30_000)
    expect(linksOnX(`${before}example.com${before}`)).toEqual([{ start: 30_000, end: 30_011 }])
  })

  it('begin after a host name that is no link, in the same run', () => {
    expect(linksOnX('éé.éa,éhttp://example.com')).toEqual([{ start: 7, end: 25 }])
  })
})

const odd = fc.string({
  unit: fc.constantFrom(
    'a',
    "'",
    ' ',
    'A. ',
    '. ',
    '12',
    'é',
    '\u0301',
    '\u0316',
    '\u200d',
    '👩',
    '🇩',
    '🇪',
    '\ufe0f',
    'क',
    '्',
    '한',
    'ᄀ',
    'ᅡ',
    '\r',
    '\n',
    '\ud83d',
  ),
  minLength: 200,
  maxLength: 900,
})

describe('a text processed in pieces', () => {
  it.each(['grapheme', 'word', 'sentence'] as const)('has each %s that the whole text has', (granularity) => {
    const segmenter = new Intl.Segmenter('en', { granularity })
    fc.assert(
      fc.property(odd, (text) => {
        expect([...segmentsOf(segmenter, text)]).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment))
      }),
      { numRuns: 60 },
    )
  })

  it('is normalized like the whole text', () => {
    fc.assert(
      fc.property(odd, (text) => {
        expect(normalForm('NFC', text)).toBe(text.normalize('NFC'))
      }),
      { numRuns: 60 },
    )
    expect(normalForm('NFKC', 'ﬁ'.repeat(100))).toBe('fi'.repeat(100))
  })

  it('weighs on X what its graphemes weigh, wherever emoji are', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    // X's rules in its own words: an emoji counts as two, other characters as one or two by their range.
    const isOne = (character: string) => /^[^\u1100-\u1fff\u200e\u200f\u2020-\u2031\u2038-\u{10ffff}]$/u.test(character)
    const weightOf = (grapheme: string) =>
      /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(grapheme) && !grapheme.includes('\ufe0e')
        ? 2
        : [...grapheme].reduce((sum, character) => sum + (isOne(character) ? 1 : 2), 0)
    const unit = fc.constantFrom(...'aé語я☕©®👩🇩🇪क्कि\u0301\u200d\ufe0f\ufe0e\u20e31#'.split(/(?:)/u), '👩🏽‍🚀', ' ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const graphemes = Array.from(segmenter.segment(text.normalize('NFC')), ({ segment }) => segment)
        expect(textLength('twitter', text)).toBe(graphemes.reduce((sum, grapheme) => sum + weightOf(grapheme), 0))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps each mark of a run that is longer than any language needs', () => {
    const marks = '\u0316'.repeat(1_000)
    expect(normalForm('NFC', `x${marks}e\u0301`)).toBe(`x${marks}é`)
  })
})
