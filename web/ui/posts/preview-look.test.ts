import { describe, expect, it } from 'vitest'
import { platforms, type Platform } from '../../../api/contract/index.ts'
import { foldOf, partsOf } from './preview-look.ts'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 10}`).join(' ')

describe('A preview folds a text as its network does', () => {
  it.each<[Platform, number, string]>([
    ['facebook', 477, 'See more'],
    ['instagram', 125, 'more'],
    ['linkedin', 210, '…more'],
  ])('on %s past %i characters, between words [P11.15]', (platform, characters, more) => {
    const folded = foldOf(platform, words(200))
    expect(folded?.more).toBe(more)
    expect(folded?.shown).toMatch(/word\d… $/)
    expect(folded?.shown.length).toBeLessThanOrEqual(characters + 2)
    expect(folded?.shown.length).toBeGreaterThan(characters - 20)
  })
  it('past a number of lines', () => {
    expect(foldOf('instagram', 'One\nTwo\nThree')?.shown).toBe('One\nTwo… ')
    expect(foldOf('linkedin', 'One\nTwo\nThree')).toBeNull()
  })
  it('never on X', () => {
    expect(foldOf('twitter', words(60))).toBeNull()
  })
  it.each([...platforms])('not where nothing would be hidden, on %s', (platform) => {
    expect(foldOf(platform, 'Short\n\n\n\n\n\n')).toBeNull()
    expect(foldOf(platform, '')).toBeNull()
  })
  it('in no half of a character', () => {
    expect(foldOf('instagram', `${'x'.repeat(124)}😀 and more`)?.shown).toBe(`${'x'.repeat(124)}… `)
  })
})

it.each<[Platform, readonly string[]]>([
  ['facebook', ['https://blue.com', '#coffee']],
  ['instagram', ['@blue', '#coffee']],
  ['twitter', ['@blue', 'https://blue.com', '#coffee']],
  ['linkedin', ['https://blue.com']],
])('A preview on %s shows as links what becomes one there [P11.16]', (platform, links) => {
  const text = 'With @blue at https://blue.com, #coffee.'
  const parts = partsOf(platform, text)
  expect(parts.filter(({ isLink }) => isLink).map((part) => part.text)).toEqual(links)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})
