/**
 * What X turns into a link: with or without https://, as twitter-text 3 finds it
 * (https://github.com/twitter/twitter-text, extractUrlsWithIndices). Browser-safe.
 */
import { topLevelDomains } from './top-level-domains.ts'

export interface Span {
  /** UTF-16 units, as `slice` takes them. */
  readonly start: number
  readonly end: number
}

const letters = '\\p{sc=Latin}\\p{sc=Cyrillic}\\p{Nd}'
const general = `[${letters}\\p{Mn}!*';:=+,.$/%#\\[\\]\\-–_~@|&]`
const inParentheses = `\\(${general}*(?:\\(${general}*\\)${general}*)*\\)`
const endings = `[${letters}\\p{Mn}+\\-=_#/]`
const path = `/(?:(?:${general}|${inParentheses})*(?:${endings}|${inParentheses}))?`
const query = `\\?[a-z0-9!?*'@();:&=+$/%#\\[\\]\\-_.,~|]*[a-z0-9\\-_&=#/]`

/** The longest first: `.community` is not `.com` and more. */
const ends = [...topLevelDomains].sort((a, b) => b.length - a.length).join('|')
const end = `(?:${ends}|xn--[a-z0-9-]+)(?![a-z0-9@])`

const anyLabel = '[\\p{L}\\p{Nd}](?:[\\p{L}\\p{M}\\p{Nd}_-]*[\\p{L}\\p{M}\\p{Nd}])?'
const lastLabel = '[\\p{L}\\p{Nd}](?:[\\p{L}\\p{M}\\p{Nd}-]*[\\p{L}\\p{M}\\p{Nd}])?'
const spelledOut = `https?://(?:${anyLabel}\\.)*${lastLabel}\\.${end}`
/** Without a protocol only Latin names count, so that a name may stand between Chinese characters. */
const bare = `(?<![-_./])(?:[\\p{sc=Latin}0-9-]+\\.)+${end}`

const afterNothingOf = '(?<![a-z0-9@＠$#＃\\u202a-\\u202e\\ufeff])'
const link = new RegExp(`${afterNothingOf}(?:${spelledOut}|${bare})(?::[0-9]+)?(?:${path})?(?:${query})?`, 'giu')
const shortened = /^https?:\/\/t\.co\/[a-z0-9]+/i
const longest = 4096

/** The links of a text, in order. */
export function linksOnX(text: string): readonly Span[] {
  return Array.from(text.matchAll(link), ({ 0: found, index }) => {
    const url = shortened.exec(found)?.[0] ?? found
    return { start: index, end: index + url.length }
  }).filter(({ start, end }) => end - start <= longest)
}
