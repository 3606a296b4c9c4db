import { describe, expect, it } from 'vitest'
import { rewrites } from '../../contract/index.ts'
import { rewrittenByTemplate } from './template-rewrite.ts'

const text =
  'Autumn is here. Our breads are darker now, and stay in the oven for longer. Come and smell it.\n\nWhich one is yours?\n\n#Bread #Autumn'
const rewrite = (how: (typeof rewrites)[number], of = text, platform: 'facebook' | 'twitter' = 'facebook') =>
  rewrittenByTemplate(platform, { text: of, how }, 'plain', ([first]) => first)

describe('rewriting a text without a model', () => {
  it('shortens it by whole sentences, and keeps its hashtags', () => {
    expect(rewrite('shorter')).toEqual({
      content: 'Autumn is here. Our breads are darker now, and stay in the oven for longer.\n\n#Bread #Autumn',
    })
  })
  it('adds a call to action before the hashtags', () => {
    expect(rewrite('call-to-action', 'Autumn is here.\n\n#Bread')).toEqual({
      content: 'Autumn is here.\n\nWe look forward to your thoughts in the comments.\n\n#Bread',
    })
  })
  it.each([
    ['longer', text, /^AI is not connected on this server, so this takes a person\. A longer text/],
    ['casual', text, /^AI is not connected .* work without it\.$/],
    ['shorter', 'One sentence only.', /single sentence already/],
    ['call-to-action', 'x'.repeat(270), /no room left/],
  ] as const)('%s: explains why it cannot be done', (how, of, sentence) => {
    expect(rewrite(how, of, 'twitter')).toMatchObject({ sentence: expect.stringMatching(sentence) })
  })
})
