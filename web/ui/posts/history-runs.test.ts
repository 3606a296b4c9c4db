import { expect, it } from 'vitest'
import type { HistoryEntry } from '../../../api/contract/index.ts'
import { withRuns } from './history-runs.ts'

const entry = (type: string, revision: number) =>
  ({
    type,
    revision,
    at: `2026-03-0${revision}T09:00:00.000Z`,
    content: 'Fresh coffee',
    data: {},
  }) as unknown as HistoryEntry

it('consecutive readings become one entry with their count and the time of the first', () => {
  const types = [
    'PostMetricsRecorded',
    'PostMetricsRecorded',
    'PostMetricsRecorded.v2',
    'PostPublished',
    'PostMetricsRecorded',
    'PostWritten',
  ]
  const result = withRuns(types.map((type, index) => entry(type, types.length - index)))
  expect(result.map(({ entry: { type }, count, before }) => [type, count, before?.type])).toEqual([
    ['PostMetricsRecorded', 3, 'PostPublished'],
    ['PostPublished', 1, 'PostMetricsRecorded'],
    ['PostMetricsRecorded', 1, 'PostWritten'],
    ['PostWritten', 1, undefined],
  ])
  expect(result[0]?.since).toBe('2026-03-04T09:00:00.000Z')
})

it('a comment between two readings keeps them apart', () => {
  const [newer, older] = [entry('PostMetricsRecorded', 3), entry('PostMetricsRecorded', 2)]
  const result = withRuns([newer, { ...older, comments: [] }, entry('PostMetricsRecorded', 1)])
  expect(result.map(({ count }) => count)).toEqual([1, 2])
})

it('an empty history has no entries', () => expect(withRuns([])).toEqual([]))
