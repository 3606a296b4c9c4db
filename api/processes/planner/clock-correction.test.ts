/**
 * A clock that ran ahead and was corrected: what the planner did meanwhile stays, and it goes on at once.
 *
 * @module-tag long
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import { createTemplateWriter } from '../../features/writer/template.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { agendaTable, type AgendaEntry } from './agenda.ts'
import { createPlanner, type Planner } from './planner.ts'

const day = 86_400_000
const daily: ScheduleRules = {
  frequency: 'daily',
  postsPerWeek: 3,
  preferredTimes: [{ day: 'every', time: '09:00' }],
  contentTopics: [],
}

let world: World
let planner: Planner | null

beforeEach(async () => {
  // 08:00 UTC.
  world = await openWorld()
  planner = null
})
afterEach(async () => {
  await planner?.stop()
  await world.remove()
})

async function start(): Promise<void> {
  const writer = createTemplateWriter({ random: () => 0.5 })
  planner = await createPlanner({ ...world, writer, config: { pollMs: 10, settleMs: 0 } })
  await planner.start()
}
/** @returns the client's id */
async function addSchedule(): Promise<string> {
  const { clientId, accountId } = await world.addAccount(await world.addClient(), 'facebook', false)
  const scheduleId = uuidv7()
  await world.commands.client(clientId, { type: 'AddPostingSchedule', scheduleId, accountId, ...daily }, world.by)
  return clientId
}
const slotsOf = async (clientId: string) => {
  const posts = await world.views.posts.all({ where: { clientId } })
  return posts.map(({ scheduledFor }) => scheduledFor).toSorted()
}
const filled = (clientId: string, count: number) =>
  vi.waitFor(async () => expect(await slotsOf(clientId)).toHaveLength(count), { ...patience, interval: 20 })
/** Waits until the planner has looked at all schedules of the agency again, and has filled a new one. */
const looked = async () => filled(await addSchedule(), 7)
/** Read from the log: a view may lag behind. */
const isDeleted = async (postId: string) =>
  (await world.eventsOf(`post-${postId}`)).some(({ type }) => type === 'PostDeleted')

describe('After a clock that ran ahead was corrected', () => {
  it('the posts written meanwhile stay', async () => {
    const clientId = await addSchedule()
    await start()
    await filled(clientId, 7)
    world.clock.advance(2 * day)
    await filled(clientId, 9)
    const posts = await world.views.posts.all({ where: { clientId } })
    world.clock.advance(-2 * day)
    await looked()
    await looked()
    expect(await Promise.all(posts.map(({ id }) => isDeleted(id)))).toEqual(posts.map(() => false))
  })

  it('the planner looks at each agency again at once', async () => {
    const clientId = await addSchedule()
    await start()
    await filled(clientId, 7)
    world.clock.advance(2 * day)
    await filled(clientId, 9)
    const agenda = await world.records.table<AgendaEntry>(agendaTable)
    const rested = (dueAt: string) =>
      vi.waitFor(async () => expect((await agenda.get(world.agencyId))?.record.dueAt).toBe(dueAt), patience)
    // Seven days before the next slot to fill.
    await rested('2026-03-04T09:00:00.000Z')
    world.clock.advance(-2 * day)
    await rested('2026-03-02T09:00:00.000Z')
  })

  it('a post written meanwhile for a slot of the earlier time zone is withdrawn once its day is near', async () => {
    const clientId = await addSchedule()
    await start()
    await filled(clientId, 7)
    world.clock.advance(2 * day)
    await filled(clientId, 9)
    world.clock.advance(-2 * day)
    await world.commands.agency(world.agencyId, { type: 'ChangeTimeZone', timeZone: 'Asia/Tokyo' }, world.by)
    const hours = async () => [...new Set((await slotsOf(clientId)).map((slot) => slot?.slice(11, 13)))]
    await vi.waitFor(async () => expect(await hours()).toEqual(['00', '09']), { ...patience, interval: 20 })
    world.clock.advance(3 * day)
    await vi.waitFor(async () => expect(await hours()).toEqual(['00']), { ...patience, interval: 20 })
  })
})
