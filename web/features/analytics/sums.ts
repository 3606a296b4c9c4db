import type { AnalyticsRecord } from '../../../api/contract/index.ts'

export type Figure = 'views' | 'likes' | 'comments' | 'shares' | 'engagement'

export const total = (records: readonly AnalyticsRecord[], figure: Figure) =>
  records.reduce((sum, record) => sum + record[figure], 0)

/** Whether any network in the selection reports the metric: a sum without any is no zero. */
export const isReported = (records: readonly AnalyticsRecord[], figure: Figure) =>
  records.some(({ reported }) => reported[figure])

export interface Row {
  readonly id: string
  readonly label: string
  readonly views: number
  readonly engagement: number
}

/** Views and engagement of each group, in the order that the groups first appear. */
export function rowsBy(
  records: readonly AnalyticsRecord[],
  idOf: (record: AnalyticsRecord) => string,
  labelOf: (record: AnalyticsRecord) => string,
): Row[] {
  const groups = new Map<string, AnalyticsRecord[]>()
  for (const record of records) groups.set(idOf(record), [...(groups.get(idOf(record)) ?? []), record])
  return [...groups].map(([id, group]) => ({
    id,
    label: group[0] ? labelOf(group[0]) : id,
    views: total(group, 'views'),
    engagement: total(group, 'engagement'),
  }))
}

/** `1.2K`, as an axis has room for. */
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
export const short = (value: number) => compact.format(value)
