/** Readings of figures that follow each other say one thing: what people did must not drown in them. */
import type { HistoryEntry } from '../../../api/contract/index.ts'

export interface Reply {
  /** The newest of its run. */
  readonly entry: HistoryEntry
  /** The event before the run. */
  readonly before: HistoryEntry | undefined
  /** The number of readings in the entry; 1 for every other event. */
  readonly count: number
  /** The instant of the run's first reading. */
  readonly since: string
}

const isReading = ({ type }: HistoryEntry) => /^PostMetricsRecorded(\.v\d+)?$/.test(type)

/** Comments since a reading come between it and the newer ones. */
const continuesRun = (entry: HistoryEntry | undefined) =>
  entry !== undefined && isReading(entry) && entry.comments === undefined

/** @param newestFirst every event of a post */
export function withRuns(newestFirst: readonly HistoryEntry[]): readonly Reply[] {
  const result: Reply[] = []
  for (let index = 0; index < newestFirst.length;) {
    const entry = newestFirst[index]
    if (!entry) break
    let end = index + 1
    if (isReading(entry)) while (continuesRun(newestFirst[end])) end += 1
    result.push({ entry, before: newestFirst[end], count: end - index, since: newestFirst[end - 1]?.at ?? entry.at })
    index = end
  }
  return result
}
