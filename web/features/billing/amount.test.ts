import { expect, it } from 'vitest'
import { amountWords } from './amount.ts'

it.each([
  [4900, 'usd', '$49.00'],
  [0, 'usd', '$0.00'],
  [123456, 'eur', '€1,234.56'],
  [-4900, 'usd', '-$49.00'],
  [4900, 'jpy', '¥4,900'],
])('%i in %s is %s', (amountCents, currency, words) => {
  expect(amountWords({ amountCents, currency })).toBe(words)
})
