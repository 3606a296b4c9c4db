/** What Analytics shows, as CSV. */
import type { Views } from '../../../projections/registry.ts'
import { maxAnalyticsRows, type AnalyticsPeriod, type AnalyticsRecord, type MetricSums } from '../../contract/index.ts'
import { zonedNow } from '../../core/time-zone.ts'
import { csvLine } from '../audit/csv.ts'
import { postsPage, type PostsList, type PostsScope } from './posts.ts'

const metrics = ['views', 'likes', 'comments', 'shares', 'engagement'] as const
const rowsPerRead = 100
const { compare: byName } = new Intl.Collator('en', { numeric: true })

/** An empty cell: the network does not offer the metric, or it was not read yet. */
const cell = (value: number | null) => (value === null ? '' : String(value))

/** @param isPeriod the header has the columns of the previous period, also where the period has no records */
export async function* totalLines(
  records: readonly (AnalyticsRecord | AnalyticsPeriod['records'][number])[],
  isPeriod: boolean,
) {
  const previous = isPeriod ? metrics.map((metric) => `${metric} in the previous period`) : []
  yield csvLine(['client', 'network', ...metrics, ...previous])
  const sorted = records.toSorted((a, b) => byName(a.clientName, b.clientName))
  for (const record of sorted) {
    const cells = (sums: MetricSums) => metrics.map((metric) => cell(record.reported[metric] ? sums[metric] : null))
    yield csvLine([
      record.clientName,
      record.postPlatform,
      ...cells(record),
      ...('before' in record ? cells(record.before) : []),
    ])
  }
}

export async function* postLines(views: Views, scope: PostsScope, list: PostsList) {
  yield csvLine(['published', 'client', 'network', 'text', ...metrics, 'address'])
  let cursor: string | undefined
  let rows = 0
  do {
    const { body, next } = await postsPage(views, scope, list, cursor, rowsPerRead)
    for (const post of body)
      yield csvLine([
        localTime(post.publishedAt, scope.zone),
        post.clientName,
        post.platform,
        post.excerpt,
        ...metrics.map((metric) => cell(post[metric])),
        post.url ?? '',
      ])
    rows += rowsPerRead
    cursor = next ?? undefined
  } while (cursor !== undefined && rows < maxAnalyticsRows)
  if (cursor !== undefined) yield csvLine([`Only the first ${maxAnalyticsRows} posts are in this file.`])
}

/** `2026-03-05 14:15`, in the agency's time zone. */
const localTime = (at: string, zone: string) =>
  zonedNow(at, zone).toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
