/** @module-tag long */
import { afterEach, describe, expect, it } from 'vitest'
import type { ClientCommand } from '../../../domain/client/commands.ts'
import { later, type Clock } from '../../core/clock.ts'
import { StillClock, type Account } from '../test/helpers.ts'
import { decide } from './test/person.ts'
import { Stage } from './test/stage.ts'
import { onceAt, type Step } from './test/steps.ts'
import type { Planned } from './test/verdict.ts'

const minute = 60_000
const hour = 60 * minute

let stage: Stage
afterEach(() => stage.close())

/** A connected account in an agency with this time zone, and a schedule with these times every day. */
async function begin(from: string, timeZone: string, times: readonly string[], networkClock?: Clock): Promise<Account> {
  stage = await Stage.open({ timeZone, clock: new StillClock(from), ...(networkClock ? { networkClock } : {}) })
  const { world } = stage
  const account = await world.addAccount(await world.addClient())
  const preferredTimes = times.map((time) => ({ day: 'every' as const, time }))
  const { accountId, clientId } = account
  const schedule = {
    type: 'AddPostingSchedule' as const,
    scheduleId: 's',
    accountId,
    frequency: 'daily' as const,
    postsPerWeek: 7,
    preferredTimes,
    contentTopics: [],
  } satisfies ClientCommand
  if (times.length > 0) await world.commands.client(clientId, schedule, world.by)
  return account
}

const moveTo = (instant: string) => stage.move(Date.parse(instant) - Date.parse(stage.world.clock.now()))
const feed = async () => (await stage.world.sandbox.posts()).map(({ content, createdAt }) => [content, createdAt])

describe('slots of a schedule are published at the exact instant', () => {
  it.each([
    [
      'Berlin, 09:00 over the spring change',
      'Europe/Berlin',
      '2026-03-27T12:00',
      ['09:00'],
      ['2026-03-28T08:00', '2026-03-29T07:00', '2026-03-30T07:00'],
    ],
    [
      'Berlin, 09:00 over the autumn change',
      'Europe/Berlin',
      '2026-10-23T12:00',
      ['09:00'],
      ['2026-10-24T07:00', '2026-10-25T08:00', '2026-10-26T08:00'],
    ],
    [
      'Berlin, in the spring gap: the first instant after it',
      'Europe/Berlin',
      '2026-03-27T12:00',
      ['02:30'],
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'Berlin, the gap and its end: once',
      'Europe/Berlin',
      '2026-03-28T12:00',
      ['02:30', '03:00'],
      ['2026-03-29T01:00', '2026-03-30T00:30', '2026-03-30T01:00'],
    ],
    [
      'Berlin, in the autumn overlap: the first of the two, once',
      'Europe/Berlin',
      '2026-10-23T12:00',
      ['02:30'],
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'Berlin, nothing planned: the next mornings at nine',
      'Europe/Berlin',
      '2026-03-28T12:00',
      [],
      ['2026-03-29T07:00'],
    ],
    [
      'New York, 09:00 over the spring change',
      'America/New_York',
      '2026-03-06T15:00',
      ['09:00'],
      ['2026-03-07T14:00', '2026-03-08T13:00', '2026-03-09T13:00'],
    ],
    [
      'New York, 09:00 over the autumn change',
      'America/New_York',
      '2026-10-30T15:00',
      ['09:00'],
      ['2026-10-31T13:00', '2026-11-01T14:00', '2026-11-02T14:00'],
    ],
    [
      'New York, in the spring gap',
      'America/New_York',
      '2026-03-06T15:00',
      ['02:30'],
      ['2026-03-07T07:30', '2026-03-08T07:00', '2026-03-09T06:30'],
    ],
    [
      'New York, in the autumn overlap',
      'America/New_York',
      '2026-10-30T15:00',
      ['01:30'],
      ['2026-10-31T05:30', '2026-11-01T05:30', '2026-11-02T06:30'],
    ],
    [
      'Lord Howe, 09:00 over the spring change of half an hour',
      'Australia/Lord_Howe',
      '2026-10-02T00:00',
      ['09:00'],
      ['2026-10-02T22:30', '2026-10-03T22:00', '2026-10-04T22:00'],
    ],
    [
      'Lord Howe, 09:00 over the autumn change',
      'Australia/Lord_Howe',
      '2026-04-03T00:00',
      ['09:00'],
      ['2026-04-03T22:00', '2026-04-04T22:30', '2026-04-05T22:30'],
    ],
    [
      'Lord Howe, in the spring gap',
      'Australia/Lord_Howe',
      '2026-10-02T00:00',
      ['02:15'],
      ['2026-10-02T15:45', '2026-10-03T15:30', '2026-10-04T15:15'],
    ],
    [
      'Lord Howe, in the autumn overlap',
      'Australia/Lord_Howe',
      '2026-04-03T00:00',
      ['01:45'],
      ['2026-04-03T14:45', '2026-04-04T14:45', '2026-04-05T15:15'],
    ],
    [
      'a leap day',
      'Europe/Berlin',
      '2028-02-27T12:00',
      ['09:00'],
      ['2028-02-28T08:00', '2028-02-29T08:00', '2028-03-01T08:00'],
    ],
    [
      'no leap day',
      'Europe/Berlin',
      '2027-02-26T12:00',
      ['09:00'],
      ['2027-02-27T08:00', '2027-02-28T08:00', '2027-03-01T08:00'],
    ],
  ])('%s', async (_, zone, from, times, instants) => {
    const account = await begin(`${from}:00.000Z`, zone, times)
    const { world } = stage
    const slots = instants.map((instant) => `${instant}:00.000Z`)
    for (const [index, slot] of slots.entries()) {
      const postId = await world.schedule(account, `Slot ${index}`, null)
      expect((await world.post(postId)).scheduledFor).toBe(slot)
    }
    for (const [index, slot] of slots.entries()) {
      await moveTo(later(slot, -1))
      expect(await feed()).toHaveLength(index)
      await stage.move(1)
      expect((await feed()).slice(index)).toEqual([[`Slot ${index}`, slot]])
    }
    await stage.move(2 * hour)
    expect(await feed()).toHaveLength(slots.length)
  })
})

