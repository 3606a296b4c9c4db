import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { figuresDueView } from './view.ts'

type FiguresDueEvent = Extract<
  PostEvent,
  { type: 'PostWritten' | 'PostPublished' | 'PostMetricsRecorded' | 'PostDeleted' }
>

export const figuresDueProjection = projection<FiguresDueEvent>()({
  name: 'figures-due',
  version: 2,
  view: figuresDueView,
  indexes: [['readings', 'publishedAt']],
  on: {
    PostWritten: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      agencyId: metadata.agencyId,
      clientId: data.clientId,
      accountId: data.accountId,
      platform: data.platform,
      publishedAt: null,
      remoteId: null,
      readings: 0,
    }),
    PostPublished: (post, { data, metadata }) =>
      // A user gave only a URL: without a remote id the network can't be asked for figures.
      post && data.remoteId !== null ? { ...post, publishedAt: metadata.at, remoteId: data.remoteId } : post,
    PostMetricsRecorded: (post, { data }) => (post ? { ...post, readings: data.reading + 1 } : null),
    PostDeleted: () => null,
  },
})
