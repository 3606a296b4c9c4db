import type { AuditorLinkEvent } from '../../domain/auditor-link/events.ts'
import { idOf, projection } from '../core/projection.ts'
import { auditorLinkView } from './view.ts'

export const auditorLinksProjection = projection<AuditorLinkEvent>()({
  name: 'auditor-links',
  version: 2,
  view: auditorLinkView,
  indexes: [
    ['agencyId', 'issuedAt'],
    ['agencyId', 'issuedBy'],
  ],
  predecessors: [{ version: 1, convert: (link) => auditorLinkView.parse({ ...link, issuedBy: null }) }],
  on: {
    AuditorLinkIssued: (_, { stream, data, metadata }) => ({
      id: idOf(stream),
      agencyId: metadata.agencyId,
      issuedBy: metadata.actor.id,
      ...data,
      issuedAt: metadata.at,
      revokedAt: null,
      lastUsedAt: null,
      uses: 0,
    }),
    AuditorLinkRevoked: (link, { metadata }) => link && { ...link, revokedAt: metadata.at },
    AuditorLinkUsed: (link, { data }) => link && { ...link, lastUsedAt: data.usedAt, uses: link.uses + 1 },
  },
})
