import { expect, it } from 'vitest'
import { asOf } from './as-of.ts'

const read = (measuredAt: string | null) => ({ measuredAt, sample: false })
const sample = { measuredAt: null, sample: true }

it.each([
  [
    'the newest reading counts',
    [read('2026-03-01T08:00:00.000Z'), read('2026-03-03T08:00:00.000Z'), read(null)],
    'Metrics as of Mar 3, 2026 at 9:00 AM',
  ],
  ['figures that were never read are none', [read(null)], 'No metrics yet'],
  ['sample figures have no time, and say what they are', [sample, read(null)], 'Sample metrics'],
  [
    'measured figures say that others stand beside them',
    [read('2026-03-03T08:00:00.000Z'), sample],
    'Metrics as of Mar 3, 2026 at 9:00 AM · with sample metrics',
  ],
  [
    'or that they are in the same sum',
    [{ ...read('2026-03-03T08:00:00.000Z'), sample: true }],
    'Metrics as of Mar 3, 2026 at 9:00 AM · with sample metrics',
  ],
  ['nothing has no time', [], 'No metrics yet'],
])('%s', (_, records, output) => {
  expect(asOf(records, 'Europe/Berlin')).toBe(output)
})

it("the time is shown in the agency's time zone", () => {
  expect(asOf([read('2026-03-03T08:00:00.000Z')], 'America/New_York')).toBe('Metrics as of Mar 3, 2026 at 3:00 AM')
})
