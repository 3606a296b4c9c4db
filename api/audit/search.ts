/** Finds posts as they were at an instant, deleted ones too: page by page, each folded from the log. */
import { agencyDecider } from '../../domain/agency/decider.ts'
import type { AgencyEvent } from '../../domain/agency/events.ts'
import type { Instant, StoredEvent } from '../../domain/core/event.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { Views } from '../../projections/registry.ts'
import type { AuditFound, AuditPost } from '../contract/index.ts'
import { Problem } from '../http/problem.ts'
import { postAfter } from '../streams.ts'
import { eventsOf, type AuditScope } from './scope.ts'

export interface SearchPorts {
  readonly events: EventStore
  readonly views: Pick<Views, 'streams'>
}

export interface Sought {
  readonly client?: string | undefined
  readonly status?: AuditPost['status'] | undefined
  readonly text?: string | undefined
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  readonly asOf?: Instant | undefined
  readonly cursor?: string | undefined
}

const perPage = 50
/** Looked through for one page; what is left is behind `next`. */
const mostLookedThrough = 1_000
const shownCharacters = 200

export async function search({ events, views }: SearchPorts, { agencyId, clientId }: AuditScope, { client, status, text, from, to, asOf, cursor }: Sought): Promise<AuditFound> {
  const only = clientId ?? client ?? null
  if (clientId !== null && client !== undefined && client !== clientId) return { items: [], next: null }
  const names = await namesOf(events, agencyId)
  const where = { ...(only === null ? { agencyId } : { agencyId, clientId: only }), kind: 'post', ...between(from, to, asOf) }
  const wanted = text?.toLowerCase() ?? ''
  const items: AuditPost[] = []
  let next = cursor ?? null
  let lookedThrough = 0
  do {
    const query = { where, sort: { field: 'firstAt', order: 'desc' }, limit: perPage, ...(next === null ? {} : { cursor: next }) } as const
    const page = await views.streams.page(query).catch((error: unknown) => {
      throw cursor !== undefined && lookedThrough === 0 && error instanceof RangeError ? new Problem(400, 'invalid', 'Cursor: Not from an earlier answer') : error
    })
    const posts = await Promise.all(page.items.map(async ({ id }) => postOf(id, await eventsOf(events, id, asOf ?? null), names)))
    for (const post of posts) {
      const fits = post && (status === undefined || post.status === status) && post.text.toLowerCase().includes(wanted)
      if (fits) items.push(post.shown)
    }
    lookedThrough += page.items.length
    next = page.next
  } while (next !== null && items.length === 0 && lookedThrough < mostLookedThrough)
  return { items, next }
}

/** A range on the time of writing, of which no state can be asked before it. */
function between(from: Instant | undefined, to: Instant | undefined, asOf: Instant | undefined) {
  const end = [to, asOf].filter((each) => each !== undefined).toSorted()[0]
  // The end itself belongs to it.
  const past = end && new Date(Date.parse(end) + 1).toISOString()
  return from === undefined && past === undefined ? {} : { firstAt: { ...(from && { gte: from }), ...(past && { lt: past }) } }
}

function postOf(stream: string, events: readonly StoredEvent[], names: ReadonlyMap<string, string>) {
  const [first, last] = [events[0], events.at(-1)]
  if (!first || !last) return null
  const post = postAfter(events.map(recorded))
  const shown: AuditPost = {
    id: stream.slice('post-'.length),
    clientId: post.clientId,
    clientName: names.get(post.clientId) ?? '',
    platform: post.platform,
    status: post.deleted ? 'deleted' : post.status,
    content: [...post.content].slice(0, shownCharacters).join(''),
    scheduledFor: post.scheduledFor,
    createdAt: first.metadata.at,
    lastAt: last.metadata.at,
    events: events.length,
  }
  return { shown, status: shown.status, text: post.content }
}

/** Every client that the agency ever had, by its last name. */
export async function namesOf(events: EventStore, agencyId: string): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  let state = agencyDecider.initial
  for (const stored of await eventsOf(events, `agency-${agencyId}`, null)) {
    state = agencyDecider.evolve(state, recorded(stored) as unknown as AgencyEvent)
    for (const [id, { name }] of Object.entries(state.clients)) names.set(id, name)
  }
  return names
}
