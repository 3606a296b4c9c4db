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
  const { index } = graphemes.segment(content.slice(0, room + maxGrapheme)).containing(room) ?? { index: room }
  const whole = index >= room - maxGrapheme ? content.slice(0, index) : content.slice(0, room).toWellFormed()
  const space = lastSpace(whole)
  const cut = /\s/.test(content.charAt(whole.length)) || space < 0 ? whole : whole.slice(0, space)
  return { excerpt: `${cut.trimEnd()}…`, truncated: true }
}

/** The index of the last space, unless the word cut there would be too long; then -1. */
function lastSpace(text: string): number {
  for (let at = text.length - 1; at >= Math.max(0, text.length - maxWord); at--)
    if (/\s/.test(text.charAt(at))) return at
  return -1
}
