/** Believable posts as chained events, chained as the handler chains them. */
import { v7 as uuidv7 } from 'uuid'
import type { Fact, ChainedEvent } from '../domain/core/event.ts'
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import { chainHashes } from '../domain/event-store/chain.ts'
import { approved, claimed, published, submitted, written } from '../domain/post/test/examples.ts'

export interface Whose {
  readonly agencyId: string
  readonly clientId: string
}

/** Of nobody that the log knows: processes that look after what was removed would tidy up after them. */
const anonymous: Whose = {
  agencyId: '0195a000-0000-7000-8000-0000000000a2',
  clientId: '0195a000-0000-7000-8000-000000000001',
}
const life = [written, submitted, approved, claimed, published] as const

/** The number of events in a post's whole life. */
export const lifeLength = life.length

/** The life of one post: `post-<id>` and its five events. */
export function postLife(whose: Whose = anonymous): {
  readonly stream: string
  readonly events: readonly ChainedEvent[]
} {
  const stream = `post-${uuidv7()}`
  const [first, ...others] = life
  return {
    stream,
    events: chained(stream, [{ ...first, data: { ...first.data, clientId: whose.clientId } }, ...others], whose),
  }
}

/** The first event of a new post. */
export function onePost(): { readonly stream: string; readonly events: readonly ChainedEvent[] } {
  const stream = `post-${uuidv7()}`
  return { stream, events: chained(stream, [written], anonymous) }
}

function chained(stream: string, facts: readonly Fact[], { agencyId, clientId }: Whose): ChainedEvent[] {
  const head = { revision: -1, hash: null }
  return chainHashes(
    stream,
    head,
    facts.map((fact) => ({
      ...catalogue.encode(fact),
      metadata: {
        eventId: uuidv7(),
        at: new Date().toISOString(),
        actor: { type: 'user', id: agencyId },
        correlationId: agencyId,
        causationId: agencyId,
        schemaVersion: 1,
        agencyId,
        clientId,
      },
    })),
  )
}
