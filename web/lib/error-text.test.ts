import { expect, it } from 'vitest'
import { errorText, fieldNamedBy, statusOf, textUnder } from './error-text.ts'

it('strips the status code before the sentence [8.2]', () => {
  expect(errorText(new Error('409: Only a draft can be scheduled.'))).toBe('Only a draft can be scheduled.')
})

it('names a field once [P7.6]', () => {
  expect(errorText(new Error('400: Password: Password must be at least 8 characters'))).toBe(
    'Password must be at least 8 characters',
  )
  expect(errorText(new Error('400: Email: Enter a valid email'))).toBe('Email: Enter a valid email')
})

it('uses a default sentence when the error has no text', () => {
  expect(errorText(new Error('500: '))).toBe('Something went wrong')
  expect(errorText(null)).toBe('Something went wrong')
})

it('reads the status code, or null without one', () => {
  expect(statusOf(new Error('401: Please sign in.'))).toBe(401)
  expect(statusOf(new Error('Failed to fetch'))).toBeNull()
})

it('finds the field that a 400 names, and omits the name beneath that field', () => {
  const error = new Error('400: New password: Choose another one')
  expect(fieldNamedBy(error, ['currentPassword', 'newPassword'])).toBe('newPassword')
  expect(textUnder('newPassword', error)).toBe('Choose another one')
  expect(fieldNamedBy(error, ['password'])).toBeNull()
  expect(fieldNamedBy(new Error('403: New password: no'), ['newPassword'])).toBeNull()
  expect(textUnder('currentPassword', new Error("403: That isn't your current password."))).toBe(
    "That isn't your current password.",
  )
})
