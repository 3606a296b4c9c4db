import { expect, it } from 'vitest'
import { Crowded } from '../../domain/core/fair-queue.ts'
import { problemOfError } from './guard.ts'

it.each([
  [true, 'Your agency already has several searches running. Please try again in a moment.'],
  [false, 'Too many searches are running right now. Please try again in a moment.'],
])('a search that finds no place in the queue gets a 503 and a time to retry', (byItself, message) => {
  expect(problemOfError(new Crowded(byItself))).toMatchObject({
    status: 503,
    type: 'busy',
    message,
    headers: { 'Retry-After': '5' },
  })
})
