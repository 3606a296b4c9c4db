/** Whether a text shows anything: a name or a comment that looks empty says nothing. Browser-safe. */

/**
 * Characters that show nothing, for a character class that is read with the `u` flag: white space, controls, Unicode's
 * Default_Ignorable_Code_Point, and the blank pattern of braille. A joiner or a variation selector only changes the
 * look of its neighbors. Without NUL, which no text may have.
 */
export const invisible =
  // White space and controls, the soft hyphen, and the joiner of graphemes.
  '\\u0001-\\u0020\\u007f-\\u00a0\\u00ad\\u034f' +
  // The Arabic letter mark, fillers of Hangul, vowels of Khmer, and selectors of Mongolian.
  '\\u061c\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f' +
  // Spaces, joiners, marks of direction, and the blank pattern of braille.
  '\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u2800' +
  // The ideographic space, fillers of Hangul, variation selectors, and the byte order mark.
  '\\u3000\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8' +
  // Controls of shorthand and music, tags, and more variation selectors.
  '\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}'

export const visible = new RegExp(`[^${invisible}]`, 'u')

export const hasVisible = (text: string): boolean => visible.test(text)
