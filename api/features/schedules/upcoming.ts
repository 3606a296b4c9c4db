/** A schedule's next slots, and the post of each. */
import type { PostingSchedule } from '../../../domain/client/schedule-state.ts'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Views } from '../../../projections/registry.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Schedule, ScheduleSlot } from '../../contract/index.ts'
import type { Commands } from '../../core/commands.ts'
import { slotPost } from './slot-post.ts'
import { slotsOf, type Slot } from './slots.ts'

interface Ports {
  readonly commands: Commands
  readonly views: Pick<Views, 'duePosts' | 'plannedPosts' | 'postCards'>
  readonly clock: Clock
}

const shown = 7
/**
 * The limit on a schedule's listed failures: an agency can have fifty schedules with 350 slots a week each, and one
 * answer lists them all.
 */
const maxFailures = 50
const weekMs = 7 * 86_400_000

/**
 * An existing schedule, or proposed rules. The posts that changed rules would withdraw do not count as taking a slot.
 */
export interface Asked {
  readonly accountId: string
  readonly rules: ScheduleRules
  readonly timeZone: string
  readonly saved: (Pick<PostingSchedule, 'failures' | 'revision'> & { readonly id: string }) | null
}

/** The next seven slots, and the first fifty of the planned week that could not be written. */
export type Upcoming = Pick<Schedule, 'slots' | 'failures'>

export function upcoming({ commands, views, clock }: Ports) {
  /** The posts at the given times, by time. */
  async function foundAt(
    accountId: string,
    times: ReadonlySet<Instant>,
    saved: Asked['saved'],
  ): Promise<Map<Instant, ScheduleSlot>> {
    const [first, last] = [[...times][0], [...times].at(-1)]
    if (first === undefined || last === undefined) return new Map()
    const span = { gte: first, lt: later(last, 1) }
    const due = await views.duePosts.all({ where: { accountId, waiting: { in: [true, false] }, dueAt: span } })
    const relevant = due.flatMap(({ id, dueAt, deleted }) =>
      !deleted && dueAt !== null && times.has(dueAt) ? [{ id, at: dueAt }] : [],
    )
    const found = await Promise.all(
      relevant.map(async ({ id, at }) => ({
        id,
        at,
        plan: await views.plannedPosts.get(id),
        post: await views.postCards.get(id),
      })),
    )
    const there = new Map<Instant, ScheduleSlot>()
    for (const { id: postId, at, plan, post } of found) {
      if (saved === null && plan !== null && !plan.isTouched) continue
      const isOwn = plan !== null && plan.scheduleId === saved?.id
      if (isOwn || !there.has(at))
        there.set(at, { at, state: isOwn ? 'planned' : 'taken', postId, ...(post && { status: post.status }) })
    }
    return there
  }

  /** The state of a slot without a post at its time. */
  async function fateOf(at: Instant, saved: Asked['saved']): Promise<ScheduleSlot> {
    if (saved === null || at > later(clock.now(), weekMs)) return { at, state: 'free' }
    const { postId, post } = await slotPost(commands, saved.id, saved.revision, at)
    if (post) return writtenOnce(at, postId, post)
    const cause = saved.failures[at]
    return cause === undefined ? { at, state: 'free' } : { at, state: 'failed', cause }
  }

  return async ({ accountId, rules, timeZone, saved }: Asked): Promise<Upcoming> => {
    const next: Slot[] = []
    const failed = new Set<Instant>()
    const end = later(clock.now(), weekMs)
    for (const slot of slotsOf(rules, clock.now(), timeZone)) {
      if (next.length < shown) next.push(slot)
      else if (slot.at > end) break
      if (slot.at <= end && saved?.failures[slot.at] !== undefined && failed.size < maxFailures) failed.add(slot.at)
    }
    const times = new Set([...new Set([...next.map(({ at }) => at), ...failed])].sort())
    const there = await foundAt(accountId, times, saved)
    const all = new Map<Instant, ScheduleSlot>()
    for (const at of times) all.set(at, there.get(at) ?? (await fateOf(at, saved)))
    return {
      slots: next.map(({ at, isMoved }) => ({
        ...(all.get(at) ?? { at, state: 'free' as const }),
        ...(isMoved && { moved: true as const }),
      })),
      failures: [...failed].flatMap((at) => {
        const { state, cause } = all.get(at) ?? {}
        return state === 'failed' && cause !== undefined ? [{ at, cause }] : []
      }),
    }
  }
}

/** A slot's post is written once: the user's change to it stands, and no other follows. */
function writtenOnce(at: Instant, postId: string, { deleted, scheduledFor, status }: Post): ScheduleSlot {
  if (deleted) return { at, state: 'deleted' }
  if (scheduledFor === null || scheduledFor === at) return { at, state: 'planned', postId, status }
  return { at, state: 'moved-away', movedTo: scheduledFor, postId, status }
}
