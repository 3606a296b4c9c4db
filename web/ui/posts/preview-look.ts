/**
 * How each network shows a text: where it folds, and which parts are links. The networks publish none of these numbers
 * and change them; they are those of https://posttruncate.com/en/platform-limits/ (2026) for wide screens. The line
 * counts are those that the networks' own apps show. *config*: they stand in this table only.
 */
import { marksIn, type MarkKind, type Platform } from '../../../api/contract/index.ts'

interface Look {
  /** Null: the network folds no text of ours. */
  readonly fold: { readonly characters: number; readonly lines: number; readonly more: string } | null
  /** What the network turns into a link, in a text that comes by its interface for programs. */
  readonly links: readonly MarkKind[]
}

const looks: Readonly<Record<Platform, Look>> = {
  // A program's text can't mention a profile by its name: Graph API, page/feed, `message`.
  facebook: { fold: { characters: 477, lines: 5, more: 'See more' }, links: ['link', 'hashtag'] },
  // A caption has no links; https://help.instagram.com/351460621611097 on mentions and hashtags.
  instagram: { fold: { characters: 125, lines: 2, more: 'more' }, links: ['hashtag', 'mention'] },
  // A text of 280 characters is never folded.
  twitter: { fold: null, links: ['link', 'hashtag', 'mention'] },
  // Our texts are sent as plain ones, in which only addresses become links: see `networks/linkedin/text.ts`.
  linkedin: { fold: { characters: 210, lines: 3, more: '…more' }, links: ['link'] },
}

export interface Folded {
  readonly shown: string
  /** The words that unfold the rest. */
  readonly more: string
}

/** Null for a text that is shown whole. */
export function foldOf(platform: Platform, text: string): Folded | null {
  const { fold } = looks[platform]
  if (!fold) return null
  const end = Math.min(fold.characters, lineEnd(text, fold.lines))
  if (text.slice(end).trim() === '') return null
  return { shown: `${atWord(text, end).trimEnd()}… `, more: fold.more }
}

/** The end of the given number of lines. */
function lineEnd(text: string, lines: number): number {
  let end = -1
  for (let line = 0; line < lines; line++) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return text.length
  }
  return end
}

const maxWordCut = 20

/** Ends between two words where one is near, and never in half a character. */
function atWord(text: string, end: number): string {
  const cut = text.slice(0, end)
  if (/\s/.test(text.charAt(end))) return cut
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return space > end - maxWordCut ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')
}

export interface Part {
  readonly text: string
  readonly isLink: boolean
}

/** A text in parts, those that the network shows as links apart. */
export function partsOf(platform: Platform, text: string): readonly Part[] {
  const parts: Part[] = []
  let end = 0
  for (const mark of marksIn(text)) {
    if (!looks[platform].links.includes(mark.kind)) continue
    if (mark.start > end) parts.push({ text: text.slice(end, mark.start), isLink: false })
    parts.push({ text: text.slice(mark.start, mark.end), isLink: true })
    end = mark.end
  }
  if (end < text.length) parts.push({ text: text.slice(end), isLink: false })
  return parts
}
