/** The beginning of a text, for lists. */

/** UTF-16 units, the ellipsis included. */
const maxExcerpt = 400
/** A cut goes back to a space at most this far away; a longer word is cut. */
const maxWord = 60
/** A longer grapheme is cut: a single one can have any number of combining marks. */
const maxGrapheme = 64

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

export interface Excerpt {
  readonly excerpt: string
  readonly truncated: boolean
}

/**
 * A text of up to 400 UTF-16 units in full; otherwise its beginning, cut between words or at least between graphemes.
 */
export function excerptOf(content: string, maxUnits: number = maxExcerpt): Excerpt {
  if (content.length <= maxUnits) return { excerpt: content, truncated: false }
  const room = maxUnits - 1
  // The grapheme that crosses the limit determines where to cut.
  const index = startsGrapheme(content, room) ? room : graphemeAt(content, room)
  const whole = index >= room - maxGrapheme ? content.slice(0, index) : content.slice(0, room).toWellFormed()
  const space = lastSpace(whole)
  const cut = /\s/.test(content.charAt(whole.length)) || space < 0 ? whole : whole.slice(0, space)
  return { excerpt: `${cut.trimEnd()}…`, truncated: true }
}

/**
 * Whether a grapheme certainly starts there, told from two Latin characters: segmenting a text takes some 20 µs. What
 * joins its neighbour comes after U+02FF, except for CR LF (https://www.unicode.org/reports/tr29/, Unicode 16).
 */
function startsGrapheme(content: string, at: number): boolean {
  const isLatin = (unit: number) => unit < 0x300 && unit !== 0x0a && unit !== 0x0d
  return isLatin(content.charCodeAt(at)) && isLatin(content.charCodeAt(at - 1))
}

const graphemeAt = (content: string, at: number): number =>
  graphemes.segment(content.slice(0, at + maxGrapheme)).containing(at)?.index ?? at

/** The index of the last space, unless the word cut there would be too long; then -1. */
function lastSpace(text: string): number {
  for (let at = text.length - 1; at >= Math.max(0, text.length - maxWord); at--)
    if (/\s/.test(text.charAt(at))) return at
  return -1
}
