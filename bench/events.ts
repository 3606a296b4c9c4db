/** Believable posts as sealed events, chained as the handler chains them. */
import { v7 as uuidv7 } from 'uuid'
import type { Fact, SealedEvent } from '../domain/core/event.ts'
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import { seal } from '../domain/event-store/chain.ts'
import { approved, claimed, published, submitted, written } from '../domain/post/examples.ts'

const agencyId = '0195a000-0000-7000-8000-0000000000a2'
const clientId = '0195a000-0000-7000-8000-000000000001'
const life: readonly Fact[] = [written, submitted, approved, claimed, published]

/** How many events a post's whole life has. */
export const lifeLength = life.length

/** The life of one post: `post-<id>` and its five events. */
export function postLife(): { readonly stream: string; readonly events: readonly SealedEvent[] } {
  const stream = `post-${uuidv7()}`
  return { stream, events: sealed(stream, life) }
}

/** The first event of a new post. */
export function onePost(): { readonly stream: string; readonly events: readonly SealedEvent[] } {
  const stream = `post-${uuidv7()}`
  return { stream, events: sealed(stream, [written]) }
}

function sealed(stream: string, facts: readonly Fact[]): SealedEvent[] {
  const head = { revision: -1, hash: null }
  return seal(
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

