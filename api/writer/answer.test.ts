import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contentOf, contentSoFar } from './answer.ts'

describe("a model's answer", () => {
  it.each([
    ['{"content": "Hello"}', 'Hello'],
    ['Sure! Here it is:\n```json\n{"content":"Hello {you}"}\n```', 'Hello {you}'],
    ['{"content":"  a\\r\\nb\\u0000\\u001b[31m  ","more":1}', 'a\nb[31m'],
    ['{"content":""}', ''],
    ['Hello', null],
    ['{"content": "cut of', null],
    ['{"text":"Hello"}', null],
    ['{"content":7}', null],
    ['}{', null],
  ])('%j has the text %j', (answer, text) => {
    expect(contentOf(answer)).toBe(text)
  })

  it('can be read while it comes: what is there only grows, is never half a character, and ends as the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (text, escaped) => {
        const json = JSON.stringify({ content: text })
        const answer = escaped ? json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : json
        let before = ''
        for (let end = 0; end <= answer.length; end++) {
          const now = contentSoFar(answer.slice(0, end))
          expect(now.startsWith(before)).toBe(true)
          expect(now.isWellFormed()).toBe(true)
          before = now
        }
        expect(before.trim()).toBe(contentOf(answer))
      }),
    )
  })

  it('shows nothing of what stands around it', () => {
    expect(contentSoFar('Sure! {"con')).toBe('')
    expect(contentSoFar('{"content" : "He')).toBe('He')
    expect(contentSoFar('{"content":"He\\u00')).toBe('He')
    expect(contentSoFar('{"content":"He","more":"x')).toBe('He')
  })
})
