/** How long a post may be on each network, counted as the network counts. Browser-safe. */
import type { Platform } from './values.ts'

/** Characters; facts and sources in each network's developer documentation. */
export const textLimits: Readonly<Record<Platform, number>> = {
  facebook: 63_206,
  instagram: 2_200,
  twitter: 280,
  linkedin: 3_000,
}

const urlLengthOnX = 23
const url = /https?:\/\/[^\s]+/gu

/** Code point ranges that X counts as one; every other code point counts as two. */
const lightOnX: readonly (readonly [number, number])[] = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
]

function weightOnX(text: string): number {
  let weight = 0
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    if (/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(segment)) weight += 2
    else for (const character of segment) weight += isLight(character.codePointAt(0) ?? 0) ? 1 : 2
  }
  return weight
}

const isLight = (point: number) => lightOnX.some(([from, to]) => point >= from && point <= to)

/** The length of a text as the network counts it: X weighs URLs, emoji and wide scripts, the others count characters. */
export function textLength(platform: Platform, text: string): number {
  const normal = text.normalize('NFC')
  if (platform !== 'twitter') return [...normal].length
  const links = normal.match(url)?.length ?? 0
  return weightOnX(normal.replace(url, '')) + links * urlLengthOnX
}
