/** A post's text as X returns it: links through t.co, three characters as HTML entities, and a link for its media. */
import { createHash } from 'node:crypto'

export interface UrlEntity {
  /** Code points from the start of the text. */
  readonly start: number
  readonly end: number
  readonly url: string
  readonly expanded_url: string
  readonly display_url: string
  readonly media_key?: string
}

/** X also links bare domains; these are some of the top-level domains it knows. */
const link =
  /https?:\/\/[^\s]*[^\s.,;:!?'"()[\]]|(?<![a-z0-9.-])(?:[a-z0-9-]+\.)+(?:com|org|net|io|de|app|dev)\b(?:\/[^\s]*[^\s.,;:!?'"()[\]])?/giu

export function textOnX(
  content: string,
  postUrl: string | null,
): { readonly text: string; readonly urls: readonly UrlEntity[] } {
  const urls: UrlEntity[] = []
  let text = ''
  let end = 0
  const add = (address: string, more: { readonly media_key?: string } = {}) => {
    const url = `https://t.co/${createHash('sha256').update(address).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 10)}`
    const start = [...text].length
    text += url
    urls.push({
      start,
      end: start + url.length,
      url,
      expanded_url: address,
      display_url: address.replace(/^https?:\/\/(www\.)?/, ''),
      ...more,
    })
  }
  for (const match of content.matchAll(link)) {
    // Part of an email address or of a word: no link.
    if (/[\w@.]/.test(content.charAt(match.index - 1))) continue
    text += escaped(content.slice(end, match.index))
    add(/^https?:/i.test(match[0]) ? match[0] : `http://${match[0]}`)
    end = match.index + match[0].length
  }
  text += escaped(content.slice(end))
  if (postUrl !== null) {
    text += text === '' ? '' : ' '
    add(`${postUrl}/photo/1`, { media_key: `3_${createHash('sha256').update(postUrl).digest().readUInt32BE()}` })
  }
  return { text, urls }
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
