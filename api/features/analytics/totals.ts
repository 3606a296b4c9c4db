/** The metrics of clients and platforms: all that is known, or what was gained in a period. */
import { yieldToEventLoop } from '../../../domain/event-store/yield-to-event-loop.ts'
import { noSums, plus } from '../../../projections/metrics/sums.ts'
import type { MetricsView, Sums } from '../../../projections/metrics/view.ts'
import type { Reported } from '../../../projections/analytics/view.ts'
import type { ClientsWhere } from '../../core/member-scope.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AnalyticsPeriod, AnalyticsRecord } from '../../contract/index.ts'
import { periodsIn, previousDays, sampleWithin, spanOf, sumsWithin, type Days } from './days.ts'

type Clients = Readonly<Record<string, { readonly name: string }>>

interface Scope {
  /** The clients that the member works for. */
  readonly of: ClientsWhere
  readonly clients: Clients
}

/** One record per client and platform. */
export async function allTotals(views: Views, { of, clients }: Scope): Promise<AnalyticsRecord[]> {
  const records = await views.analytics.all({ where: { ...of } })
  return records.flatMap(({ clientId, postPlatform, measured, measuredAt, sample, reported }) => {
    const client = clients[clientId]
    if (!client) return []
    return {
      clientId,
      clientName: client.name,
      postPlatform,
      ...plus(measured, sample ?? noSums),
      measuredAt,
      sample: sample !== null,
      reported: reportedOf(reported, sample !== null),
    }
  })
}

/** Sample data have every metric. */
function reportedOf(measured: Reported, sample: boolean): AnalyticsRecord['reported'] {
  const views = sample || measured.views
  const likes = sample || measured.likes
  const comments = sample || measured.comments
  const shares = sample || measured.shares
  return { views, likes, comments, shares, engagement: likes || comments || shares }
}

interface Gained {
  readonly now: Sums
  readonly before: Sums
  readonly sample: boolean
}

const isSome = (sums: Sums) => Object.values(sums).some((value) => value !== 0)

/** Each has a document of 3 kB for each client and network, 40 at most: a read takes some 5 ms. */
const periodsPerRead = 4

async function* documentsOf(
  views: Views,
  { agencyId, clientId }: ClientsWhere,
  periods: readonly string[],
): AsyncGenerator<MetricsView> {
  for (let from = 0; from < periods.length; from += periodsPerRead) {
    yield* await views.metrics.all({
      where: {
        agencyId,
        ...(clientId && { sumsOf: clientId }),
        period: { in: periods.slice(from, from + periodsPerRead) },
      },
    })
    await yieldToEventLoop()
  }
}

/** A client and platform without metrics in either period is omitted. */
export async function totalsIn(views: Views, scope: Scope, days: Days, zone: string): Promise<AnalyticsPeriod> {
  const previous = previousDays(days)
  const [now, before] = [spanOf(days, zone), spanOf(previous, zone)]
  const periods = [...new Set([...periodsIn(before), ...periodsIn(now), 'sample'])]
  const newest = await allTotals(views, scope)
  const gained = new Map<string, Gained>()
  for await (const document of documentsOf(views, scope.of, periods)) {
    if (document.kind !== 'period' && document.kind !== 'sample') continue
    const within = (span: typeof now) =>
      document.kind === 'period' ? sumsWithin(document, span) : sampleWithin(document, span)
    const key = `${document.sumsOf}:${document.platform}`
    const known = gained.get(key) ?? { now: noSums, before: noSums, sample: false }
    const added = within(now)
    gained.set(key, {
      now: plus(known.now, added),
      before: plus(known.before, within(before)),
      sample: known.sample || (document.kind === 'sample' && isSome(added)),
    })
  }
  const records = newest.flatMap((record) => {
    const found = gained.get(`${record.clientId}:${record.postPlatform}`)
    if (!found || !(isSome(found.now) || isSome(found.before))) return []
    return { ...record, ...found.now, sample: found.sample, before: found.before }
  })
  return { ...days, previous, records }
}
