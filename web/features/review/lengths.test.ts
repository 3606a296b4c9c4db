import { expect, it } from 'vitest'
import { nameProblem, noteProblem } from './lengths.ts'

it('A name and a note that is asked for need a visible character', () => {
  expect([nameProblem('\u3164'), nameProblem('Nora')]).toEqual(['Enter your name', undefined])
  expect([noteProblem('\u200b', true), noteProblem('\u200b', false)]).toEqual(['Say what should change', undefined])
})
