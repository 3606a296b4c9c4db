/** Restores a post's text as written: X replaces links with its own short ones, and escapes three characters. */
import type { z } from 'zod'
import type { tweet } from './wire.ts'

/** docs.x.com/x-api/fundamentals/data-dictionary: `entities.urls`; X appends a link for an image. */
export function asWritten({ text, entities }: z.output<typeof tweet>): string {
  const links = entities?.urls ?? []
  const [bare] = /https:\/\/t\.co\/\w+$/.exec(text) ?? []
  // An image's link has no entity on some accounts.
  const isPicture = bare !== undefined && !links.some(({ url }) => url === bare)
  let written = unescaped(isPicture ? text.slice(0, -bare.length) : text)
  for (const { url, expanded_url: expanded, media_key: media } of links) {
    const isMedia = media !== undefined || /\/status\/\d+\/(photo|video)\/\d+$/.test(expanded ?? '')
    written = written.replaceAll(url, () => (isMedia ? '' : (expanded ?? url)))
  }
  return written.trim()
}

const unescaped = (text: string): string => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&')
