import type { ReviewLinkEvent } from '../../domain/review-link/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { reviewLinkView } from './view.ts'

export const reviewLinksProjection = projection<ReviewLinkEvent>()({
  name: 'review-links',
  version: 1,
  view: reviewLinkView,
  indexes: [
    ['clientId', 'issuedAt'],
    ['agencyId', 'revokedAt', 'expiresAt'],
    ['agencyId', 'issuedBy'],
  ],
  on: {
    ReviewLinkIssued: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      agencyId: metadata.agencyId,
      issuedBy: metadata.actor.id,
      ...data,
      issuedAt: metadata.at,
      revokedAt: null,
      lastUsedAt: null,
    }),
    ReviewLinkRevoked: (link, { metadata }) => link && { ...link, revokedAt: metadata.at },
    ReviewLinkUsed: (link, { data }) => link && { ...link, lastUsedAt: data.usedAt },
  },
})
