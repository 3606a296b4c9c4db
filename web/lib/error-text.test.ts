import { expect, it } from 'vitest'
import { errorText, statusOf } from './error-text.ts'

it('strips the status in front of the sentence', () => {
  expect(errorText(new Error('409: Only a draft can be scheduled.'))).toBe('Only a draft can be scheduled.')
})

it('never says nothing', () => {
  expect(errorText(new Error('500: '))).toBe('Something went wrong')
  expect(errorText(null)).toBe('Something went wrong')
})

it('knows the status, where there is one', () => {
  expect(statusOf(new Error('401: Please sign in.'))).toBe(401)
  expect(statusOf(new Error('Failed to fetch'))).toBeNull()
})
