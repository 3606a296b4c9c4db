import { expect, it } from 'vitest'
import { postEvents } from '../../../domain/post/events.ts'
import { historyWords } from './history-words.ts'

const entry = (type: string) => ({ type, data: {} }) as unknown as Parameters<typeof historyWords>[0]

it.each(Object.keys(postEvents))('%s is told in words, not by its name', (type) => {
  const words = historyWords(entry(type), 'UTC')
  expect(words).not.toContain(type)
  expect(words).toMatch(/^[A-Z][a-z]+/)
})

it('what a later version wrote is told as such', () => {
  expect(historyWords(entry('PostFramed.v3'), 'UTC')).toBe('Something that this version has no words for (PostFramed.v3)')
})
