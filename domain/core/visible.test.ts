import { expect, it } from 'vitest'
import { notBlank, twoOrMore } from './documented.ts'
import { hasVisible } from './visible.ts'

it(
  'Characters that Unicode ignores by default, white space and controls show nothing, and all others do',
  { tags: 'long' },
  () => {
    const showsNothing = /[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\u2800]/u
    const wrong: string[] = []
    // NUL is refused for itself.
    for (let point = 1; point <= 0x10_ff_ff; point++) {
      const text = String.fromCodePoint(point)
      if (hasVisible(text) === (showsNothing.test(text) || text.trim() === '')) wrong.push(point.toString(16))
    }
    expect(wrong).toEqual([])
  },
)

it.each([
  ['', false],
  [' \u200b\u200d\ufeff', false],
  ['\u00ad\u115f\u3164\u2800\ufe0f', false],
  ['\u{e0067}\u{e007f}\u{e0100}', false],
  ['\u200bNora', true],
  ['👩‍👩‍👧 \u2764\ufe0f', true],
  ['क\u094d\u200dष', true],
])('%j has a visible character: %s, by the rule and by the pattern of the API description', (text, is) => {
  expect(hasVisible(text)).toBe(is)
  expect(new RegExp(notBlank.pattern, 'u').test(text)).toBe(is)
  expect(!new RegExp(twoOrMore.not.pattern, 'u').test(text)).toBe(is)
})
