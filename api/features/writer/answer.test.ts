import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stopwatch } from '../../../domain/test/fastest.ts'
import { answerReader, contentOf } from './answer.ts'

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

  const piecesOf = (...pieces: readonly string[]) => {
    const read = answerReader()
    return pieces.map(read)
  }

  it('can be read in chunks of any size: no chunk ends in half a character, and together they are the whole text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
        (text, escaped, lengths) => {
          const json = JSON.stringify({ content: text })
          const answer = escaped
            ? json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
            : json
          const pieces: string[] = []
          for (let at = 0; at < answer.length;) {
            const length = lengths.next().value ?? 1
            pieces.push(answer.slice(at, at + length))
            at += length
          }
          const output = piecesOf(...pieces)
          for (const each of output) expect(each.isWellFormed()).toBe(true)
          expect(output.join('').trim()).toBe(contentOf(answer))
        },
      ),
    )
  })

  it.each([
    [['Sure! {"con'], ['']],
    [
      ['Sure! {"con', 'tent" : "He', 'llo"}'],
      ['', 'He', 'llo'],
    ],
    [
      ['{"content":"He\\u00', 'e9 \\', 'n', 'x'],
      ['He', 'é ', '\n', 'x'],
    ],
    [
      ['{"content":"\\ud83e', '\\udd50"}'],
      ['', '🥐'],
    ],
    [
      ['{"content":"He","more":"x', 'y'],
      ['He', ''],
    ],
    [
      ['{"content":"He\\qwertyu', 'llo'],
      ['He', ''],
    ],
    [
      ['{"content":" \n', 'a\u0000\r', '\nb"}'],
      ['', 'a', '\nb'],
    ],
  ])('of %j yields %j', (pieces, output) => {
    expect(piecesOf(...pieces)).toEqual(output)
  })

  it('takes constant time per chunk, however long the answer', { tags: 'long' }, () => {
    const read = answerReader()
    read('{"content":"')
    const took = (pieces: number) => {
      const elapsed = stopwatch()
      for (let piece = 0; piece < pieces; piece++) read('bread ')
      return elapsed()
    }
    took(10_000)
    const early = took(10_000)
    took(200_000)
    expect(took(10_000)).toBeLessThan(10 * early + 20)
  })
})
