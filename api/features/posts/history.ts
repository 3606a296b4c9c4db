/** The events of a post, each with the post's state right after it: the newest page first, earlier ones by cursor. */
import type { Actor, Instant, Recorded } from '../../../domain/core/event.ts'
import type { Comment } from '../../../domain/discussion/state.ts'
import { yieldToEventLoop } from '../../../domain/event-store/yield-to-event-loop.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import { weightOf } from '../../../projections/core/weight.ts'
import { fromCursor, toCursor } from '../../../projections/read-store/cursor.ts'
import { WrongCursor } from '../../../projections/read-store/port.ts'
import type { LogReads } from '../history/log-reads.ts'
import type { Past } from '../history/past.ts'
import { auditScopeOf, eventsUpTo, firstOf, isIn, type AuditScope } from '../history/scope.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Users } from '../auth/users.ts'
import type { ReviewRecords } from '../review/records.ts'
import { rolesAt, type RoleAt } from '../team/roles-at.ts'
import type { HistoryEntry } from '../../contract/index.ts'
import type { Commands } from '../../core/commands.ts'
import type { Handlers } from '../../http/handler.ts'
import { bytesPerTurn, pageBounds, wrongCursor, type ListPage } from '../../http/paging.ts'
import { notFound } from '../../http/problem.ts'
import { mappedInOrder } from '../../core/map-in-order.ts'
import { commentedEntry, commentsBetween } from './history-comments.ts'
import type { FoldMarks } from '../history/fold-marks.ts'

/** Names and words of reviewers, which are records. */
export interface ReviewWords {
  nameOf(reviewerId: string): Promise<string>
  /** Null: it was erased, or the reader may not see it. */
  noteOf(noteId: string): Promise<string | null>
}

interface Ports {
  readonly events: EventStore
  /** A user's name, as the reader may see it. */
  readonly nameOf: (userId: string) => Promise<string>
  /** The names of reviewers, and their words where the reader may see them. */
  readonly reviews: ReviewWords
  /** Of the post, without words. */
  readonly commentsOn: (postId: string) => Promise<readonly Comment[]>
  readonly roleOf: RoleAt
  readonly reads: LogReads
  readonly marks: FoldMarks
}

const maxEntries = 200

/** An event and the post right after it. */
interface Step {
  readonly event: Recorded
  readonly post: Post
  /** The approximate number of characters in both texts. */
  readonly weight: number
}

/**
 * The last entries before a cursor, as many as fit one answer, oldest first. The post is folded from a mark; only the
 * entries to show and new marks are kept in memory. @throws Problem 404 for a post that is not in the scope, 400 for a
 * cursor of another list, 429 when the queue is full
 */
export async function historyOf(
  { events, nameOf, reviews, commentsOn, roleOf, reads, marks }: Ports,
  scope: AuditScope,
  postId: string,
  cursor: string | undefined,
): Promise<ListPage<HistoryEntry>> {
  const before = revisionIn(cursor, postId)
  // The scope is checked by the events, because the post and its client may have been deleted.
  const first = await firstOf(events, `post-${postId}`)
  if (!first || !isIn(scope, [first])) throw notFound('This post')
  const [{ steps, until }, comments] = await reads.run(scope.agencyId, () =>
    Promise.all([lastSteps({ events, marks }, postId, before), commentsOn(postId)]),
  )
  const names = new Map<string, string>()
  const nameOfActor = async ({ type, id }: Actor) =>
    type === 'user' ? nameOf(id) : type === 'reviewer' ? reviews.nameOf(id) : 'SocialAI'
  const actorOf = async (actor: Actor, at: Instant): Promise<HistoryEntry['actor']> => {
    const name = names.get(actor.id) ?? (await nameOfActor(actor))
    names.set(actor.id, name)
    return { ...actor, name, role: actor.type === 'user' ? await roleOf(actor.id, at) : null }
  }
  const body: HistoryEntry[] = []
  let bytes = 0
  let next = until
  let untilYield = bytesPerTurn
  for (const { event, post } of steps.toReversed()) {
    const { actor, at } = event.metadata
    const entry = entryOf(event, post, await actorOf(actor, at))
    const said = commentsBetween(comments, at, next)
    if (said.length > 0) entry.comments = await mappedInOrder(said, (comment) => commentedEntry(comment, actorOf))
    next = at
    const noteId = noteIn(event)
    if (noteId !== null) entry.note = await reviews.noteOf(noteId)
    const size = Buffer.byteLength(JSON.stringify(entry)) + 1
    bytes += size
    if (body.length > 0 && bytes > pageBounds.bytes) break
    body.push(entry)
    untilYield -= size
    if (untilYield < 0) {
      untilYield = bytesPerTurn
      await yieldToEventLoop()
    }
  }
  const oldest = body.at(-1)?.revision ?? 0
  return {
    body: body.reverse(),
    page: { next: oldest === 0 ? null : toCursor(postId, { revision: oldest }, byRevision) },
  }
}

