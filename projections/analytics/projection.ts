import type { Recorded } from '../../domain/core/event.ts'
import type { Platform } from '../../domain/core/values.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import type { SampleEvent } from '../../domain/sample/events.ts'
import { projection } from '../core/projection.ts'
import { analyticsView, type AnalyticsView, type Figures, type Reported } from './view.ts'

type FiguresEvent = Extract<PostEvent, { type: 'PostMetricsRecorded' | 'PostDeleted' }> | SampleEvent

const none: Figures = { views: 0, likes: 0, comments: 0, shares: 0, engagement: 0 }

const noneReported: Reported = { views: false, likes: false, comments: false, shares: false }
const allReported: Reported = { views: true, likes: true, comments: true, shares: true }

const plus = (a: Figures, b: Figures, sign: 1 | -1 = 1): Figures => ({
  views: a.views + sign * b.views,
  likes: a.likes + sign * b.likes,
  comments: a.comments + sign * b.comments,
  shares: a.shares + sign * b.shares,
  engagement: a.engagement + sign * b.engagement,
})

const keyOf = (clientId: string, platform: Platform) => `${clientId}:${platform}`

function keys({ type, data, metadata }: Recorded<FiguresEvent>): readonly string[] {
  const clientId = metadata.clientId ?? ''
  switch (type) {
    case 'SampleFiguresAdded':
      return data.figures.map(({ platform }) => keyOf(clientId, platform))
    case 'SampleFiguresRemoved':
      return data.platforms.map((platform) => keyOf(clientId, platform))
    default:
      return [keyOf(clientId, data.platform)]
  }
}

const blank = (id: string, event: Recorded): AnalyticsView => ({
  id,
  agencyId: event.metadata.agencyId,
  clientId: event.metadata.clientId ?? '',
  postPlatform: id.slice(id.indexOf(':') + 1) as Platform,
  posts: 0,
  measured: none,
  measuredAt: null,
  sample: null,
  reported: noneReported,
})

export const analyticsProjection = projection<FiguresEvent>()({
  name: 'analytics',
  version: 3,
  // What its documents don't say yet counts as reported, as before.
  predecessors: [{ version: 2, convert: (document) => analyticsView.parse({ ...document, reported: allReported }) }],
  view: analyticsView,
  indexes: [['agencyId']],
  keys,
  on: {
    PostMetricsRecorded(record, event, id) {
      const { measured, posts, ...rest } = record ?? blank(id, event)
      const { reading, delta, totals } = event.data
      const { at } = event.metadata
      const measuredAt = rest.measuredAt !== null && rest.measuredAt > at ? rest.measuredAt : at
      const reported = {
        views: rest.reported.views || totals.views !== null,
        likes: rest.reported.likes || totals.likes !== null,
        comments: rest.reported.comments || totals.comments !== null,
        shares: rest.reported.shares || totals.shares !== null,
      }
      return { ...rest, reported, measuredAt, posts: posts + (reading === 0 ? 1 : 0), measured: plus(measured, delta) }
    },
    PostDeleted(record, { data }) {
      if (!record || !data.measured) return record
      const posts = record.posts - 1
      const measuredAt = posts === 0 ? null : record.measuredAt
      const reported = posts === 0 ? noneReported : record.reported
      return vanishIfEmpty({
        ...record,
        posts,
        measuredAt,
        reported,
        measured: plus(record.measured, data.figures, -1),
      })
    },
    SampleFiguresAdded(record, event, id) {
      const found = event.data.figures.find(({ platform }) => keyOf(event.data.clientId, platform) === id)
      if (!found) return record
      const { platform: _, ...sample } = found
      return { ...(record ?? blank(id, event)), sample }
    },
    SampleFiguresRemoved: (record) => record && vanishIfEmpty({ ...record, sample: null }),
  },
})

const vanishIfEmpty = (record: AnalyticsView) => (record.posts === 0 && record.sample === null ? null : record)
