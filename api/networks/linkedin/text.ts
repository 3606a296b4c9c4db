/** LinkedIn's "little" text: some characters are its markup, and what follows a bare one is cut off. */

/**
 * learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format: each reserved character
 * has to be escaped to be plain text, also where it is in no element.
 */
export const asCommentary = (text: string): string => text.replace(/[\\|{}@[\]()<>#*_~]/g, String.raw`\$&`)

/** The text that a commentary shows: hashtags and mentions by what people read. */
export const asRead = (commentary: string): string =>
  commentary
    .replace(/\{hashtag\\?\|\\?(#|＃)\\?\|([^{}]*)\}/g, '$1$2')
    .replace(/@\[((?:\\.|[^[\]\\])*)\]\(urn:li:[^()[\]]*\)/g, '$1')
    .replace(/\\(.)/gs, '$1')
