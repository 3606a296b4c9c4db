/**
 * One collection for all three kinds of documents: what a deleted post added to the sums is known from its own
 * document, and a projection reads no other's.
 */
import type { Recorded } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import type { SampleEvent } from '../../domain/sample/events.ts'
import { idOf, projection, type Read } from '../core/projection.ts'
import { engagementOf, gainsOf, noSums, plus } from './sums.ts'
import { metricsView, type MeasuredPost, type MetricsView, type Period, type Reading, type Sums } from './view.ts'

type MetricsEvent = Extract<PostEvent, { type: 'PostPublished' | 'PostMetricsRecorded' | 'PostDeleted' }> | SampleEvent

const sampleKey = (clientId: string, platform: Platform) => `${clientId}:${platform}:sample`
const periodsOf = (at: string) => [at.slice(0, 7), at.slice(0, 10)]
const periodKeys = (clientId: string, platform: Platform, at: string) =>
  periodsOf(at).map((period) => `${clientId}:${platform}:${period}`)

/** `05` of a month, `14:15` of a day. */
function partOf(period: string, at: string): string {
  if (period.length === 7) return at.slice(8, 10)
  const quarter = Math.floor(Number(at.slice(14, 16)) / 15) * 15
  return `${at.slice(11, 13)}:${String(quarter).padStart(2, '0')}`
}

function keys({ type, stream, data, metadata }: Recorded<MetricsEvent>): readonly string[] {
  const clientId = metadata.clientId ?? ''
  switch (type) {
    case 'SampleFiguresAdded':
      return data.figures.map(({ platform }) => sampleKey(data.clientId, platform))
    case 'SampleFiguresRemoved':
      return data.platforms.map((platform) => sampleKey(data.clientId, platform))
    case 'PostMetricsRecorded':
      return [idOf(stream), ...periodKeys(clientId, data.platform, metadata.at)]
    default:
      return [idOf(stream)]
  }
}

/** A deleted post is subtracted from every period in which it was read. */
function relatedKeys({ type, stream, data, metadata }: Recorded<MetricsEvent>, read: Read<MetricsView>) {
  if (type !== 'PostDeleted') return []
  const { clientId = '' } = metadata
  return [...new Set(readingsIn(read, stream).flatMap(({ at }) => periodKeys(clientId, data.platform, at)))]
}

function readingsIn(read: Read<MetricsView>, stream: string): readonly Reading[] {
  const post = read(idOf(stream))
  return post?.kind === 'post' || post?.kind === 'deleted' ? post.readings : []
}

const scopes = [['clientId'], ['clientId', 'month'], ['agencyId', 'month']] as const
const sortedMetrics = ['views', 'likes', 'comments', 'shares', 'engagement'] as const

export const metricsProjection = projection<MetricsEvent>()({
  name: 'metrics',
  version: 1,
  view: metricsView,
  // Posts are sorted by any metric: of one client, and of one or all clients by the month of their publication.
  indexes: [
    ['agencyId', 'period'],
    ['clientId', 'publishedAt'],
    ...scopes.flatMap((scope) => sortedMetrics.map((metric) => [...scope, metric])),
  ],
  keys,
  relatedKeys,
  on: {
    PostPublished: (_, { metadata }, id) => published(id, metadata, metadata.at),
    PostMetricsRecorded: (document, event, id) =>
      id === idOf(event.stream) ? measured(document, event, id) : added(document, event, id),
    PostDeleted(document, { stream, metadata: { agencyId } }, id, read): MetricsView | null {
      if (document?.kind === 'period') return without(document, readingsIn(read, stream))
      if (document?.kind === 'post' && document.readings.length > 0)
        return { id, kind: 'deleted', agencyId, readings: document.readings }
      return null
    },
    SampleFiguresAdded(document, { data, metadata }, id): MetricsView | null {
      const found = data.figures.find(({ platform }) => sampleKey(data.clientId, platform) === id)
      if (!found) return document
      const { platform, ...sums } = found
      const { agencyId, at } = metadata
      return { id, kind: 'sample', period: 'sample', agencyId, sumsOf: data.clientId, platform, at, sums }
    },
    SampleFiguresRemoved: () => null,
  },
})

const published = (id: string, { agencyId, clientId }: Recorded['metadata'], at: string): MeasuredPost => ({
  id,
  kind: 'post',
  agencyId,
  clientId: clientId ?? '',
  publishedAt: at,
  month: at.slice(0, 7),
  platform: null,
  views: null,
  likes: null,
  comments: null,
  shares: null,
  engagement: null,
  readings: [],
})

type Measured = Recorded<Extract<PostEvent, { type: 'PostMetricsRecorded' }>>

/** A metric that is no longer offered keeps its last value, as in the post itself. */
function measured(document: MetricsView | null, { data, metadata }: Measured, id: string): MeasuredPost {
  const post = document?.kind === 'post' ? document : published(id, metadata, metadata.at)
  const { totals, platform } = data
  const newest = {
    views: totals.views ?? post.views,
    likes: totals.likes ?? post.likes,
    comments: totals.comments ?? post.comments,
    shares: totals.shares ?? post.shares,
  }
  const readings = [...post.readings, { at: metadata.at, ...newest }]
  return { ...post, ...newest, platform, engagement: engagementOf(newest), readings }
}

function added(document: MetricsView | null, { data, metadata }: Measured, id: string): Period {
  const { agencyId, clientId = '', at } = metadata
  const { platform, delta } = data
  const period = id.slice(id.lastIndexOf(':') + 1)
  const known = document?.kind === 'period' ? document.parts : {}
  const parts = changed(known, partOf(period, at), delta, 1)
  return { id, kind: 'period', agencyId, sumsOf: clientId, platform, period, parts }
}

function without(document: Period, readings: readonly Reading[]): Period | null {
  const parts = gainsOf(readings)
    .filter(({ at }) => periodsOf(at).includes(document.period))
    .reduce((left, { at, gain }) => changed(left, partOf(document.period, at), gain, -1), document.parts)
  return Object.keys(parts).length === 0 ? null : { ...document, parts }
}

/** A part without readings is removed. */
function changed(parts: Period['parts'], part: string, sums: Sums, sign: 1 | -1): Period['parts'] {
  const { [part]: before, ...others } = parts
  const readings = (before?.readings ?? 0) + sign
  if (readings <= 0) return others
  return { ...others, [part]: { ...plus(before ?? noSums, sums, sign), readings } }
}
