/** The longest post on each network, counted as the network counts. Browser-safe. */
import { linksOnX } from './links-on-x.ts'
import { normalForm } from './normal-form.ts'
import { segmentsOf } from './segments.ts'
import type { Platform } from './values.ts'

/** In characters; facts and sources are in each network's developer documentation. */
export const textLimits: Readonly<Record<Platform, number>> = {
  facebook: 63_206,
  instagram: 2_200,
  twitter: 280,
  linkedin: 3_000,
}

const linkLengthOnX = 23
const emojiLengthOnX = 2

/** Code points that X counts as one; all others count as two: https://developer.x.com/en/docs/counting-characters */
const lightOnX: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
]

function isLight(point: number): boolean {
  for (const [from, to] of lightOnX) if (point >= from && point <= to) return true
  return false
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u
/** Includes keycaps (a digit in a box); excludes emoji with a text variation selector. */
const isEmoji = (grapheme: string) => emoji.test(grapheme) && !grapheme.includes('\ufe0e')

/** Characters that join with a neighbor to one grapheme, which may be an emoji. */
const joining = '\\p{M}\\p{Cf}\\p{Emoji_Modifier}\\p{Regional_Indicator}\\uff9e\\uff9f'
export const joins = new RegExp(`[${joining}]`, 'u')
/** Runs whose characters can't be weighed one by one, with the neighbors at both ends that may belong to them. */
export const joined = new RegExp(`[^${joining}]?[${joining}]+(?:[^${joining}][${joining}]+)*[^${joining}]?`, 'gu')
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const weightOfCharacter = (character: string) => (isLight(character.codePointAt(0) ?? 0) ? 1 : 2)

function weightOf(grapheme: string): number {
  if (isEmoji(grapheme)) return emojiLengthOnX
  let weight = 0
  for (const character of grapheme) weight += weightOfCharacter(character)
  return weight
}

/** The code point of the first emoji, ©. */
const firstEmoji = 0xa9

/**
 * For text in which no emoji has more than one character. Heavy characters weigh as much as emoji, so only the others
 * are looked up.
 */
function weightOfPlain(text: string): number {
  let weight = 0
  for (const character of text) {
    const own = weightOfCharacter(character)
    const mayBeEmoji = own === 1 && (character.codePointAt(0) ?? 0) >= firstEmoji
    weight += mayBeEmoji && isEmoji(character) ? emojiLengthOnX : own
  }
  return weight
}

function weightOnX(text: string): number {
  if (!joins.test(text)) return weightOfPlain(text)
  let weight = 0
  let end = 0
  for (const { 0: stretch, index } of text.matchAll(joined)) {
    weight += weightOfPlain(text.slice(end, index))
    // Finding graphemes takes most of the time, and only emoji weigh less than the sum of their characters.
    if (!emoji.test(stretch)) weight += weightOfPlain(stretch)
    else for (const grapheme of segmentsOf(graphemes, stretch)) weight += weightOf(grapheme)
    end = index + stretch.length
  }
  return weight + weightOfPlain(text.slice(end))
}

function lengthOnX(text: string): number {
  const links = linksOnX(text)
  const between = [0, ...links.map(({ end }) => end)].map((from, index) => text.slice(from, links[index]?.start))
  return links.length * linkLengthOnX + between.reduce((sum, part) => sum + weightOnX(part), 0)
}

/**
 * The length of a text as the network counts it: X weighs links, emoji and wide scripts; the others count characters.
 */
export function textLength(platform: Platform, text: string): number {
  const normal = normalForm('NFC', text)
  return platform === 'twitter' ? lengthOnX(normal) : [...normal].length
}
