import { expect, it } from 'vitest'
import { wholePercents } from './shares.ts'

it.each([
  [
    [1, 1, 1],
    [34, 33, 33],
  ],
  [
    [2, 1],
    [67, 33],
  ],
  [
    [995, 1, 1, 1, 1, 1],
    [100, 0, 0, 0, 0, 0],
  ],
  [[5], [100]],
  [
    [0, 0],
    [0, 0],
  ],
  [[], []],
])('the shares of %j are %j [P13.6]', (values, percents) => {
  expect(wholePercents(values)).toEqual(percents)
})
it('shares sum to 100', () => {
  for (let count = 1; count < 50; count++) {
    const values = Array.from({ length: count }, (_, index) => (index * 7919) % 101)
    const sum = wholePercents(values).reduce((all, percent) => all + percent, 0)
    expect(sum).toBe(values.some((value) => value > 0) ? 100 : 0)
  }
})
