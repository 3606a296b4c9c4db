/** Finds placeholders in a text, such as `[link]` or `{{name}}`. Pure. */
export const inSquare = /\[([^[\]\n]*)\]/gu
export const inCurly = /\{\{?([^{}\n]*)\}\}?/gu
export const inAngle = /<(\p{L}[^<>\n]*)>/gu
const letter = /\p{L}/u

interface Found {
  readonly text: string
  readonly index: number
  /** The placeholder's words and kind of bracket, ignoring case. */
  readonly key: string
}

const foundIn = (text: string): Found[] =>
  [inSquare, inCurly, inAngle].flatMap((pattern, kind) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: found, 1: inner = '', index }) =>
      letter.test(inner) ? [{ text: found, index, key: `${kind}${inner.toLowerCase()}` }] : [],
    ),
  )

/** Each once, in order. Brackets that the user wrote, such as `[Ad]`, are no placeholders. */
export function placeholdersIn(text: string, given: readonly string[]): readonly string[] {
  const said = new Set(given.flatMap((each) => foundIn(each).map(({ key }) => key)))
  const found = foundIn(text)
    .filter(({ key }) => !said.has(key))
    .sort((a, b) => a.index - b.index)
  return [...new Set(found.map((each) => each.text))]
}
