/** What stands in a text for something that somebody is to fill in, such as `[link]` or `{{name}}`. Pure. */
export const inSquare = /\[([^[\]\n]*)\]/gu
export const inCurly = /\{\{?([^{}\n]*)\}\}?/gu
export const inAngle = /<(\p{L}[^<>\n]*)>/gu
const letter = /\p{L}/u

interface Found {
  readonly text: string
  readonly index: number
  /** What is to be filled in, and the kind of bracket; without regard to upper and lower case. */
  readonly key: string
}

const foundIn = (text: string): Found[] =>
  [inSquare, inCurly, inAngle].flatMap((pattern, kind) =>
    Array.from(text.matchAll(pattern)).flatMap(({ 0: found, 1: inner = '', index }) =>
      letter.test(inner) ? [{ text: found, index, key: `${kind}${inner.toLowerCase()}` }] : [],
    ),
  )

/** Each once, in order. What people wrote that way themselves, such as `[Ad]`, is none. */
export function placeholdersIn(text: string, given: readonly string[]): readonly string[] {
  const said = new Set(given.flatMap((each) => foundIn(each).map(({ key }) => key)))
  const found = foundIn(text)
    .filter(({ key }) => !said.has(key))
    .sort((a, b) => a.index - b.index)
  return [...new Set(found.map((each) => each.text))]
}
