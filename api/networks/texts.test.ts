/** Converts texts as networks show them back to the written text. */
import { describe, expect, it } from 'vitest'
import { asCommentary, asRead } from './linkedin/text.ts'
import { sameText } from './lookup.ts'
import { asWritten } from './x/text.ts'

const tweet = (text: string, urls: { url: string; expanded_url?: string; media_key?: string }[] = []) => ({
  id: '1',
  text,
  created_at: '',
  entities: { urls },
})

describe('X', () => {
  it.each([
    [
      'links',
      tweet('See https://t.co/a and https://t.co/b', [
        { url: 'https://t.co/a', expanded_url: 'https://example.com/?a=1&b=2' },
        { url: 'https://t.co/b', expanded_url: 'http://example.org' },
      ]),
      'See https://example.com/?a=1&b=2 and example.org',
    ],
    ['escapes, once', tweet('a &lt;b&gt; &amp;amp; c'), 'a <b> &amp; c'],
    [
      'a picture',
      tweet('hi https://t.co/p', [
        { url: 'https://t.co/p', expanded_url: 'https://x.com/i/status/1/photo/1', media_key: '3_1' },
      ]),
      'hi',
    ],
    ['a picture without an entity', tweet('hi https://t.co/p'), 'hi'],
    [
      'a short link that a person wrote',
      tweet('hi https://t.co/q', [{ url: 'https://t.co/q', expanded_url: 'https://t.co/own' }]),
      'hi https://t.co/own',
    ],
    [
      'a dollar in a link',
      tweet('https://t.co/d', [{ url: 'https://t.co/d', expanded_url: "https://a.example/$&$'" }]),
      "https://a.example/$&$'",
    ],
  ])('%s', (_, given, written) => {
    expect(sameText(asWritten(given), written)).toBe(true)
  })
})

describe('LinkedIn', () => {
  it.each(['plain', 'a (b) [c] {d} <e> @f #g *h* _i_ ~j | \\k', '\\', '\\\\(', 'line\nline'])(
    '%j is restored',
    (text) => {
      expect(asRead(asCommentary(text))).toBe(text)
    },
  )
  it('hashtags and mentions read as users see them', () => {
    expect(asRead(String.raw`Hi @[Acme \(UK\)](urn:li:organization:1) {hashtag|\#|spring} {hashtag\|#\|two}`)).toBe(
      'Hi Acme (UK) #spring #two',
    )
  })
})

describe('the same text', () => {
  it.each([
    ['Café', 'Cafe\u0301'],
    ['a  b\r\nc ', 'a b\nc'],
    ['see https://Example.com/', 'see example.com'],
  ])('%j equals %j', (one, other) => {
    expect(sameText(one, other)).toBe(true)
  })
  it.each([
    ['the one', 'the one and only'],
    ['one 1', 'one 2'],
    ['a/b', 'ab'],
  ])('%j differs from %j', (one, other) => {
    expect(sameText(one, other)).toBe(false)
  })
})
