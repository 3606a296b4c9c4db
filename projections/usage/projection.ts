import type { GenerationEvent } from '../../domain/generation/events.ts'
import { projection } from '../core/projection.ts'
import { usageView, type UsageView } from './view.ts'

const monthOf = (at: string) => at.slice(0, 7)

export const usageProjection = projection<GenerationEvent>()({
  name: 'usage',
  version: 1,
  view: usageView,
  indexes: [['agencyId', 'month']],
  keys: ({ metadata: { agencyId, at } }) => [`${agencyId}:${monthOf(at)}`],
  on: {
    ContentGenerated(usage, { data: { writer, model, tokens }, metadata: { agencyId, at } }, id): UsageView {
      const { texts, tokens: before, writers } = usage ?? { texts: 0, tokens: 0, writers: [] }
      const counted = tokens ?? 0
      const isSame = (share: UsageView['writers'][number]) => share.writer === writer && share.model === model
      const known = writers.some(isSame) ? writers : [...writers, { writer, model, texts: 0, tokens: 0 }]
      return {
        id,
        agencyId,
        month: monthOf(at),
        texts: texts + 1,
        tokens: before + counted,
        writers: known.map((share) =>
          isSame(share) ? { ...share, texts: share.texts + 1, tokens: share.tokens + counted } : share,
        ),
      }
    },
  },
})
