/**
 * What the planner's rounds cost: they follow what is due, however many schedules exist.
 *
 * @module-tag long
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import { clientProfileSchema } from '../../../domain/agency/commands.ts'
import type { ScheduleRules } from '../../../domain/client/commands.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { pause } from '../../../projections/core/pause.ts'
import { createTemplateWriter } from '../../features/writer/template.ts'
import type { RecordDefinition, Records, RecordTable, TextRange } from '../../records/port.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { createPlanner, type Planner } from './planner.ts'

const agencies = 20
const atOnce = 5

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

const mondays = (time: string): ScheduleRules => ({
  frequency: 'custom',
  postsPerWeek: 1,
  preferredTimes: [{ day: 1, time }],
  contentTopics: [],
})

/** @param time the slot of each week's Monday */
async function agencyWithSchedule(time: string): Promise<string> {
  const [agencyId, clientId, accountId, scheduleId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
  const by = { ...world.by, agencyId }
  const { commands } = world
  const opening = { type: 'OpenAgency', agencyId, ownerId: agencyId, name: 'Agency', timeZone: 'UTC' } as const
  await commands.agency(agencyId, opening, by)
  await commands.agency(
    agencyId,
    { type: 'AddClient', clientId, profile: clientProfileSchema.parse({ name: 'Client' }) },
    by,
  )
  await commands.client(
    clientId,
    { type: 'AddSocialAccount', accountId, platform: 'facebook', accountName: 'Account', accountUrl: null },
    by,
  )
  await commands.client(clientId, { type: 'AddPostingSchedule', scheduleId, accountId, ...mondays(time) }, by)
  return clientId
}

async function start(settleMs: number, pollMs = 5): Promise<void> {
  const writer = createTemplateWriter({ random: () => 0.5 })
  const ports = { ...world, records: counted(world.records), writer }
  planner = await createPlanner({ ...ports, config: { pollMs, settleMs, agenciesAtOnce: atOnce } })
  await planner.start()
}

const posts = (count: number) =>
  vi.waitFor(async () => expect(await world.views.posts.count()).toBe(count), { ...patience, interval: 20 })

/** Counts the planner's rounds: each begins with the agenda. */
let rounds = 0
const counted = (records: Records): Records => ({
  scrub: () => records.scrub(),
  close: () => records.close(),
  async table<T extends { readonly id: string }>(definition: RecordDefinition<T>): Promise<RecordTable<T>> {
    const table = await records.table(definition)
    const first = table.first.bind(table)
    return Object.assign(table, {
      first: (field: keyof T & string, limit: number, range?: TextRange) => {
        if (range === undefined) rounds += 1
        return first(field, limit, range)
      },
    })
  },
})

/** Waits until the planner has done 20 rounds in a row without a look. */
async function rested(seen: { readonly loads: number }): Promise<void> {
  let [loads, since] = [seen.loads, rounds]
  await vi.waitFor(
    () => {
      if (seen.loads !== loads) [loads, since] = [seen.loads, rounds]
      expect(rounds - since).toBeGreaterThan(20)
    },
    { ...patience, interval: 5 },
  )
}

/** Counts what the planner reads and how many of its looks overlap. */
function watchLooks() {
  const seen = { loads: 0, agencies: new Set<string>(), underWay: 0, mostAtOnce: 0, reads: 0 }
  const { loadAgency } = world.commands
  vi.spyOn(world.commands, 'loadAgency').mockImplementation(async (id) => {
    seen.loads += 1
    seen.agencies.add(id)
    seen.underWay += 1
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.underWay)
    await new Promise((resolve) => setImmediate(resolve))
    return loadAgency(id).finally(() => (seen.underWay -= 1))
  })
  for (const view of [world.views.schedules, world.views.plannedPosts])
    for (const read of ['all', 'each', 'find', 'page'] as const) {
      const original = view[read].bind(view) as (query: object) => never
      vi.spyOn(view, read).mockImplementation((query: object) => {
        seen.reads += 1
        return original(query)
      })
    }
  return seen
}

describe('A round of the planner', () => {
  it('reads nothing while no slot is due, and then only what is due', async () => {
    const early = await agencyWithSchedule('09:00')
    for (let count = 1; count < agencies; count++) await agencyWithSchedule('20:00')
    await start(50)
    await posts(agencies)
    const seen = watchLooks()
    await rested(seen)
    seen.agencies.clear()
    const before = { ...seen }
    world.clock.advance(30 * 60_000)
    await rested(seen)
    expect(seen.loads).toBe(before.loads)
    expect(seen.reads).toBe(before.reads)
    // An hour later the slot of the following week comes into reach for one agency of twenty.
    world.clock.advance(60 * 60_000)
    await posts(agencies + 1)
    await rested(seen)
    expect(await world.views.posts.count({ clientId: early })).toBe(2)
    expect(seen.agencies.size).toBe(1)
  })

  it('asks for the posts to come, however many schedules and clients were removed', async () => {
    const { commands, by, agencyId, views } = world
    const account = await world.addAccount(await world.addClient(), 'facebook', false)
    const { clientId, accountId } = account
    for (let count = 0; count < 30; count++) {
      const added = { type: 'AddPostingSchedule', scheduleId: uuidv7(), accountId, ...mondays('09:00') } as const
      await commands.client(clientId, added, by)
      await commands.client(clientId, { type: 'RemovePostingSchedule', scheduleId: added.scheduleId }, by)
      await commands.agency(agencyId, { type: 'RemoveClient', clientId: await world.addClient() }, by)
    }
    await commands.client(
      clientId,
      { type: 'AddPostingSchedule', scheduleId: uuidv7(), accountId, ...mondays('09:00') },
      by,
    )
    const asked = [vi.spyOn(views.schedules, 'all'), vi.spyOn(views.plannedPosts, 'each')]
    await start(0)
    await posts(1)
    const lengths = asked.map(({ mock }) => mock.calls.map(([query]) => JSON.stringify(query).length))
    expect(lengths.map(({ length }) => length > 0)).toEqual([true, true])
    expect(Math.max(...lengths.flat())).toBeLessThan(300)
  })

  it('looks at a few agencies at once, although all are due', async () => {
    for (let count = 0; count < agencies; count++) await agencyWithSchedule('09:00')
    const seen = watchLooks()
    await start(0)
    await posts(agencies)
    expect(seen.loads).toBeGreaterThanOrEqual(agencies)
    expect(seen.mostAtOnce).toBeGreaterThan(1)
    expect(seen.mostAtOnce).toBeLessThanOrEqual(atOnce)
  })

  it.each(['loadAgency', 'post'] as const)(
    'is not repeated at once while the log fails (%s), although more agencies are due',
    async (failing) => {
      for (let count = 0; count < agencies; count++) await agencyWithSchedule('09:00')
      const failed = vi.spyOn(world.commands, failing).mockRejectedValue(new StoreUnavailable('The log is away'))
      const looks = vi.spyOn(world.commands, 'loadAgency')
      await start(0, 60_000)
      await vi.waitFor(() => expect(failed).toHaveBeenCalled(), patience)
      await pause(500)
      expect(looks.mock.calls.length).toBeLessThan(3 * agencies)
      vi.restoreAllMocks()
      planner?.wake()
      await posts(agencies)
    },
  )

  it('finds the schedules that changed while no planner ran', async () => {
    await start(0)
    await planner?.stop()
    await agencyWithSchedule('09:00')
    await start(0)
    await posts(1)
  })
})