/** Between two marks lies as much as a page can hold, so a page starts after the last mark but one. */
async function lastSteps(
  { events, marks }: Pick<Ports, 'events' | 'marks'>,
  postId: string,
  before: number,
): Promise<{ readonly steps: readonly Step[]; readonly until: Instant | null }> {
  const known = marks.before(postId, before)
  const start = known.at(-2) ?? { revision: 0, post: initialPost }
  let marked = known.at(-1)?.revision ?? 0
  let sinceMark = { events: 0, weight: 0 }
  let { post } = start
  const steps: Step[] = []
  let weight = 0
  let until: Instant | null = null
  for await (const stored of eventsUpTo(events, `post-${postId}`, null, start.revision)) {
    if (stored.revision >= before) {
      until = stored.metadata.at
      break
    }
    if (sinceMark.events >= maxEntries || sinceMark.weight > pageBounds.bytes) {
      marks.add(postId, { revision: stored.revision, post })
      marked = stored.revision
      sinceMark = { events: 0, weight: 0 }
    }
    const event = recorded(stored)
    post = evolvePost(post, event as PostEvent)
    const step = { event, post, weight: post.content.length + weightOf(event.data) }
    steps.push(step)
    weight += step.weight
    if (stored.revision >= marked) sinceMark = { events: sinceMark.events + 1, weight: sinceMark.weight + step.weight }
    while (steps.length > maxEntries || (weight > pageBounds.bytes && steps.length > 1))
      weight -= steps.shift()?.weight ?? 0
  }
  return { steps, until }
}

function entryOf(
  { revision, type, data, metadata: { at, hash } }: Recorded,
  post: Post,
  actor: HistoryEntry['actor'],
): HistoryEntry {
  const { status, delivery, content, imageUrl, scheduledFor, deleted, round } = post
  const step = 'stepId' in data ? round?.policy.steps.find(({ id }) => id === data.stepId) : undefined
  return {
    revision,
    type,
    at,
    actor,
    status,
    delivery,
    content,
    imageUrl,
    scheduledFor,
    deleted,
    data: { ...data },
    ...(step && { step: step.name }),
    hash,
  }
}

/** The note of a verdict, or of a hold. */
function noteIn({ data }: Recorded): string | null {
  const of = 'review' in data ? data.review : data
  return typeof of === 'object' && of !== null && 'noteId' in of && typeof of.noteId === 'string' ? of.noteId : null
}

const byRevision = { field: 'revision', order: 'desc' } as const

/** Infinity without a cursor: all events come before it. */
function revisionIn(cursor: string | undefined, postId: string): number {
  if (cursor === undefined) return Number.POSITIVE_INFINITY
  try {
    const { id, value } = fromCursor(cursor, byRevision)
    if (id === postId && typeof value === 'number') return value
  } catch (error) {
    if (!(error instanceof WrongCursor)) throw error
  }
  throw wrongCursor()
}

interface HandlerPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'members'>
  readonly users: Users
  readonly past: Past
  readonly reviewRecords: Pick<ReviewRecords, 'people' | 'notes'>
}

export const historyHandlers = ({
  commands,
  views,
  users,
  past,
  reviewRecords: { people, notes },
}: HandlerPorts): Handlers<'getPostHistory'> => ({
  getPostHistory: ({ agencyId, me, params: { id }, query: { cursor } }) =>
    historyOf(
      {
        events: commands.ports.events,
        nameOf: (userId) => users.nameOf(userId),
        reviews: {
          nameOf: (reviewerId) => people.nameOf(reviewerId),
          noteOf: async (noteId) => (await notes.get(noteId))?.text ?? null,
        },
        commentsOn: async (postId) => (await commands.loadDiscussion(postId)).state.comments,
        roleOf: rolesAt(views, agencyId),
        reads: past.shortReads,
        marks: past.marks,
      },
      auditScopeOf(agencyId, me.clients),
      id,
      cursor,
    ),
})
