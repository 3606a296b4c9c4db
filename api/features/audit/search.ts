/** Finds posts as they were at an instant, deleted ones included: page by page, each folded from the log. */
import type { AgencyEvent } from '../../../domain/agency/events.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { userOf, type Instant } from '../../../domain/core/event.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import { weightOf } from '../../../projections/core/weight.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AuditFound, AuditPost } from '../../contract/index.ts'
import { pageBounds, pageOf, type PageBounds } from '../../http/paging.ts'
import { mapInOrder } from '../../core/map-in-order.ts'
import type { LogReads } from '../history/log-reads.ts'
import { ReadCost, type Charge } from '../history/read-cost.ts'
import { foldUpTo, whereIn, type AuditScope } from '../history/scope.ts'

export interface SearchPorts {
  readonly events: EventStore
  readonly views: Pick<Views, 'streams'>
  readonly reads: LogReads
}

export interface Sought {
  readonly client?: string | undefined
  readonly status?: AuditPost['status'] | undefined
  readonly text?: string | undefined
  /** Only posts on which this user acted. */
  readonly by?: string | undefined
  readonly from?: Instant | undefined
  readonly to?: Instant | undefined
  readonly asOf?: Instant | undefined
  readonly cursor?: string | undefined
}

const perPage = 50
const bounds: PageBounds = { ...pageBounds, items: perPage, looked: 1_000 }
/** The limit on event characters read for one page; `next` continues with the rest. */
const maxRead = 40_000_000
const shownCharacters = 200

/** @throws Problem 400 for a wrong cursor, 429 when the queue is full or the points are used up */
export async function search(
  { events, views, reads }: SearchPorts,
  scope: AuditScope,
  { client, status, text, by, from, to, asOf, cursor }: Sought,
  charge: Charge,
): Promise<AuditFound> {
  const { agencyId, clientId, among } = scope
  const only = clientId ?? client ?? null
  if (only !== null && among && !among.includes(only)) return { items: [], next: null }
  if (clientId !== null && client !== undefined && client !== clientId) return { items: [], next: null }
  return reads.run(agencyId, async () => {
    const names = await namesOf(events, agencyId)
    const where = {
      agencyId,
      ...whereIn({ ...scope, clientId: only }),
      kind: 'post',
      ...between(from, to, asOf),
    }
    const wanted = text?.toLowerCase() ?? ''
    const streams = views.streams.each({
      where,
      sort: { field: 'firstAt', order: 'desc' },
      ...(cursor === undefined ? {} : { cursor }),
    })
    let left = maxRead
    let looked = 0
    let found = 0
    // A page with few matches now is better than a full one after a long wait.
    const goesOn = () => left > 0 && (found === 0 || looked < perPage)
    const cost = new ReadCost(charge)
    const lives = mapInOrder(streams, async ({ item: { id }, cursor: behind }) => {
      await cost.post()
      return { item: await lifeOf(events, id, asOf ?? null), cursor: behind }
    })
    const shape = (life: Life): AuditPost | null => {
      left -= life.characters
      looked += 1
      const shown = shownOf(life, names)
      const fits =
        shown !== null &&
        (status === undefined || shown.status === status) &&
        (by === undefined || life.users.has(by)) &&
        life.post.content.toLowerCase().includes(wanted)
      if (fits) found += 1
      return fits ? shown : null
    }
    const { body, page } = await pageOf(lives, shape, bounds, goesOn)
    return { items: body, next: page.next }
  })
}

/** A range on the creation time. A post has no state before its creation, so `asOf` bounds the range too. */
function between(from: Instant | undefined, to: Instant | undefined, asOf: Instant | undefined) {
  const end = [to, asOf].filter((each) => each !== undefined).toSorted()[0]
  // `end` itself is included.
  const past = end && new Date(Date.parse(end) + 1).toISOString()
  return from === undefined && past === undefined
    ? {}
    : { firstAt: { ...(from && { gte: from }), ...(past && { lt: past }) } }
}

interface Life {
  readonly id: string
  readonly post: Post
  readonly createdAt: Instant | null
  readonly lastAt: Instant
  readonly events: number
  /** Who acted on it. */
  readonly users: ReadonlySet<string>
  /** The number of characters read to find it. */
  readonly characters: number
}

const unborn: Omit<Life, 'id'> = {
  post: initialPost,
  createdAt: null,
  lastAt: '',
  events: 0,
  users: new Set(),
  characters: 0,
}

const lifeOf = (events: EventStore, stream: string, upTo: Instant | null): Promise<Life> =>
  foldUpTo<Life>(events, stream, upTo, { ...unborn, id: stream.slice('post-'.length) }, (life, stored) => ({
    ...life,
    post: evolvePost(life.post, recorded(stored) as unknown as PostEvent),
    createdAt: life.createdAt ?? stored.metadata.at,
    lastAt: stored.metadata.at,
    events: life.events + 1,
    users: withUser(life.users, userOf(stored)),
    characters: life.characters + weightOf(stored.data),
  }))

/** The same set again for a user who is in it. */
const withUser = (users: ReadonlySet<string>, userId: string | null): ReadonlySet<string> =>
  userId === null || users.has(userId) ? users : new Set([...users, userId])

function shownOf({ id, post, createdAt, lastAt, events }: Life, names: ReadonlyMap<string, string>): AuditPost | null {
  if (createdAt === null) return null
  return {
    id,
    clientId: post.clientId,
    clientName: names.get(post.clientId) ?? '',
    platform: post.platform,
    status: post.deleted ? 'deleted' : post.status,
    content: Array.from(post.content.slice(0, 2 * shownCharacters))
      .slice(0, shownCharacters)
      .join(''),
    scheduledFor: post.scheduledFor,
    createdAt,
    lastAt,
    events,
  }
}

/** Every client that the agency ever had, by its last name. */
export function namesOf(events: EventStore, agencyId: string): Promise<ReadonlyMap<string, string>> {
  return foldUpTo(events, `agency-${agencyId}`, null, new Map<string, string>(), (names, stored) => {
    const event = recorded(stored) as unknown as AgencyEvent
    if (event.type === 'ClientAdded' || event.type === 'ClientProfileRevised')
      names.set(event.data.clientId, event.data.profile.name)
    return names
  })
}

/** The limit on names in an answer; current clients are always included. */
const maxNamed = 2_000

/** In the order in which they were added; of too many removed clients, only the last ones. */
export function named(
  names: ReadonlyMap<string, string>,
  { clients }: Pick<Agency, 'clients'>,
): { readonly id: string; readonly name: string }[] {
  const all = [...names].map(([id, name]) => ({ id, name }))
  const early = all.slice(0, -maxNamed).filter(({ id }) => id in clients)
  return [...early, ...all.slice(-maxNamed)]
}
