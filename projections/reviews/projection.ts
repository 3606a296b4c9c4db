import type { Recorded } from '../../domain/core/event.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { reviewView, type ReviewView } from './view.ts'

type JudgingEvent = Extract<PostEvent, { type: 'PostSignedOff' | 'PostReviewed' | 'PostHeld' }>

/** As many people as one link takes, and a person's verdict on each side of a hold. */
const maxVerdicts = 200
/** More than are given of a post while the letter about them waits. */
const maxEarlier = 50

type Verdict = ReviewView['verdicts'][number]

function judged(event: JudgingEvent): (Omit<Verdict, 'at'> & { readonly linkId: string }) | null {
  if (event.type === 'PostHeld') return event.data.review && { ...event.data.review, verdict: 'hold' }
  return { ...event.data, verdict: event.type === 'PostReviewed' ? event.data.verdict : 'approve' }
}

const after = (review: ReviewView | null, event: Recorded<JudgingEvent>, id: string): ReviewView | null => {
  const { stream, metadata } = event
  const of = judged(event)
  if (!of) return review
  const { reviewerId, verdict, version, noteId } = of
  const known = review?.verdicts ?? []
  const isTheirs = (other: Verdict) => other.reviewerId === reviewerId
  return {
    id,
    linkId: of.linkId,
    postId: idOf(stream),
    agencyId: metadata.agencyId,
    clientId: metadata.clientId ?? '',
    verdicts: [
      ...known.filter((other) => !isTheirs(other)),
      { reviewerId, verdict, version, noteId, at: metadata.at },
    ].slice(-maxVerdicts),
    earlier: [...(review?.earlier ?? []), ...known.filter(isTheirs)].slice(-maxEarlier),
    at: metadata.at,
  }
}

export const reviewsProjection = projection<JudgingEvent>()({
  name: 'reviews',
  version: 2,
  view: reviewView,
  indexes: [['linkId', 'id']],
  predecessors: [{ version: 1, convert: (document) => reviewView.parse({ ...document, earlier: [], at: '' }) }],
  keys: (event) => {
    const of = judged(event)
    return of ? [`${of.linkId}:${idOf(event.stream)}`] : []
  },
  on: { PostSignedOff: after, PostReviewed: after, PostHeld: after },
})
