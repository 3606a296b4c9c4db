/** LinkedIn's "little" text format: some characters are markup, and the text after an unescaped one is cut off. */

/**
 * learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format: every reserved character has
 * to be escaped in plain text, even outside of any element.
 */
export const asCommentary = (text: string): string => text.replace(/[\\|{}@[\]()<>#*_~]/g, String.raw`\$&`)

/** The visible text of a commentary: hashtags and mentions as readers see them. */
export const asRead = (commentary: string): string =>
  commentary
    .replace(/\{hashtag\\?\|\\?(#|＃)\\?\|([^{}]*)\}/g, '$1$2')
    .replace(/@\[((?:\\.|[^[\]\\])*)\]\(urn:li:[^()[\]]*\)/g, '$1')
    .replace(/\\(.)/gs, '$1')
