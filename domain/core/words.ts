/**
 * The words of a text, folded for a search: without case, accents and punctuation. Both read stores and every query use
 * this one function, so that they agree.
 */

/** Different words of a text that can be found; later ones can't. */
export const maxWordsOfText = 2_000
/** Code points of a word; the rest of a longer one is ignored, in texts and in queries. */
export const maxWordLength = 40

/** Accents and vowel points. Marks that are a part of the letter, as in Devanagari, stay. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g
/** Letters that Unicode does not decompose into a plain one and an accent. */
const plain: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ς: 'σ',
  // From the capital, which has no other upper case.
  ß: 'ss',
}
const undecomposed = /[æœøłđðþςß]/g
const word = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The different words of a text in their order, at most 2,000 of 40 code points. Upper case comes before lower case:
 * `ß` then becomes `ss`, like `SS` (https://www.unicode.org/Public/UCD/latest/ucd/SpecialCasing.txt).
 */
export function wordsOf(text: string): readonly string[] {
  const folded = text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(accents, '')
    .replaceAll(undecomposed, (letter) => plain[letter] ?? letter)
  const words = new Set<string>()
  for (const [found] of folded.matchAll(word)) {
    words.add(found.length > maxWordLength ? Array.from(found).slice(0, maxWordLength).join('') : found)
    if (words.size === maxWordsOfText) break
  }
  return [...words]
}

/** The words of a text as a document's `words` field has them. */
export const searchable = (text: string): string => wordsOf(text).join(' ')
