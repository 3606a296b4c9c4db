import { describe, expect, it } from 'vitest'
import { placeholdersIn } from './placeholders.ts'

describe('placeholders in a text', () => {
  it.each([
    ['Order here: [link]', ['[link]']],
    ['Yours, [Your Name], [Your Name]', ['[Your Name]']],
    ['[Insert the date here] at {time} or {{ place }}', ['[Insert the date here]', '{time}', '{{ place }}']],
    ['Dear <customer>', ['<customer>']],
  ])('%s: %j', (text, expected) => {
    expect(placeholdersIn(text, ['Bread'])).toEqual(expected)
  })

  it.each(['We <3 bread', 'Part [1/3]', '[ad] Fresh bread', 'Less than < more than >', 'Smile :] or :{'])(
    '%s: none',
    (text) => {
      expect(placeholdersIn(text, ['Begin with [Ad]'])).toEqual([])
    },
  )
})
