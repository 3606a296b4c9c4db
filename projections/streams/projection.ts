import { agencyEvents } from '../../domain/agency/events.ts'
import { auditorLinkEvents } from '../../domain/auditor-link/events.ts'
import { clientEvents } from '../../domain/client/events.ts'
import type { Recorded } from '../../domain/core/event.ts'
import { discussionEvents } from '../../domain/discussion/events.ts'
import { generationEvents } from '../../domain/generation/events.ts'
import { postEvents } from '../../domain/post/events.ts'
import { reviewLinkEvents } from '../../domain/review-link/events.ts'
import { sampleEvents } from '../../domain/sample/events.ts'
import type { Projection } from '../core/projection.ts'
import { streamKinds, streamView, type StreamView } from './view.ts'

const kindOf = (stream: string): StreamView['kind'] => {
  const found = streamKinds.find((kind) => stream.startsWith(`${kind}-`))
  if (!found) throw new Error(`No kind of stream is called ${stream}`)
  return found
}

export const streamsProjection: Projection<StreamView> = {
  name: 'streams',
  wordScope: null,
  version: 1,
  view: streamView,
  indexes: [
    ['agencyId', 'id'],
    ['clientId', 'id'],
    ['agencyId', 'kind', 'firstAt'],
    ['clientId', 'kind', 'firstAt'],
  ],
  keys: ({ stream }) => [stream],
  isPerStream: true,
  types: Object.keys({
    ...agencyEvents,
    ...clientEvents,
    ...generationEvents,
    ...postEvents,
    ...sampleEvents,
    ...auditorLinkEvents,
    ...reviewLinkEvents,
    ...discussionEvents,
  }),
  apply: (doc, { stream, revision, metadata, type }: Recorded) => ({
    id: stream,
    kind: kindOf(stream),
    agencyId: metadata.agencyId,
    clientId: metadata.clientId ?? null,
    revision,
    hash: metadata.hash,
    firstAt: doc?.firstAt ?? metadata.at,
    lastAt: metadata.at,
    lastType: type,
  }),
}
