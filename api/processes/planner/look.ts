/** One look at an agency's posting schedules: what is to be done now, and when the next look is due. */
import type { Agency } from '../../../domain/agency/state.ts'
import type { PostingSchedule } from '../../../domain/client/schedule-state.ts'
import type { Client } from '../../../domain/client/state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { PlannedPostView } from '../../../projections/planned-posts/view.ts'
import { later } from '../../core/clock.ts'
import type { Slot } from '../../features/schedules/slots.ts'
import type { Backoff } from './backoff.ts'
import { toDo, writing, type Because, type ScheduleRef } from './plan.ts'
import type { PlannerPorts } from './ports.ts'
import type { SlotBook } from './slot-book.ts'

export type Task =
  | { readonly kind: 'withdraw'; readonly ref: ScheduleRef; readonly post: PlannedPostView; readonly because: Because }
  | { readonly kind: 'write'; readonly ref: ScheduleRef; readonly revision: number; readonly slot: Slot }
  /** The client is removed: the client cleanup deletes its posts. */
  | { readonly kind: 'remove'; readonly ref: ScheduleRef }

export interface Look {
  /** A schedule's tasks in order, first the withdrawals; the schedules in turns. */
  readonly tasks: readonly Task[]
  /** When the next look is due if no event comes and no task is left. */
  readonly nextAt: Instant
}

export const keyOf = (scheduleId: string, revision: number, slot: Instant) => `${scheduleId} ${revision} ${slot}`

/** An agency without schedules waits for an event; it is looked at all the same, in case one was missed. */
const idleMs = 30 * 86_400_000
const restMs = 86_400_000

/** A client's posts to come, by schedule. */
type PlannedPosts = ReadonlyMap<string, readonly PlannedPostView[]>

export interface LookPorts extends Pick<PlannerPorts, 'commands' | 'views' | 'clock'> {
  readonly backoff: Backoff
  readonly book: SlotBook
  /** Whether a slot is known to have, or to have had, its post. */
  readonly isFilled: (agencyId: string, key: string) => boolean
}

export function looker({ commands, views, clock, backoff, book, isFilled }: LookPorts) {
  /** Read from the log: a view may lag behind. */
  async function clientsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Client>> {
    const clients = new Map<string, Client>()
    for (const id of ids) clients.set(id, (await commands.loadClient(id)).state)
    return clients
  }

  /** By client and schedule, also of removed schedules: a list of all that were ever removed has no bound. */
  async function plannedOf(agencyId: string, now: Instant): Promise<ReadonlyMap<string, PlannedPosts>> {
    const planned = new Map<string, Map<string, PlannedPostView[]>>()
    // Slots are filled some days ahead, so an agency has few planned posts to come, however many it ever had.
    const toCome = { agencyId, slot: { gte: now } }
    for await (const { item } of views.plannedPosts.each({ where: toCome })) {
      const ofClient = planned.get(item.clientId) ?? new Map<string, PlannedPostView[]>()
      planned.set(item.clientId, ofClient)
      const others = ofClient.get(item.scheduleId)
      if (others) others.push(item)
      else ofClient.set(item.scheduleId, [item])
    }
    return planned
  }

  async function ofRemovedClients(agencyId: string, removed: Agency['removed']): Promise<readonly Task[]> {
    if (removed.size === 0) return []
    const schedules = await views.schedules.all({ where: { agencyId } })
    const left = schedules.filter(({ clientId }) => removed.has(clientId))
    return left.map(({ id, clientId }) => ({ kind: 'remove', ref: { id, clientId, agencyId } }))
  }

  /** The slots to write now, and when the next one is due. */
  function slotsFor(
    ref: ScheduleRef,
    schedule: PostingSchedule,
    zone: string,
    missing: readonly Slot[],
  ): { readonly free: readonly Slot[]; readonly nextAt: Instant } {
    const { agencyId, id } = ref
    for (const slot of Object.keys(schedule.failures)) backoff.inherit(keyOf(id, schedule.revision, slot))
    const free: Slot[] = []
    let nextAt = book.nextLook(id, schedule, zone)
    for (const slot of missing) {
      const until = backoff.until(agencyId, keyOf(id, schedule.revision, slot.at))
      if (until === null) free.push(slot)
      else if (until < nextAt) nextAt = until
    }
    return { free, nextAt }
  }

  return async function look(agencyId: string): Promise<Look> {
    const now = clock.now()
    const { state: agency } = await commands.loadAgency(agencyId)
    const clients = await clientsOf(Object.keys(agency.clients))
    const planned = await plannedOf(agencyId, now)
    const rows: (readonly Task[])[] = [await ofRemovedClients(agencyId, agency.removed)]
    let nextAt = later(now, idleMs)
    for (const [clientId, client] of clients) {
      const ofClient: PlannedPosts = planned.get(clientId) ?? new Map()
      const removed = [...ofClient.keys()].filter((id) => client.removedSchedules.has(id))
      for (const id of new Set([...Object.keys(client.schedules), ...removed])) {
        const ref = { id, clientId, agencyId }
        const posts = ofClient.get(id) ?? []
        const known = { agency, client, now, slots: book }
        const untouched = posts.filter(({ isTouched }) => !isTouched)
        const { stale, wanted } = toDo(ref, untouched, known)
        const tasks: Task[] = stale.map(({ post, because }) => ({ kind: 'withdraw', ref, post, because }))
        const schedule = writing(ref, known)
        if (schedule) {
          const { revision } = schedule
          const taken = new Set(posts.filter((post) => post.revision === revision).map(({ slot }) => slot))
          const missing = wanted.filter(({ at }) => !taken.has(at) && !isFilled(agencyId, keyOf(id, revision, at)))
          const { free, nextAt: ofSchedule } = slotsFor(ref, schedule, agency.timeZone, missing)
          tasks.push(...free.map((slot): Task => ({ kind: 'write', ref, revision, slot })))
          if (ofSchedule < nextAt) nextAt = ofSchedule
        }
        const latest = later(now, restMs)
        if ((schedule || untouched.length > 0) && latest < nextAt) nextAt = latest
        rows.push(tasks)
      }
    }
    return { tasks: inTurns(rows), nextAt }
  }
}

/** Interleaves the rows, so that a schedule with many slots doesn't delay the others. */
function inTurns<T>(rows: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...rows.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => rows.flatMap((row) => row.slice(index, index + 1))).flat()
}
