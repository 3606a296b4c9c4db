/** What stands in a text for something that somebody is to fill in, such as `[link]` or `{{name}}`. Pure. */
const placeholder = /\[[^[\]\n]*\p{L}[^[\]\n]*\]|\{\{?[^{}\n]*\p{L}[^{}\n]*\}\}?|<\p{L}[^<>\n]*>/gu

/** Each once. What people wrote that way themselves, such as `[Ad]`, is none. */
export function placeholdersIn(text: string, given: readonly string[]): readonly string[] {
  const said = given.join('\n').toLowerCase()
  const found = Array.from(text.matchAll(placeholder), ([each]) => each)
  return [...new Set(found)].filter((each) => !said.includes(each.toLowerCase()))
}
