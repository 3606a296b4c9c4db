/** The daily budget of texts for an agency's posting schedules: slots over the budget wait, and none of them fails. */
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { clientProfileSchema } from '../../../domain/agency/commands.ts'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import { openBudgets, type Budgets } from '../../features/usage/budgets.ts'
import { createCommands } from '../../features/commands.ts'
import type { Writer } from '../../features/writer/port.ts'
import { createTemplateWriter } from '../../features/writer/template.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { createPlanner, type Planner } from './planner.ts'

const hour = 3_600_000
const daily: ScheduleRules = {
  frequency: 'daily',
  postsPerWeek: 3,
  preferredTimes: [{ day: 'every', time: '09:00' }],
  contentTopics: [],
}
const settings = { LOG_MB_PER_DAY: 1, TEXTS_PER_DAY: 1_000, SCHEDULE_TEXTS_PER_DAY: 3 }

let world: World
let budgets: Budgets
let planner: Planner | null
/** Texts that the first agency's schedules asked for. */
let texts: number

beforeEach(async () => {
  // 08:00 UTC.
  world = await openWorld()
  budgets = await openBudgets(world, settings)
  planner = null
  texts = 0
})
afterEach(async () => {
  await planner?.stop()
  await budgets.close()
  await world.remove()
})

const template = createTemplateWriter({ random: () => 0.5 })
const counting: Writer = {
  ...template,
  write: (brief, signal, listener) => {
    if (brief.client.name !== 'Theirs') texts += 1
    return template.write(brief, signal, listener)
  },
}

async function start(): Promise<void> {
  const commands = createCommands({ ...world.commands.ports, logBudget: budgets.log })
  planner = await createPlanner({ ...world, commands, budgets, writer: counting, config: { pollMs: 10 } })
  await planner.start()
}

async function scheduled(): Promise<{ readonly clientId: string; readonly scheduleId: string }> {
  const { clientId, accountId } = await world.addAccount(await world.addClient(), 'facebook', false)
  const scheduleId = uuidv7()
  const added = await world.commands.client(
    clientId,
    { type: 'AddPostingSchedule', scheduleId, accountId, ...daily },
    world.by,
  )
  if ('refused' in added) throw new Error(added.refused.reason)
  await world.projector.waitFor(added.appendedEvents, patience.timeout)
  return { clientId, scheduleId }
}

const posts = (clientId: string) => world.views.posts.count({ clientId })
const becomes = (read: () => Promise<number>, is: number) =>
  vi.waitFor(async () => expect(await read()).toBe(is), { ...patience, interval: 20 })
/**
 * Waits until the planner has used up another agency's budget of the day: by then it has visited the first agency's
 * slots.
 */
async function looksAgain(): Promise<void> {
  const [agencyId, clientId, accountId] = [uuidv7(), uuidv7(), uuidv7()]
  const by = { ...world.by, agencyId }
  await world.commands.agency(
    agencyId,
    { type: 'OpenAgency', agencyId, ownerId: agencyId, name: 'Other', timeZone: 'UTC' },
    by,
  )
  await world.commands.agency(
    agencyId,
    { type: 'AddClient', clientId, profile: clientProfileSchema.parse({ name: 'Theirs' }) },
    by,
  )
  await world.commands.client(
    clientId,
    { type: 'AddSocialAccount', accountId, platform: 'facebook', accountName: 'Theirs', accountUrl: null },
    by,
  )
  await world.commands.client(clientId, { type: 'AddPostingSchedule', scheduleId: uuidv7(), accountId, ...daily }, by)
  await becomes(() => posts(clientId), settings.SCHEDULE_TEXTS_PER_DAY)
}

describe('Texts for schedules', () => {
  it('are written up to the daily budget, and the rest on the next day [S63]', { tags: 'long' }, async () => {
    const { clientId, scheduleId } = await scheduled()
    await start()
    await becomes(() => posts(clientId), 3)
    await looksAgain()
    expect({ posts: await posts(clientId), texts }).toEqual({ posts: 3, texts: 3 })
    expect((await world.commands.loadClient(clientId)).state.schedules[scheduleId]?.failures).toEqual({})
    world.clock.advance(16 * hour)
    await becomes(() => posts(clientId), 6)
    await looksAgain()
    expect({ posts: await posts(clientId), texts }).toEqual({ posts: 6, texts: 6 })
  })

  it("are not paid for while the agency's log budget is used up, and are written afterwards", async () => {
    const { clientId, scheduleId } = await scheduled()
    const { agencyId, by } = world
    const full = Array.from({ length: 3 }, (_, at) => ({
      name: `Full ${at}`,
      data: { text: 'x'.repeat(400_000) },
      metadata: {} as never,
    }))
    await budgets.log.take(by.actor, agencyId, { type: 'WritePost' }, full)
    await start()
    await looksAgain()
    expect({ posts: await posts(clientId), texts }).toEqual({ posts: 0, texts: 0 })
    expect((await world.commands.loadClient(clientId)).state.schedules[scheduleId]?.failures).toEqual({})
    world.clock.advance(16 * hour)
    await becomes(() => posts(clientId), 3)
  })
})
