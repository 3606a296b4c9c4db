import { expect, it } from 'vitest'
import { changeOf } from './change.ts'
import { daysOf, wrongWith } from './period.ts'

it.each([
  [{}, null],
  [{ period: '7d' }, { from: '2026-02-26', to: '2026-03-04' }],
  [{ period: '30d' }, { from: '2026-02-03', to: '2026-03-04' }],
  [{ period: 'month' }, { from: '2026-03-01', to: '2026-03-04' }],
  [{ period: 'last-month' }, { from: '2026-02-01', to: '2026-02-28' }],
  [
    { from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-01-01', to: '2026-01-31' },
  ],
  [{ from: '2026-01-31', to: '2026-01-01' }, null],
  [{ from: '2026-01-31' }, null],
] as const)('%j on March 4 is %j', (search, days) => {
  expect(daysOf(search, '2026-03-04')).toEqual(days)
})
it('at most 366 days are a period', () => {
  expect(wrongWith({ from: '2025-03-04', to: '2026-03-04' })).toBeNull()
  expect(wrongWith({ from: '2025-03-03', to: '2026-03-04' })).toBe('length')
})
it.each([
  [150, 100, '+50% from 100'],
  [50, 100, '−50% from 100'],
  [5_000, 100, '+4,900% from 100'],
  [7, 7, 'No change'],
  [1200, 0, '+1,200 from 0'],
  [10_001, 10_000, '+1 from 10,000'],
  [-3, 0, '−3 from 0'],
])('%i after %i is %s', (now, before, sentence) => {
  expect(changeOf(now, before)).toBe(sentence)
})
