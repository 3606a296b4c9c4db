import { describe, expect, it } from 'vitest'
import { linksOnX } from './links-on-x.ts'
import { textLength } from './text-limits.ts'

const linksOf = (text: string) => linksOnX(text).map(({ start, end }) => text.slice(start, end))

describe('the length of a post on X', () => {
  it.each([
    ['', 0],
    ['Fresh coffee', 12],
    ['Grüße, garçon', 13],
    // e + combining accent is one letter once normalized
    ['cafe\u0301', 4],
    ['Доброе утро', 11],
    ['صباح الخير', 10],
    ['朝のコーヒー', 12],
    ['커피', 4],
    ['“quotes” – and dashes…', 23],
    ['𝔘nicode', 8],
  ])('%s: %i', (text, length) => expect(textLength('twitter', text)).toBe(length))

  it.each([
    ['☕', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['👩🏽‍🚀', 2],
    ['🇩🇪🇫🇷', 4],
    ['🏴󠁧󠁢󠁷󠁬󠁳󠁿', 2],
    ['1️⃣', 2],
    ['❤️', 2],
    ['❤️‍🔥', 2],
    ['#️⃣ one', 6],
    ['a☕b', 4],
  ])('counts an emoji as two, however it is composed: %s', (text, length) =>
    expect(textLength('twitter', text)).toBe(length),
  )

  it.each([
    ['https://example.com', 23],
    ['http://a.de', 23],
    ['example.com', 23],
    [`https://example.com/${'long/'.repeat(60)}end?and=more#here`, 23],
    ['Read https://example.com/a and example.org/b, please', 64],
    ['Coffee at bluecup.coffee!', 34],
    ['朝 example.com 夕', 29],
  ])('counts a link of any length as 23: %s', (text, length) => expect(textLength('twitter', text)).toBe(length))

  it('accepts 280 of the heaviest characters and no more', () => {
    expect(textLength('twitter', '語'.repeat(140))).toBe(280)
    expect(textLength('twitter', '👨‍👩‍👧'.repeat(140))).toBe(280)
    expect(textLength('twitter', `${'x'.repeat(256)} example.com`)).toBe(280)
  })
})

describe('links on X', () => {
  it.each([
    ['See example.com.', ['example.com']],
    ['(see https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['https://example.com/path, and more', ['https://example.com/path']],
    ['https://example.com/?q=1&r=2!', ['https://example.com/?q=1&r=2']],
    ['HTTPS://EXAMPLE.COM/A', ['HTTPS://EXAMPLE.COM/A']],
    ['https://example.com:8080/a', ['https://example.com:8080/a']],
    ['http://sub_domain.example.com', ['http://sub_domain.example.com']],
    ['今日はexample.comです。example.org/aも', ['example.com', 'example.org/a']],
    ['http://例え.みんな/', ['http://例え.みんな/']],
    ['http://example.com/Привет', ['http://example.com/Привет']],
    ['münchen.de', ['münchen.de']],
    ['xn--mnchen-3ya.de', ['xn--mnchen-3ya.de']],
    ['bluecup.coffee and bluecup.community', ['bluecup.coffee', 'bluecup.community']],
    ['a.example.co.uk/x', ['a.example.co.uk/x']],
    ['example.com.Then more', ['example.com']],
    ['https://t.co/AbC123xyz. Nice', ['https://t.co/AbC123xyz']],
    ['one.com two.com', ['one.com', 'two.com']],
    ['https://example.com/a-', ['https://example.com/a-']],
    [`https://example.com/${'.'.repeat(2000)}`, ['https://example.com/']],
  ])('are found: %s', (text, links) => expect(linksOf(text)).toEqual(links))

  it.each([
    'e.g. this',
    'version 2.0',
    'archive.tar.bz2',
    'ann@example.com',
    'first.last.gov@example.zzz',
    '@example.com',
    '#example.com',
    '$example.com',
    'wait...what',
    'http://localhost/a',
    'http://-example.com',
    'http://example_name.com',
    'ftp:/example.notatld',
    'http://',
    'example.comx',
    '/example.com',
    'a-.-b',
  ])('are not found in other text: %s', (text) => expect(linksOf(text)).toEqual([]))

  it('are found even in a text built to be slow', () => {
    for (const text of [
      'a.'.repeat(20_000),
      `https://${'a-'.repeat(20_000)}`,
      `example.com/${'('.repeat(20_000)}`,
      `example.com/${'(a)'.repeat(5_000)}`,
    ]) {
      expect(linksOf(text).length).toBeLessThan(2)
    }
  })
})

describe('the other networks', () => {
  it.each(['facebook', 'instagram', 'linkedin'] as const)('%s counts characters', (platform) => {
    expect(textLength(platform, 'See https://example.com ☕')).toBe(25)
  })
})
