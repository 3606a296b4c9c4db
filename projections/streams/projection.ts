import type { Recorded } from '../../domain/core/event.ts'
import { events } from '../../domain/event-store/catalogue.ts'
import type { Projection } from '../core/projection.ts'
import { streamKinds, streamView, type StreamView } from './view.ts'

const kindOf = (stream: string): StreamView['kind'] => {
  const found = streamKinds.find((kind) => stream.startsWith(`${kind}-`))
  if (!found) throw new Error(`No kind of stream is called ${stream}`)
  return found
}

export const streamsProjection: Projection<StreamView> = {
  name: 'streams',
  version: 1,
  view: streamView,
  indexes: [
    ['agencyId', 'id'],
    ['clientId', 'id'],
    ['agencyId', 'kind', 'firstAt'],
    ['clientId', 'kind', 'firstAt'],
  ],
  keys: ({ stream }) => [stream],
  types: [...new Set(events.names.map((name) => events.typeOf(name)))],
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
