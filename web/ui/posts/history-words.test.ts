import { expect, it } from 'vitest'
import { postEvents } from '../../../domain/post/events.ts'
import { historyWords } from './history-words.ts'

const entry = (type: string, data: object = {}) => ({ type, data }) as unknown as Parameters<typeof historyWords>[0]

it.each(Object.keys(postEvents))("%s is shown as a sentence without the event's name", (type) => {
  const words = historyWords(entry(type), 'UTC')
  expect(words).not.toContain(type)
  expect(words).toMatch(/^[A-Z][a-z]+/)
})

it('an event of a later version and a reason of one are told in words, without their stored names [P7.21]', () => {
  expect(historyWords(entry('PostFramed.v3'), 'UTC')).toBe('Changed by a newer version of SocialAI')
  expect(historyWords(entry('PostHeld', { because: 'moon-phase' }), 'UTC')).toBe('On hold')
})

it('an approval for the moment that it is given at is told as publishing at once', () => {
  const at = '2030-01-07T09:00:00.000Z'
  expect(historyWords({ ...entry('PostApproved', { scheduledFor: at }), at }, 'UTC')).toBe(
    'Approved to be published at once',
  )
})

const written = { writer: 'openai', model: 'gpt-x', topic: 'Spring', tone: 'friendly', edited: false }
it.each([
  ['PostWritten', written, 'Written by AI (gpt-x), from “Spring”, friendly'],
  ['PostWritten', { ...written, edited: true }, 'Written by AI (gpt-x), from “Spring”, friendly; edited by hand'],
  [
    'PostWritten',
    { ...written, writer: 'template', model: null },
    "Written by the built-in writer, from the client's profile, from “Spring”, friendly",
  ],
  ['PostContentRevised', { ...written, topic: 'regenerate' }, 'Text written anew by AI (gpt-x), friendly'],
  ['PostContentRevised', { ...written, topic: 'rewrite: shorter' }, 'Text made shorter by AI (gpt-x)'],
  [
    'PostWritten',
    { ...written, topic: 'rewrite: call-to-action', edited: true },
    'Written, and given a call to action by AI (gpt-x); edited by hand',
  ],
  [
    'PostContentRevised',
    { ...written, writer: 'template', model: null, topic: 'rewrite: shorter' },
    'Text made shorter by the built-in writer',
  ],
])('%s names the writer and the topic of a generated text: %j [P17.2]', (type, provenance, words) => {
  expect(historyWords(entry(type, { generationId: 'g', provenance }), 'UTC')).toBe(words)
})
