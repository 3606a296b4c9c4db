/** Chooses the time of a post that has none. */
import type { Agency } from '../../../domain/agency/state.ts'
import type { Client } from '../../../domain/client/state.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { Views } from '../../../projections/registry.ts'
import { slotsOf } from '../schedules/slots.ts'
import { nextMorning } from '../../core/time-zone.ts'

/**
 * The next slot of the account's active posting schedule without a post; without a schedule, the next day at 09:00. Two
 * simultaneous approvals may take the same slot: accepted, because both are shown.
 */
export const freeSlots =
  (views: () => Views) =>
  async (agency: Agency, client: Client, accountId: string, now: Instant): Promise<Instant> => {
    const schedule = Object.values(client.schedules).find((one) => one.accountId === accountId && one.isActive)
    if (!schedule) return nextMorning(now, agency.timeZone)
    let batch: Instant[] = []
    const firstFree = async () => {
      const posts = await views().duePosts.all({
        where: { accountId, waiting: { in: [true, false] }, dueAt: { in: batch } },
      })
      const taken = new Set(posts.map(({ dueAt }) => dueAt))
      return batch.find((at) => !taken.has(at))
    }
    for (const { at } of slotsOf(schedule, now, agency.timeZone)) {
      batch.push(at)
      if (batch.length < slotsAtOnce) continue
      const free = await firstFree()
      if (free !== undefined) return free
      batch = []
    }
    return (batch.length > 0 ? await firstFree() : undefined) ?? nextMorning(now, agency.timeZone)
  }

/** Slots that are looked up together: mostly the first few have one that is free. */
const slotsAtOnce = 20
