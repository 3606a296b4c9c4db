import { expect, it } from 'vitest'
import { marksIn } from './marks.ts'

const found = (text: string) => marksIn(text).map(({ kind, start, end }) => [kind, text.slice(start, end)])

it('Links, hashtags and mentions of a text are found in order', () => {
  expect(found('Hi @blue_cup, see https://cup.com/a#top or blue.com: #Kaffee #1 #日本')).toEqual([
    ['mention', '@blue_cup'],
    ['link', 'https://cup.com/a#top'],
    ['link', 'blue.com'],
    ['hashtag', '#Kaffee'],
    ['hashtag', '#日本'],
  ])
})
it('An email address is neither a mention nor a link', () => {
  expect(found('Write to cup@example.com')).toEqual([])
})
