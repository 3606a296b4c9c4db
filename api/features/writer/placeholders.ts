/** Finds placeholders in a text, such as `[link]` or `{{name}}`. Pure. */
export const inSquare = /\[([^[\]\n]*)\]/gu
export const inCurly = /\{\{?([^{}\n]*)\}\}?/gu
export const inAngle = /<(\p{L}[^<>\n]*)>/gu
const letter = /\p{L}/u

interface Found {
  /** Of its first occurrence. */
  readonly index: number
  /** The placeholder's words and kind of bracket, ignoring case. */
  readonly key: string
}

/** Each placeholder once, by its text. */
function foundIn(text: string): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>()
  for (const [kind, pattern] of [inSquare, inCurly, inAngle].entries()) {
    for (const { 0: whole, 1: inner = '', index } of text.matchAll(pattern))
      if (!found.has(whole) && letter.test(inner)) found.set(whole, { index, key: `${kind}${inner.toLowerCase()}` })
  }
  return found
}

/** Each once, in order. Brackets that the user wrote, such as `[Ad]`, are no placeholders. */
export function placeholdersIn(text: string, given: readonly string[]): readonly string[] {
  const found = [...foundIn(text)]
  if (found.length === 0) return []
  const said = new Set(given.flatMap((each) => Array.from(foundIn(each).values(), ({ key }) => key)))
  return found
    .filter(([, { key }]) => !said.has(key))
    .sort(([, a], [, b]) => a.index - b.index)
    .map(([whole]) => whole)
}
