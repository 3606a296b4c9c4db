/** What was so at an instant, from the log alone: each stream's beginning up to then. */
import { agencyDecider } from '../../domain/agency/decider.ts'
import type { AgencyEvent } from '../../domain/agency/events.ts'
import type { Agency } from '../../domain/agency/state.ts'
import type { Instant, StoredEvent } from '../../domain/core/event.ts'
import { breath } from '../../domain/event-store/breath.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { calendarProjection } from '../../projections/calendar/projection.ts'
import type { CalendarView } from '../../projections/calendar/view.ts'
import type { Projection } from '../../projections/core/projection.ts'
import { postsProjection } from '../../projections/posts/projection.ts'
import type { PostView } from '../../projections/posts/view.ts'
import type { Views } from '../../projections/registry.ts'
import { Problem } from '../http/problem.ts'
import { Crowded, FairQueue } from '../limits/fair-queue.ts'
import { eventsOf, isIn, streamsIn, type AuditScope } from './scope.ts'

/** Streams that are read at the same time. */
const atOnce = 16
/** Who asks for everything of a time waits in a short row: each reads much of the log. One agency can't have all of it. */
const row = { atOnce: 1, mostWaiting: 8, mostOfSource: 2 } as const

export class Past {
  readonly #row = new FairQueue(row)
  constructor(
    private readonly events: EventStore,
    private readonly views: Pick<Views, 'streams'>,
  ) {}

  /** The agency as it was. */
  async agency(agencyId: string, at: Instant): Promise<Agency> {
    const events = await eventsOf(this.events, `agency-${agencyId}`, at)
    return events.map(recorded).reduce((state, event) => agencyDecider.evolve(state, event as AgencyEvent), agencyDecider.initial)
  }

  /** Null: it wasn't there then, it had been deleted, or it isn't in the scope. */
  async post(scope: AuditScope, postId: string, at: Instant): Promise<PostView | null> {
    const events = await eventsOf(this.events, `post-${postId}`, at)
    return isIn(scope, events) ? folded(postsProjection, postId, events) : null
  }

  /** The newest first, as the content library has them. */
  async posts(scope: AuditScope, at: Instant): Promise<readonly PostView[]> {
    const found = await this.#all(postsProjection, scope, at)
    return found.toSorted((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1))
  }

  /** What stood on the calendar, by time. */
  async calendar(scope: AuditScope, at: Instant): Promise<readonly CalendarView[]> {
    const found = await this.#all(calendarProjection, scope, at)
    return found.toSorted((a, b) => ((a.scheduledFor ?? '') < (b.scheduledFor ?? '') ? -1 : 1))
  }

  /** One after the other. @throws Problem 429 when too many ask */
  async #all<V extends { readonly id: string }>(projection: Projection<V, never>, scope: AuditScope, at: Instant): Promise<V[]> {
    try {
      return await this.#row.run({ source: scope.agencyId, isKnown: true }, () => this.#read(projection, scope, at))
    } catch (error) {
      if (!(error instanceof Crowded)) throw error
      const sentence = error.byItself ? 'Your agency or its auditors ask for the past several times at once already.' : 'Many are asking for the past right now.'
      throw new Problem(429, 'too-many', `${sentence} Please try again in a moment.`, { 'Retry-After': '5' })
    }
  }

  async #read<V extends { readonly id: string }>(projection: Projection<V, never>, scope: AuditScope, at: Instant): Promise<V[]> {
    const found: V[] = []
    let some: Promise<V | null>[] = []
    const gather = async () => {
      for (const doc of await Promise.all(some)) if (doc) found.push(doc)
      some = []
      // What others ask comes in between.
      await breath()
    }
    for await (const { id, kind, firstAt } of streamsIn(scope, this.views)) {
      if (kind !== 'post' || firstAt > at) continue
      some.push(eventsOf(this.events, id, at).then((events) => folded(projection, id.slice('post-'.length), events)))
      if (some.length >= atOnce) await gather()
    }
    await gather()
    return found
  }
}

function folded<V extends { readonly id: string }>(projection: Projection<V, never>, key: string, events: readonly StoredEvent[]): V | null {
  let doc: V | null = null
  for (const stored of events) {
    const event = recorded(stored)
    if (projection.types.includes(event.type)) doc = projection.apply(doc, event as never, key)
  }
  return doc
}
