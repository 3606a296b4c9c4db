/** The links, hashtags and mentions of a text. Browser-safe, and in time linear in the text's length. */
import { linksOnX } from './links-on-x.ts'

export const marks = {
  hashtags: /(?<![\p{L}\p{N}_&])[#＃](?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu,
  mentions: /(?<![\p{L}\p{N}_.])@[a-z0-9_][a-z0-9_.]*/giu,
}

export type MarkKind = 'link' | 'hashtag' | 'mention'

export interface Mark {
  readonly kind: MarkKind
  /** UTF-16 units, as for `slice`. */
  readonly start: number
  readonly end: number
}

/** In order; of two that overlap, the first: a `#` within a link begins no hashtag. */
export function marksIn(text: string): readonly Mark[] {
  const found: Mark[] = [
    ...linksOnX(text).map((span) => ({ kind: 'link' as const, ...span })),
    ...spans(text, marks.hashtags).map((span) => ({ kind: 'hashtag' as const, ...span })),
    ...spans(text, marks.mentions).map((span) => ({ kind: 'mention' as const, ...span })),
  ]
  let end = 0
  return found
    .toSorted((a, b) => a.start - b.start)
    .filter((mark) => {
      if (mark.start < end) return false
      end = mark.end
      return true
    })
}

const spans = (text: string, expression: RegExp) =>
  Array.from(text.matchAll(expression), ({ 0: found, index }) => ({ start: index, end: index + found.length }))
