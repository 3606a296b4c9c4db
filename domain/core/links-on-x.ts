/**
 * What X turns into a link, with or without https://, as twitter-text 3 finds it
 * (https://github.com/twitter/twitter-text, extractUrlsWithIndices). Browser-safe.
 * Takes time linear in the text's length: each expression is tried at one place only, and a host name that led to no
 * link is not searched again.
 */
import { topLevelDomains } from './top-level-domains.ts'

export interface Span {
  /** UTF-16 units, as for `slice`. */
  readonly start: number
  readonly end: number
}

/** Maximum length of a link in UTF-16 units; X doesn't link longer URLs (twitter-text 3.1, MAX_URL_LENGTH). */
const maxLength = 4_096

/** Every character that may occur in a link: a link lies within one run of them. */
export const linkCharacters = /[\p{L}\p{M}\p{Nd}\p{sc=Latin}\p{sc=Cyrillic}!*';:=+,.$/%#[\]\-–_~@|&()?]+/gu

/** Without a protocol only Latin host names count, so that one may stand between Chinese characters. */
const latin = '[\\p{sc=Latin}0-9-]'
const afterNothingOf = '(?<![a-z0-9@＠$#＃\\u202a-\\u202e\\ufeff])'
/** Where a link may begin: at a protocol, or at a character of a Latin host name. */
export const linkStart = new RegExp(`${afterNothingOf}(?:https?://|(?<![-_./])${latin})`, 'giu')
export const latinLabels = new RegExp(`(?:${latin}+\\.)+`, 'yu')
export const latinName = new RegExp(`${latin}+(?:\\.${latin}+)*`, 'yu')

const label = '[\\p{L}\\p{Nd}](?:[\\p{L}\\p{M}\\p{Nd}_-]*[\\p{L}\\p{M}\\p{Nd}])?'
export const anyLabels = new RegExp(`https?://(?:${label}\\.)+`, 'iuy')

const letters = '\\p{sc=Latin}\\p{sc=Cyrillic}\\p{Nd}'
const general = `[${letters}\\p{Mn}!*';:=+,.$/%#\\[\\]\\-–_~@|&]`
const inParentheses = `\\(${general}*(?:\\(${general}*\\)${general}*)*\\)`
const endings = `[${letters}\\p{Mn}+\\-=_#/]`
const path = `/(?:(?:${general}|${inParentheses})*(?:${endings}|${inParentheses}))?`
const query = `\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]`
/** What may follow the host: a port, a path, a query. */
export const afterHost = new RegExp(`(?::[0-9]+)?(?:${path})?(?:${query})?`, 'iuy')

export const asciiWord = /[a-z0-9]+/iuy
export const punycode = /xn--[a-z0-9-]+(?![a-z0-9@])/iuy
export const shortened = /^https?:\/\/t\.co\/[a-z0-9]+/i

const isAscii = (domain: string) => domain.charCodeAt(0) < 0x80
const asciiDomains = new Set(topLevelDomains.filter(isAscii))
/** The UTF-16 units of the shortest domain. */
const shortestDomain = 2
const beginningOf = (text: string, from = 0) => text.slice(from, from + shortestDomain).toLowerCase()
/** By their first two units, the longest first, so that `.中文网` is not found as `.中文`. */
const otherDomains = new Map<string, string[]>()
for (const domain of topLevelDomains.filter((each) => !isAscii(each)).sort((a, b) => b.length - a.length)) {
  otherDomains.set(beginningOf(domain), [...(otherDomains.get(beginningOf(domain)) ?? []), domain])
}

/** The links of a text, in order. */
export function linksOnX(text: string): readonly Span[] {
  const links: Span[] = []
  if (!text.includes('.')) return links
  for (const { 0: run, index } of matchesOf(linkCharacters, text)) {
    // A link needs a dot with something after it. The character before a run decides whether a link may begin there.
    if (run.lastIndexOf('.', run.length - 2) <= 0) continue
    const from = Math.max(0, index - 1)
    addLinks(links, text.slice(from, index + run.length), from)
  }
  return links
}

/** Adds the links of a piece of the text. @param offset the piece's offset in the text */
function addLinks(links: Span[], piece: string, offset: number): void {
  let lastEnd = 0
  /** End of a Latin host name that led to no link: no part of it does either. */
  let failedUntil = 0
  for (const { 0: beginning, index } of matchesOf(linkStart, piece)) {
    const isSpelledOut = beginning.endsWith('/')
    if (index < lastEnd || (!isSpelledOut && index < failedUntil)) continue
    const candidate = piece.slice(index, index + maxLength + 1)
    const hostEnd = hostEndOf(candidate, isSpelledOut)
    if (hostEnd === null) {
      if (!isSpelledOut) failedUntil = index + (at(latinName, piece, index)?.length ?? 0)
      continue
    }
    const end = hostEnd + (at(afterHost, candidate, hostEnd)?.length ?? 0)
    if (end > maxLength) break
    lastEnd = index + end
    const url = candidate.slice(0, end)
    const start = offset + index
    links.push({ start, end: start + (shortened.exec(url)?.[0] ?? url).length })
  }
}

/** As `matchAll`, which copies the expression for each call: that takes longer than reading a short piece. */
function* matchesOf(expression: RegExp, text: string): Generator<RegExpExecArray> {
  for (let from = 0; ;) {
    expression.lastIndex = from
    const match = expression.exec(text)
    if (!match) return
    yield match
    from = match.index + match[0].length
  }
}

/** The end of the host of a link at the text's start; null if there is none. */
function hostEndOf(text: string, isSpelledOut: boolean): number | null {
  const labels = at(isSpelledOut ? anyLabels : latinLabels, text, 0)
  if (labels === null) return null
  // The last of its domains counts: `a.co.uk` doesn't end after `.co`.
  for (let dot = labels.length - 1; dot > 0; dot = labels.lastIndexOf('.', dot - 1)) {
    const end = domainEndOf(text, dot + 1)
    const isAllowed = !isSpelledOut || !labels.slice(Math.max(0, labels.lastIndexOf('.', dot - 1)), dot).includes('_')
    if (end !== null && isAllowed) return end
  }
  return null
}

/** The end of a top-level domain that begins at `from`; null if there is none. */
function domainEndOf(text: string, from: number): number | null {
  const word = at(asciiWord, text, from)
  if (word !== null) {
    const end = from + word.length
    if (asciiDomains.has(word.toLowerCase()) && text[end] !== '@') return end
    const coded = at(punycode, text, from)
    return coded === null ? null : from + coded.length
  }
  for (const domain of otherDomains.get(beginningOf(text, from)) ?? []) {
    const end = from + domain.length
    if (text.slice(from, end).toLowerCase() === domain && !/[a-z0-9@]/iu.test(text.charAt(end))) return end
  }
  return null
}

/** The match of a sticky expression at a place. */
function at(expression: RegExp, text: string, place: number): string | null {
  expression.lastIndex = place
  return expression.exec(text)?.[0] ?? null
}
