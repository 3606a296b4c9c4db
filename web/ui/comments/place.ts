/** What a comment is about: offsets in a text as a text area counts them, and as the post has them. */
import type { PostComment } from '../../../api/contract/index.ts'

export type Place = NonNullable<PostComment['anchor']>

/** What tells where a comment is. */
export type Placed = Pick<PostComment, 'id' | 'anchor' | 'isEarlierVersion' | 'state'>

const maxQuote = 80

/** A text area shows each line break as one character; the post may have two. */
function offsetIn(content: string, shown: number): number {
  let offset = 0
  for (let seen = 0; seen < shown && offset < content.length; seen++)
    offset += content[offset] === '\r' && content[offset + 1] === '\n' ? 2 : 1
  return offset
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The range of the post's text that was selected, widened to whole characters; null without one. */
export function rangeOf(content: string, start: number, end: number): { from: number; to: number } | null {
  const [first, last] = [offsetIn(content, start), offsetIn(content, end)]
  if (first >= last) return null
  const segments = graphemes.segment(content)
  const ending = segments.containing(last - 1)
  return {
    from: segments.containing(first)?.index ?? first,
    to: ending ? ending.index + ending.segment.length : last,
  }
}

export function quoteOf(content: string, place: Extract<Place, { kind: 'range' }>): string {
  const quote = content.slice(place.from, place.to)
  return quote.length > maxQuote ? `${quote.slice(0, maxQuote).toWellFormed()}…` : quote
}

/** The points of the image that the post has, in the order of their comments. */
export const pointsIn = (comments: readonly Placed[]): { id: string; x: number; y: number }[] =>
  comments.flatMap(({ id, anchor, isEarlierVersion, state }) =>
    anchor?.kind === 'point' && !isEarlierVersion && state !== 'removed' ? [{ id, x: anchor.x, y: anchor.y }] : [],
  )
