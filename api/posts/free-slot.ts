/** Where a post without a time of its own goes. */
import type { Agency } from '../../domain/agency/state.ts'
import type { Client, PostingSchedule } from '../../domain/client/decider.ts'
import type { Instant } from '../../domain/core/event.ts'
import type { Views } from '../../projections/registry.ts'
import { nextMorning, wallClock, zonedNow } from '../zone.ts'

/** How far ahead a slot is looked for. */
const days = 366

/** The times of a schedule after an instant, in order, each once. */
export function* slotsOf(schedule: PostingSchedule, now: Instant, zone: string): Generator<Instant> {
  const today = zonedNow(now, zone).toPlainDate()
  let last = now
  for (let ahead = 0; ahead < days; ahead++) {
    const date = today.add({ days: ahead })
    const weekday = date.dayOfWeek % 7
    const times = schedule.preferredTimes
      .filter(({ day }) => day === 'every' || day === weekday)
      .map(({ time }) => wallClock(date, time, zone))
      .sort()
    for (const slot of times) {
      if (slot <= last) continue
      last = slot
      yield slot
    }
  }
}

/**
 * The next time of the account's active posting schedule that no other post takes; without one, the next day at 09:00.
 * Two approvals at one moment may take the same slot: accepted, both are shown.
 */
export const freeSlots =
  (views: () => Views) =>
  async (agency: Agency, client: Client, accountId: string, now: Instant): Promise<Instant> => {
    const schedule = Object.values(client.schedules).find((one) => one.accountId === accountId && one.isActive)
    if (!schedule) return nextMorning(now, agency.timeZone)
    const posts = await views().duePosts.all({ where: { accountId, waiting: { in: [true, false] }, dueAt: { gte: now } } })
    const taken = new Set(posts.map(({ dueAt }) => dueAt))
    for (const slot of slotsOf(schedule, now, agency.timeZone)) if (!taken.has(slot)) return slot
    return nextMorning(now, agency.timeZone)
  }
