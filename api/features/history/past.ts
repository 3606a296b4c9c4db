/** The state at an instant, from the log alone: each stream is folded up to that instant. */
import { agencyDecider } from '../../../domain/agency/decider.ts'
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { Instant, StoredEvent } from '../../../domain/core/event.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { calendarProjection } from '../../../projections/calendar/projection.ts'
import type { CalendarView } from '../../../projections/calendar/view.ts'
import type { Projection } from '../../../projections/core/projection.ts'
import { fromCursor, toCursor } from '../../../projections/read-store/cursor.ts'
import type { Views } from '../../../projections/registry.ts'
import { later } from '../../core/clock.ts'
import { pageBounds, pageOf, type Candidate, type ListPage, type PageBounds } from '../../http/paging.ts'
import { FoldMarks } from './fold-marks.ts'
import { mapInOrder } from '../../core/map-in-order.ts'
import { LogReads, longReads, shortReads } from './log-reads.ts'
import { ReadCost, type Charge } from './read-cost.ts'
import { firstOf, foldUpTo, isIn, whereIn, type AuditScope } from './scope.ts'

type Folds<V extends { readonly id: string }> = Projection<V, never>

/** A month on a calendar: `from` is included, `to` is not. */
export interface MonthOf {
  readonly month: string
  readonly from: Instant
  readonly to: Instant
}

/** Which posts at which instant, from a cursor on. */
export interface PastList {
  readonly scope: AuditScope
  readonly at: Instant
  readonly cursor: string | undefined
  readonly bounds: PageBounds
}

export class Past {
  readonly #reads = new LogReads(longReads)
  /** For answers about one post or one page of a search. */
  readonly shortReads = new LogReads(shortReads)
  readonly marks = new FoldMarks()
  constructor(
    private readonly events: EventStore,
    private readonly views: Pick<Views, 'streams' | 'postMonths'>,
  ) {}

  /** The agency at the instant. */
  agency(agencyId: string, at: Instant): Promise<Agency> {
    return foldUpTo(this.events, `agency-${agencyId}`, at, agencyDecider.initial, (state, event) =>
      agencyDecider.evolve(state, recorded(event) as AgencyEvent),
    )
  }

  /**
   * Null when the post didn't exist at the instant, was already deleted, or isn't in the scope. @throws Problem 429
   * when the queue is full
   */
  async post<V extends { readonly id: string }>(
    projection: Folds<V>,
    scope: AuditScope,
    postId: string,
    at: Instant,
  ): Promise<V | null> {
    const stream = `post-${postId}`
    const first = await firstOf(this.events, stream)
    if (first === null || !isIn(scope, [first])) return null
    return this.shortReads.run(scope.agencyId, () => this.#folded(projection, stream, at))
  }

  /**
   * A page of posts at the instant, newest first, as in the content library. @throws Problem 400 for a wrong cursor,
   * 429 when the queue is full or the points are used up
   */
  posts<V extends { readonly id: string }, R>(
    projection: Folds<V>,
    { scope, at, cursor, bounds }: PastList,
    shape: (doc: V) => Promise<R>,
    charge: Charge,
  ): Promise<ListPage<R>> {
    const cost = new ReadCost(charge)
    const where = { ...whereIn(scope), kind: 'post', firstAt: { lt: later(at, 1) } }
    const streams = this.views.streams.each({
      where,
      sort: { field: 'firstAt', order: 'desc' },
      ...(cursor === undefined ? {} : { cursor }),
    })
    const folded = mapInOrder(streams, async ({ item: { id }, cursor: behind }) => {
      await cost.post()
      return { item: await this.#folded(projection, id, at), cursor: behind }
    })
    return this.#reads.run(scope.agencyId, () => pageOf(folded, (doc) => (doc === null ? null : shape(doc)), bounds))
  }

  /**
   * A page of a month's calendar at the instant, by time. A view tells which posts were ever planned in the month; what
   * they were is folded from the log. @throws Problem 400 for a wrong cursor, 429 when the queue is full or the points
   * are used up
   */
  calendar<R>(
    scope: AuditScope,
    at: Instant,
    month: MonthOf,
    cursor: string | undefined,
    shape: (doc: CalendarView) => Promise<R | null> | R | null,
    charge: Charge,
  ): Promise<ListPage<R>> {
    const cost = new ReadCost(charge)
    return this.#reads.run(scope.agencyId, () => pageOf(this.#calendar(scope, at, month, cursor, cost), shape))
  }

  /** Sorting needs every post's state at the instant, but only as many as fit on a page are kept. */
  async *#calendar(
    scope: AuditScope,
    at: Instant,
    { month, from, to }: MonthOf,
    cursor: string | undefined,
    cost: ReadCost,
  ): AsyncGenerator<Candidate<CalendarView>> {
    const after = cursor === undefined ? null : fromCursor(cursor, byTime)
    const maxItems = pageBounds.looked + 1
    let found: CalendarView[] = []
    const stateOf = async (postId: string) => {
      await cost.post()
      return this.#folded(calendarProjection, `post-${postId}`, at)
    }
    for await (const doc of mapInOrder(this.#plannedIn(scope, month), stateOf)) {
      const time = doc?.scheduledFor ?? null
      if (!doc || time === null || time < from || time >= to || (after !== null && !isBehind(doc, after))) continue
      found.push(doc)
      if (found.length >= 2 * maxItems) found = inOrder(found).slice(0, maxItems)
    }
    for (const item of inOrder(found).slice(0, maxItems)) yield { item, cursor: () => toCursor(item.id, item, byTime) }
  }

  /** The ids of the posts that were ever planned in the month. */
  async *#plannedIn(scope: AuditScope, month: string): AsyncGenerator<string> {
    const where = { agencyId: scope.agencyId, ...whereIn(scope), month }
    for await (const { item } of this.views.postMonths.each({ where })) yield item.postId
  }

  #folded<V extends { readonly id: string }>(projection: Folds<V>, stream: string, at: Instant): Promise<V | null> {
    const key = stream.slice('post-'.length)
    return foldUpTo(this.events, stream, at, null as V | null, (state, event) => next(projection, state, event, key))
  }
}

const byTime = { field: 'scheduledFor', order: 'asc' } as const

const isBehind = ({ id, scheduledFor }: CalendarView, mark: ReturnType<typeof fromCursor>) =>
  (scheduledFor ?? '') > String(mark.value) || (scheduledFor === mark.value && id > mark.id)

/** In the read store's sort order. */
const inOrder = (docs: readonly CalendarView[]) =>
  docs.toSorted((a, b) =>
    (a.scheduledFor ?? '') === (b.scheduledFor ?? '')
      ? a.id < b.id
        ? -1
        : 1
      : (a.scheduledFor ?? '') < (b.scheduledFor ?? '')
        ? -1
        : 1,
  )

function next<V extends { readonly id: string }>(
  projection: Folds<V>,
  doc: V | null,
  stored: StoredEvent,
  key: string,
): V | null {
  const event = recorded(stored)
  return projection.types.includes(event.type) ? projection.apply(doc, event as never, key) : doc
}
