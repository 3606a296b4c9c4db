import { describe, expect, it } from 'vitest'
import { inventedIn } from './invented.ts'

const given = [
  'Blue Cup. See https://bluecup.coffee/menu or write to hello@bluecup.coffee, or call +49 30 1234567.',
  'A cappuccino is 3,50 and a cake €4.20. On Mondays 20% off. Founded in 2015.',
]

describe('claims that the given data does not support', () => {
  it.each([
    'See https://bluecup.coffee/menu.',
    'More on BlueCup.coffee!',
    'Write to hello@bluecup.coffee',
    'A cappuccino for €3.50, a cake for 4.20 euros',
    '20 % off on Mondays, 20 percent!',
    'Call (030) 1234567',
    'Open from 7 to 19, on 2026-03-02 and 03.04.2026, as in 2015-2026. Over 100 cups.',
    'Season 2025/2026, or 2025 – 2026, as in 2024-2025-2026',
    'Open 09.00 - 17.00, 9.00–12.00 / 13.00–17.00 on Sundays',
    'From 01.03.2026 - 05.04.2026, or 01.03. - 05.04.2026, or 24/12/2025 - 06/01/2026',
    'Three words, 1. one 2. two 3. three',
    'Fresh… and warm; e.g. bread/cake',
  ])('%s: none', (text) => {
    expect(inventedIn(text, given)).toEqual([])
  })

  it.each([
    ['See https://evil.example/x now', ['https://evil.example/x']],
    ['Look at bit.ly/3xYz', ['bit.ly/3xYz']],
    ['On www.other.shop', ['www.other.shop']],
    ['See https://bluecup.coffee/menu/free', ['https://bluecup.coffee/menu/free']],
    ['Go to http://192.168.0.1/a', ['http://192.168.0.1/a']],
    ['Write to ceo@bluecup.coffee', ['ceo@bluecup.coffee']],
    ['Only $5 today', ['$5']],
    ['Now 1.200,50 EUR', ['1.200,50 EUR']],
    ['Just five... 99 cents', ['99 cents']],
    ['50% off', ['50%']],
    ['Call 0800 555 0199', ['0800 555 0199']],
    ['Call 030 2025 2026', ['030 2025 2026']],
    ['Call 1234-5678', ['1234-5678']],
    ['Call 01.23.45.67.89', ['01.23.45.67.89']],
    ['Call 555-0199-2026', ['555-0199-2026']],
    ['Only ＄5 today', ['$5']],
    ['$5, $5, and 5 dollars', ['$5', '5 dollars']],
  ])('%s: %j', (text, expected) => {
    expect(inventedIn(text, given)).toEqual(expected)
  })
})
