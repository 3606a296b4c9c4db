import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Commands } from '../../core/commands.ts'
import { createCommands } from '../../features/commands.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { createTrialClock, type TrialClock } from './trial-clock.ts'

let world: World
let running: TrialClock[]
let rounds: number
/** The agencies that the rounds read. */
let read: string[]

const hour = 3_600_000
const day = 24 * hour

beforeEach(async () => {
  running = []
  rounds = 0
  read = []
  world = await openWorld()
})
afterEach(async () => {
  await Promise.all(running.map((clock) => clock.stop()))
  await world.remove()
})

function start(commands: Commands = world.commands): TrialClock {
  const { agency } = world.views
  const counted = {
    ...agency,
    async *each(...asked: Parameters<typeof agency.each>) {
      for await (const found of agency.each(...asked)) {
        read.push(found.item.id)
        yield found
      }
      rounds += 1
    },
  }
  const clock = createTrialClock({ ...world, commands, views: { agency: counted }, config: { pollMs: 5 } })
  running.push(clock)
  clock.start()
  return clock
}
const roundsPass = async (count = 4) => {
  const until = rounds + count
  await vi.waitFor(() => expect(rounds).toBeGreaterThanOrEqual(until), { ...patience, interval: 5 })
}
const stop = () => Promise.all(running.splice(0).map((clock) => clock.stop()))
const statusOf = async (agencyId = world.agencyId): Promise<Agency['status']> =>
  (await world.commands.loadAgency(agencyId)).state.status
const ends = async (agencyId = world.agencyId) =>
  (await world.eventsOf(`agency-${agencyId}`)).filter(({ type }) => type === 'TrialExpired')
const noted = (agencyId = world.agencyId) =>
  vi.waitFor(async () => expect(await statusOf(agencyId)).toBe('expired'), { ...patience, interval: 5 })
const pay = () =>
  world.commands.agency(
    world.agencyId,
    {
      type: 'RecordSubscription',
      heard: 'told',
      subscriptionId: 'sub_1',
      customerId: 'cus_1',
      status: 'active',
      currentPeriodEnd: '2026-05-01T00:00:00.000Z',
      endsWithPeriod: false,
      begunAt: world.clock.now(),
      asOf: world.clock.now(),
    },
    world.by,
  )
const openAnother = async (): Promise<string> => {
  const agencyId = uuidv7()
  const opening = { type: 'OpenAgency', agencyId, ownerId: agencyId, name: 'Another', timeZone: 'UTC' } as const
  const opened = await world.commands.agency(agencyId, opening, { ...world.by, agencyId })
  if ('refused' in opened) throw new Error(opened.refused.reason)
  await world.projector.waitFor(opened.appendedEvents, patience.timeout)
  return agencyId
}

describe('an unpaid trial', () => {
  it('lasts seven days to the millisecond', async () => {
    start()
    world.clock.advance(7 * day - 1)
    await roundsPass()
    expect(await statusOf()).toBe('trialing')
    world.clock.advance(1)
    await noted()
    expect(await ends()).toMatchObject([{ data: { endedAt: '2026-03-09T08:00:00.000Z' } }])
  })
  it('ends once, however often the trial clock runs', async () => {
    start()
    world.clock.advance(8 * day)
    await noted()
    world.clock.advance(30 * day)
    await roundsPass()
    expect(await ends()).toHaveLength(1)
  })
  it('ends once with two trial clocks at once', async () => {
    start()
    start(createCommands(world.commands.ports))
    world.clock.advance(7 * day)
    await noted()
    await roundsPass(8)
    expect(await ends()).toHaveLength(1)
  })
  it('that ended during downtime is recorded after the start, with its true end', async () => {
    start()
    await roundsPass()
    await stop()
    world.clock.advance(90 * day)
    start()
    await noted()
    expect(await ends()).toMatchObject([{ data: { endedAt: '2026-03-09T08:00:00.000Z' } }])
    await stop()
    start()
    await roundsPass()
    expect(await ends()).toHaveLength(1)
  })
})

describe('other agencies', () => {
  it('each have their own seven days', async () => {
    world.clock.advance(day)
    const later = await openAnother()
    start()
    world.clock.advance(6 * day)
    await noted()
    await roundsPass()
    expect(await statusOf(later)).toBe('trialing')
    world.clock.advance(day)
    await noted(later)
  })
  it('are not delayed by an agency whose events can not be appended', async () => {
    const stuck = world.agencyId
    world.clock.advance(hour)
    const other = await openAnother()
    const { ports } = world.commands
    const { events } = ports
    const append: EventStore['append'] = (stream, ...rest) =>
      stream === `agency-${stuck}` ? Promise.reject(new Error('The disk is full')) : events.append(stream, ...rest)
    start(
      createCommands({
        ...ports,
        events: { ...ports.events, append, read: events.read.bind(events) },
      }),
    )
    world.clock.advance(8 * day)
    await noted(other)
    expect(await statusOf(stuck)).toBe('trialing')
  })
})

describe('a paying agency', () => {
  it('that paid in time has no trial that could end', async () => {
    world.clock.advance(6 * day)
    await pay()
    start()
    world.clock.advance(30 * day)
    await roundsPass()
    expect({ status: await statusOf(), ends: await ends() }).toEqual({ status: 'active', ends: [] })
  })
  it('that paid in the moment of the end stays paid, though the view is stale', async () => {
    world.clock.advance(7 * day)
    await pay()
    const { agency } = world.views
    const behind = (await agency.get(world.agencyId)) ?? expect.fail('No agency')
    const views = {
      agency: {
        ...agency,
        async *each() {
          rounds += 1
          yield { item: { ...behind, subscriptionStatus: 'trialing' as const }, cursor: () => '' }
        },
      },
    }
    const clock = createTrialClock({ ...world, views, config: { pollMs: 5 } })
    running.push(clock)
    clock.start()
    await roundsPass()
    expect({ status: await statusOf(), ends: await ends() }).toEqual({ status: 'active', ends: [] })
  })
})

it('Given 1 trial of 21 that is over, a round reads no other', async () => {
  world.clock.advance(day)
  for (let count = 0; count < 20; count++) await openAnother()
  world.clock.advance(6 * day)
  start()
  await noted()
  await roundsPass()
  expect(new Set(read)).toEqual(new Set([world.agencyId]))
})