describe('a clock that jumps by an hour', () => {
  it("forward, but not past the post's time, and back again sends nothing", async () => {
    const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [])
    await stage.world.schedule(account, 'Hello', 90 * minute)
    await stage.move(hour)
    expect(await feed()).toEqual([])
    await stage.move(-hour)
    await stage.move(90 * minute - 1)
    expect(await feed()).toEqual([])
    await stage.move(1)
    expect(await feed()).toEqual([['Hello', '2026-03-02T09:30:00.000Z']])
  })

  it("past the post's time and back sends it once, and not again when that time recurs", async () => {
    const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [])
    await stage.world.schedule(account, 'Hello', 30 * minute)
    await stage.move(hour)
    await stage.move(-hour)
    for (let count = 0; count < 12; count++) await stage.move(10 * minute)
    expect(await feed()).toEqual([['Hello', '2026-03-02T09:00:00.000Z']])
  })

  const always: readonly Step[] = ['after the claim', 'after RecordPrepared', 'before ConfirmPublished']
  const whenUnknown: readonly Step[] = [
    'after the claim',
    'after RecordPrepared',
    'after the outcome is unknown',
    'before the look-up',
    'before the verdict',
  ]
  const under = (kind: 'reset-after' | 'reset-before' | null, steps: readonly Step[]) =>
    [1, -1].flatMap((hours) => steps.map((step) => ({ hours, step, kind })))
  const cases = [...under(null, always), ...under('reset-after', whenUnknown), ...under('reset-before', whenUnknown)]
  it.each(cases)(
    'by $hours h at the step "$step", with the fault $kind, sends it once and not early',
    async ({ hours, step, kind }) => {
      const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [])
      const { world } = stage
      if (kind) await world.sandbox.plan('facebook', account.name, { kind })
      stage.watchers = [onceAt(step, () => world.clock.advance(hours * hour))]
      const scheduledFor = later(world.clock.now(), minute)
      const postId = await world.schedule(account, 'Hello', minute, true)
      await goOn({ postId, account, content: 'Hello', scheduledFor, hasImage: true })
      const sent = await feed()
      expect(sent).toHaveLength(1)
      expect(String(sent[0]?.[1]) >= scheduledFor).toBe(true)
      expect(await world.post(postId)).toMatchObject({ status: 'published' })
    },
  )
})

describe('a clock that was wrong by an hour when a post was sent, and is corrected before the look-up,', () => {
  it.each([1, -1])("(by %d h) still lets the look-up find the copy dated by the network's clock", async (hours) => {
    let wrongBy = hours * hour
    const networkClock: Clock = { now: () => later(stage.world.clock.now(), -wrongBy) }
    const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [], networkClock)
    const { world } = stage
    await world.sandbox.plan('facebook', account.name, { kind: 'reset-after' })
    stage.watchers = [
      onceAt('after the outcome is unknown', () => {
        world.clock.advance(-wrongBy)
        wrongBy = 0
      }),
    ]
    const scheduledFor = later(world.clock.now(), minute)
    const postId = await world.schedule(account, 'Hello', minute)
    await goOn({ postId, account, content: 'Hello', scheduledFor, hasImage: false })
    expect(await world.post(postId)).toMatchObject({ status: 'published', attempts: 1 })
    expect(await feed()).toHaveLength(1)
  })
})

/** Four hours in small steps; a held post is released, and an unknown outcome is settled by a user after an hour. */
async function goOn(planned: Planned): Promise<void> {
  const { world } = stage
  for (let count = 0; count < 24; count++) {
    await stage.move(count < 12 ? 20_000 : 20 * minute)
    await stage.untilTaken([planned.postId])
    await decide(world, [planned], count > 15)
  }
}

describe("when no publisher runs at a post's time", () => {
  it.each([59 * minute, 60 * minute])('and one starts %d ms later, the post is sent then', async (ms) => {
    const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [])
    const { world } = stage
    await world.schedule(account, 'Hello', 10 * minute)
    await stage.leave()
    world.clock.advance(10 * minute + ms)
    await stage.fill()
    await stage.look()
    expect(await feed()).toEqual([['Hello', world.clock.now()]])
  })

  it('and one starts 61 minutes later, all overdue posts are held for a user, and sent when released', async () => {
    const account = await begin('2026-03-02T08:00:00.000Z', 'UTC', [])
    const { world } = stage
    const posts = [await world.schedule(account, 'One', 10 * minute), await world.schedule(account, 'Two', 10 * minute)]
    await stage.leave()
    world.clock.advance(71 * minute)
    await stage.fill()
    await stage.look()
    for (const postId of posts) {
      expect(await world.post(postId)).toMatchObject({ status: 'scheduled', delivery: 'held' })
      expect(await world.delivery(postId)).toMatchObject({
        act: 'release',
        sentence: expect.stringContaining('more than an hour ago'),
      })
    }
    await stage.move(hour)
    expect(await feed()).toEqual([])
    const [first = ''] = posts
    await world.commands.post(first, { type: 'ReleasePost', scheduledFor: null }, world.by)
    await stage.untilTaken([first])
    await stage.move(hour)
    expect(await feed()).toEqual([['One', later(world.clock.now(), -hour)]])
  })
})
