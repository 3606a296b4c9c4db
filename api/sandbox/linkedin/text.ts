/**
 * LinkedIn's little text format.
 * https://learn.microsoft.com/linkedin/marketing/community-management/shares/little-text-format
 */

const reserved = new Set('|{}@[]()<>*_~')

/**
 * A commentary as readers see it: escapes removed; an unescaped reserved character cuts off the text, as members
 * report.
 */
export function readOnLinkedin(commentary: string): string {
  let text = ''
  for (let index = 0; index < commentary.length; index++) {
    const character = commentary.charAt(index)
    if (character === '\\' && index + 1 < commentary.length) text += commentary.charAt(++index)
    else if (reserved.has(character)) return text
    else text += character
  }
  return text
}
