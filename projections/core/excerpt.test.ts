import { describe, expect, it } from 'vitest'
import { excerptOf } from './excerpt.ts'

const letters = (count: number) => 'x'.repeat(count)

describe('The excerpt of a text', () => {
  it('is the whole text up to 400 characters', () => {
    expect(excerptOf('')).toEqual({ excerpt: '', truncated: false })
    expect(excerptOf(letters(400))).toEqual({ excerpt: letters(400), truncated: false })
  })

  it.each([
    ['between two words', `${'word '.repeat(100)}`, `${'word '.repeat(79)}word…`],
    ['at the last space before a long word', `${letters(350)} ${letters(100)}`, `${letters(350)}…`],
    [
      'within a word that is longer than 60 characters',
      `${letters(300)} ${letters(200)}`,
      `${letters(300)} ${letters(98)}…`,
    ],
    ['between two characters where there is no space', '毎'.repeat(500), `${'毎'.repeat(399)}…`],
    ['before an emoji that would be cut in two', `${letters(396)}👩‍👩‍👧‍👦 and more`, `${letters(396)}…`],
    ['before a letter whose accent would be left behind', `${letters(398)}e\u0301 and more`, `${letters(398)}…`],
    ['before a flag that would be cut in two', `${letters(397)}🇩🇪🇫🇷`, `${letters(397)}…`],
  ])('is cut %s', (_, content, excerpt) => {
    expect(excerptOf(content)).toEqual({ excerpt, truncated: true })
  })

  it.each([
    ['one letter with 100,000 accents', `e${'\u0301'.repeat(100_000)}`],
    ['emoji without an end', '👩‍'.repeat(50_000)],
    ['characters beyond the basic plane, at an odd place', `x${'𝔘'.repeat(1_000)}`],
    ['nothing but spaces', ' '.repeat(70_000)],
  ])('of %s is well-formed and short', (_, content) => {
    const { excerpt, truncated } = excerptOf(content)
    expect({ isShort: excerpt.length <= 400, isWellFormed: excerpt.isWellFormed(), truncated }).toEqual({
      isShort: true,
      isWellFormed: true,
      truncated: true,
    })
  })

  it('is cut where Unicode starts a grapheme, between any two Latin characters', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const latin = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code)).filter((one) => /\S/.test(one))
    // Each character beside one of every kind: a letter, a soft hyphen, a pictograph, an accented letter, itself.
    const pairs = latin.flatMap((one) => ['a', '\u00ad', '©', 'é', one].flatMap((other) => [one + other, other + one]))
    const cutElsewhere = pairs.filter((pair) => {
      const content = `${letters(398)}${pair}${letters(10)}`
      const starts = segmenter.segment(`x${pair}x`).containing(2)?.index === 2
      return starts !== (excerptOf(content).excerpt === `${content.slice(0, 399)}…`)
    })
    expect(cutElsewhere).toEqual([])
  })
})
