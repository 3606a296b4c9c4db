/** All events of this product, by stored name. */
import { agencyHistory } from '../agency/history.ts'
import { auditorLinkHistory } from '../auditor-link/history.ts'
import { clientHistory } from '../client/history.ts'
import type { Recorded, StoredEvent } from '../core/event.ts'
import { catalogue } from '../core/history.ts'
import { discussionHistory } from '../discussion/history.ts'
import { generationHistory } from '../generation/history.ts'
import { postHistory } from '../post/history.ts'
import { reviewLinkHistory } from '../review-link/history.ts'
import { sampleHistory } from '../sample/history.ts'

export const events = catalogue([
  agencyHistory,
  clientHistory,
  generationHistory,
  postHistory,
  sampleHistory,
  auditorLinkHistory,
  reviewLinkHistory,
  discussionHistory,
])

/** A stored event in the newest shape of its type. @throws UnknownEvent */
export function recorded({ name, data, metadata, stream, revision, position }: StoredEvent): Recorded {
  return { type: events.typeOf(name), data: events.upcast(name, data), metadata, stream, revision, position }
}
