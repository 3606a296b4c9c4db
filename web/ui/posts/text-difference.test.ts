import { describe, expect, it } from 'vitest'
import { stopwatch } from '../../../domain/test/fastest.ts'
import { differences, type Part } from './text-difference.ts'

const shown = (parts: readonly Part[]) =>
  parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[-${text}-]` : `[+${text}+]`)).join('')
const side = (parts: readonly Part[], without: Part['kind']) =>
  parts
    .filter(({ kind }) => kind !== without)
    .map(({ text }) => text)
    .join('')

describe('the difference between two texts', () => {
  it.each([
    ['Our menu is here.', 'Our menu is here.', 'Our menu is here.'],
    ['Our menu is here.', 'Our new menu is here.', 'Our [+new +]menu is here.'],
    ['Open from 9 to 5', 'Open from 8 to 5', 'Open from [-9-][+8+] to 5'],
    ['Rhubarb cake and cold brew', 'Apple pie and cold brew', '[-Rhubarb cake-][+Apple pie+] and cold brew'],
    ['', 'First words', '[+First words+]'],
    ['Over', '', '[-Over-]'],
    ['Neue Öffnungszeiten', 'Alte Öffnungszeiten', '[-Neue-][+Alte+] Öffnungszeiten'],
    ['Новое меню здесь', 'Старое меню здесь', '[-Новое-][+Старое+] меню здесь'],
    ['Hello 👩‍🍳!', 'Hello 👨‍🍳!', 'Hello [-👩‍🍳-][+👨‍🍳+]!'],
  ])('%s → %s', (before, after, expected) => {
    expect(shown(differences(before, after))).toBe(expected)
  })

  it('contains both texts completely, with spaces and line breaks', () => {
    const before = 'One  two\n\nthree four.\nFive'
    const after = 'One two\nthree  4. Six\n'
    const parts = differences(before, after)
    expect(side(parts, 'added')).toBe(before)
    expect(side(parts, 'removed')).toBe(after)
  })

  it('of two long texts takes less than 3 s', { tags: 'long' }, () => {
    const words = (seed: number) => Array.from({ length: 12_000 }, (_, index) => `w${(index * seed) % 9973}`).join(' ')
    const elapsed = stopwatch()
    const parts = differences(words(31), words(77))
    expect(elapsed()).toBeLessThan(3_000)
    expect(side(parts, 'added')).toBe(words(31))
  })
})
