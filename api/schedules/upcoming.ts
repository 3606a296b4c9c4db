/** The next slots of a schedule, and what there is for each. */
import type { PostingSchedule } from '../../domain/client/schedule-state.ts'
import type { ScheduleRules } from '../../domain/client/commands.ts'
import type { Views } from '../../projections/registry.ts'
import { later, type Clock } from '../clock.ts'
import type { ScheduleSlot } from '../contract/index.ts'
import { slotsOf, type Slot } from './slots.ts'

interface Ports {
  readonly views: Pick<Views, 'duePosts' | 'plannedPosts' | 'posts'>
  readonly clock: Clock
}

const shown = 7

/** Either a schedule that there is, or rules that might become one: what they would take back doesn't stand in their way. */
export interface Asked {
  readonly accountId: string
  readonly rules: ScheduleRules
  readonly timeZone: string
  readonly saved: { readonly id: string; readonly failures: PostingSchedule['failures'] } | null
}

export function upcoming({ views, clock }: Ports) {
  return async ({ accountId, rules, timeZone, saved }: Asked): Promise<ScheduleSlot[]> => {
    const slots: Slot[] = []
    for (const slot of slotsOf(rules, clock.now(), timeZone)) if (slots.push(slot) === shown) break
    const [first, last] = [slots[0], slots.at(-1)]
    if (!first || !last) return []
    const span = { gte: first.at, lt: later(last.at, 1) }
    const due = await views.duePosts.all({ where: { accountId, waiting: { in: [true, false] }, dueAt: span } })
    const times = new Set(slots.map(({ at }) => at))
    const relevant = due.filter(({ dueAt, deleted }) => !deleted && dueAt !== null && times.has(dueAt))
    const found = await Promise.all(
      relevant.map(async ({ id, dueAt }) => ({ id, dueAt, plan: await views.plannedPosts.get(id), post: await views.posts.get(id) })),
    )
    return slots.map(({ at, isMoved }) => {
      const here = found.filter(({ dueAt, plan }) => dueAt === at && (saved !== null || plan === null || plan.isTouched))
      const own = here.find(({ plan }) => plan !== null && plan.scheduleId === saved?.id)
      const there = own ?? here[0]
      const cause = saved?.failures[at]
      return {
        at,
        ...(isMoved && { moved: true as const }),
        ...(there
          ? { state: own ? ('planned' as const) : ('taken' as const), postId: there.id, ...(there.post && { status: there.post.status }) }
          : cause === undefined
            ? { state: 'free' as const }
            : { state: 'failed' as const, cause }),
      }
    })
  }
}
