import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import { clientProfileSchema } from '../../../domain/agency/commands.ts'
import type { ClientCommand, ScheduleRules } from '../../../domain/client/commands.ts'
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Platform } from '../../../domain/core/values.ts'
import { createOpenAiWriter } from '../../features/writer/openai.ts'
import { startTestAi, type TestAi } from '../../features/writer/test/fake-openai.ts'
import type { Writer } from '../../features/writer/port.ts'
import { createTemplateWriter } from '../../features/writer/template.ts'
import { generationsOf } from '../../testing/generations.ts'
import { openWorld, soon, type Account, type World } from '../test/helpers.ts'
import type { PlannerConfig } from './config.ts'
import { createPlanner, type Planner } from './planner.ts'

const day = 86_400_000
const daily: ScheduleRules = {
  frequency: 'daily',
  postsPerWeek: 3,
  preferredTimes: [{ day: 'every', time: '09:00' }],
  contentTopics: ['News', 'Offers'],
}

let world: World
let planners: Planner[]
let ai: TestAi | null

beforeEach(async () => {
  planners = []
  ai = null
  world = await openWorld()
})
afterEach(async () => {
  await Promise.all(planners.map((planner) => planner.stop()))
  await world.remove()
  await ai?.close()
})

const start = async (
  writer: Writer = createTemplateWriter({ random: () => 0.5 }),
  config: Partial<PlannerConfig> = {},
) => {
  const planner = await createPlanner({ ...world, writer, config: { pollMs: 10, ...config } })
  planners.push(planner)
  await planner.start()
}
const startWithAi = async (config: Partial<PlannerConfig> = {}) => {
  ai = await startTestAi()
  const baseUrl = ai.env['OPENAI_BASE_URL'] ?? ''
  await start(createOpenAiWriter({ apiKey: ai.key, baseUrl, model: 'gpt-test', timeoutMs: 20_000 }), config)
  return ai
}

const within = <T>(assertion: () => Promise<T>) => vi.waitFor(assertion, soon)
const tell = async (account: Account, command: ClientCommand) => {
  const outcome = await world.commands.client(account.clientId, command, world.by)
  if ('refused' in outcome) throw new Error(outcome.refused.reason)
  await world.projector.waitFor(outcome.appendedEvents, patience.timeout)
}
const act = async (postId: string, command: PostCommand) => {
  const acted = await world.commands.post(postId, command, world.by)
  if ('refused' in acted) throw new Error(acted.refused.reason)
  await world.projector.waitFor(acted.appendedEvents, patience.timeout)
}
const schedule = async (account: Account, rules: Partial<ScheduleRules> = {}) => {
  const scheduleId = uuidv7()
  await tell(account, { type: 'AddPostingSchedule', scheduleId, accountId: account.accountId, ...daily, ...rules })
  return scheduleId
}
const account = async (platform: Platform = 'facebook') => world.addAccount(await world.addClient(), platform, false)
const postsOf = async ({ clientId }: Account) => {
  const posts = await world.views.posts.all({ where: { clientId } })
  return posts.toSorted((a, b) => (a.scheduledFor ?? '').localeCompare(b.scheduledFor ?? ''))
}
const filled = (of: Account, count: number) => within(async () => expect(await postsOf(of)).toHaveLength(count))
/** Waits until the planner has done two more full rounds. */
const rested = async () => {
  const marker = await account()
  await schedule(marker)
  await filled(marker, 7)
}
/** Waits until the planner has filled another agency's slots: by then it has visited those of the first. */
const neighbour = async () => {
  const { agencyId, by } = world
  const other = uuidv7()
  Object.assign(world, { agencyId: other, by: { ...by, agencyId: other } })
  await world.commands.agency(
    other,
    { type: 'OpenAgency', agencyId: other, ownerId: other, name: 'Other', timeZone: 'UTC' },
    world.by,
  )
  const clientId = uuidv7()
  await world.commands.agency(
    other,
    { type: 'AddClient', clientId, profile: clientProfileSchema.parse({ name: 'Theirs' }) },
    world.by,
  )
  const accountId = uuidv7()
  const added: Account = { clientId, accountId, platform: 'facebook', name: 'Theirs' }
  await tell(added, {
    type: 'AddSocialAccount',
    accountId,
    platform: 'facebook',
    accountName: added.name,
    accountUrl: null,
  })
  await schedule(added)
  await filled(added, 7)
  Object.assign(world, { agencyId, by })
}
const failuresOf = async ({ clientId }: Account, scheduleId: string) =>
  (await world.commands.loadClient(clientId)).state.schedules[scheduleId]?.failures ?? {}

describe('The coming seven days', () => {
  it('are filled with posts that wait for review, one per slot, with the topics in turn', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    // A post is written first, and then submitted.
    await within(async () =>
      expect(new Set((await postsOf(of)).map(({ status }) => status))).toEqual(new Set(['pending'])),
    )
    const posts = await postsOf(of)
    expect(posts.map(({ scheduledFor }) => scheduledFor)).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((date) => `2026-03-0${date}T09:00:00.000Z`),
    )
    expect(posts[0]?.plan).toEqual({ scheduleId, revision: 0, slot: '2026-03-02T09:00:00.000Z' })
    const generations = await generationsOf(world.events, of.clientId)
    expect(generations.map(({ topic }) => topic).toSorted()).toEqual([
      'News',
      'News',
      'News',
      'Offers',
      'Offers',
      'Offers',
      'Offers',
    ])
    expect(new Set(posts.map(({ content }) => content)).size).toBeGreaterThan(1)
  })
  it('move along with the clock', async () => {
    const of = await account()
    await schedule(of)
    await start()
    await filled(of, 7)
    world.clock.advance(2 * day)
    await filled(of, 9)
  })
  it('are drafts that need an image on Instagram', async () => {
    const of = await account('instagram')
    await schedule(of)
    await start()
    await filled(of, 7)
    expect(new Set((await postsOf(of)).map(({ status }) => status))).toEqual(new Set(['draft']))
  })
  it('skip a time that another post of the account has', async () => {
    const of = await account()
    await world.schedule(of, 'By hand', 3_600_000)
    await schedule(of)
    await start()
    await filled(of, 7)
    expect((await postsOf(of))[0]?.content).toBe('By hand')
  })
  it('are filled by two planners just as by one', async () => {
    const accounts = await Promise.all([account(), account('linkedin'), account('twitter')])
    for (const of of accounts)
      await schedule(of, {
        preferredTimes: [
          { day: 'every', time: '09:00' },
          { day: 'every', time: '17:00' },
        ],
      })
    await Promise.all([start(undefined, { alone: false }), start(undefined, { alone: false })])
    for (const of of accounts) {
      await filled(of, 14)
      const slots = (await postsOf(of)).map(({ scheduledFor }) => scheduledFor)
      expect(new Set(slots).size).toBe(14)
      // Each text was paid for only once.
      expect(await generationsOf(world.events, of.clientId)).toHaveLength(14)
    }
  })
  it('stay empty once the trial has ended', async () => {
    const of = await account()
    await schedule(of)
    world.clock.advance(8 * day)
    await start()
    await neighbour()
    expect(await postsOf(of)).toEqual([])
  })
})

describe('A schedule', () => {
  it('that is paused keeps its posts and writes no more; resumed, it continues', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    await tell(of, { type: 'PausePostingSchedule', scheduleId })
    world.clock.advance(3 * day)
    await rested()
    expect(await postsOf(of)).toHaveLength(7)
    await tell(of, { type: 'ResumePostingSchedule', scheduleId })
    await filled(of, 10)
  })
  it('that is changed replaces its untouched posts; posts that a user has acted on stay', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    const [approved, rejected, withdrawn] = await postsOf(of)
    await act(approved?.id ?? '', { type: 'ApprovePost' })
    await act(rejected?.id ?? '', { type: 'RejectPost', reason: null })
    await tell(of, {
      type: 'RevisePostingSchedule',
      scheduleId,
      ...daily,
      preferredTimes: [{ day: 'every', time: '12:00' }],
    })
    await within(async () => {
      const posts = await postsOf(of)
      expect(posts.filter(({ plan }) => plan?.revision === 0).map(({ id }) => id)).toEqual([approved?.id, rejected?.id])
      expect(posts.filter(({ plan }) => plan?.revision === 1)).toHaveLength(7)
    })
    expect((await world.eventsOf(`post-${withdrawn?.id}`)).at(-1)).toMatchObject({
      type: 'PostDeleted',
      data: { because: 'schedule-changed' },
    })
  })
  it('that is changed while paused keeps its posts until it is resumed', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    const revisions = async () => (await postsOf(of)).map(({ plan }) => plan?.revision)
    await tell(of, { type: 'PausePostingSchedule', scheduleId })
    await tell(of, {
      type: 'RevisePostingSchedule',
      scheduleId,
      ...daily,
      preferredTimes: [{ day: 'every', time: '12:00' }],
    })
    await rested()
    expect(await revisions()).toEqual(Array.from({ length: 7 }, () => 0))
    await tell(of, { type: 'ResumePostingSchedule', scheduleId })
    await within(async () => expect(await revisions()).toEqual(Array.from({ length: 7 }, () => 1)))
  })
  it('that is removed deletes its untouched posts', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    const [touched, other] = await postsOf(of)
    await act(touched?.id ?? '', { type: 'ReturnPostToDraft' })
    await tell(of, { type: 'RemovePostingSchedule', scheduleId })
    await within(async () => expect((await postsOf(of)).map(({ id }) => id)).toEqual([touched?.id]))
    expect((await world.eventsOf(`post-${other?.id}`)).at(-1)).toMatchObject({
      type: 'PostDeleted',
      data: { because: 'schedule-removed' },
    })
  })
  it('does not write a post again after a user deleted it', async () => {
    const of = await account()
    await schedule(of)
    await start()
    await filled(of, 7)
    const [first] = await postsOf(of)
    await act(first?.id ?? '', { type: 'DeletePost', because: 'asked' })
    await rested()
    expect(await postsOf(of)).toHaveLength(6)
  })
  it('moves with the agency into another time zone and back', async () => {
    const of = await account()
    await schedule(of)
    await start()
    await filled(of, 7)
    const hours = async () => [...new Set((await postsOf(of)).map(({ scheduledFor }) => scheduledFor?.slice(11, 13)))]
    for (const [timeZone, hour] of [
      ['Asia/Tokyo', '00'],
      ['UTC', '09'],
      ['Asia/Tokyo', '00'],
    ] as const) {
      await world.commands.agency(world.agencyId, { type: 'ChangeTimeZone', timeZone }, world.by)
      await within(async () => expect(await hours()).toEqual([hour]))
      await filled(of, 7)
    }
  })
  it('is removed with its client', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await start()
    await filled(of, 7)
    await world.commands.agency(world.agencyId, { type: 'RemoveClient', clientId: of.clientId }, world.by)
    await within(async () => expect(await world.views.schedules.get(scheduleId)).toBeNull())
  })
})

describe('A writer failure', () => {
  const first = '2026-03-02T09:00:00.000Z'
  const weekly = { preferredTimes: [{ day: 1 as const, time: '09:00' }], frequency: 'custom' as const }

  it('is recorded at its slot, and retried after a backoff', async () => {
    const of = await account()
    const service = await startWithAi({ firstBackoffMs: 60_000, agencyBackoffMs: 1_000 })
    service.next({ does: 'fail', status: 500 })
    const scheduleId = await schedule(of, weekly)
    await within(async () =>
      expect(await failuresOf(of, scheduleId)).toEqual({
        [first]: 'The AI service has trouble of its own right now. Please try again in a minute.',
      }),
    )
    world.clock.advance(59_000)
    await rested()
    expect(await postsOf(of)).toEqual([])
    world.clock.advance(2_000)
    await filled(of, 1)
  })
  it('is recorded once, however often the same failure repeats', async () => {
    const of = await account()
    const service = await startWithAi({
      firstBackoffMs: 1,
      longestBackoffMs: 1,
      agencyBackoffMs: 1,
      longestAgencyBackoffMs: 1,
    })
    service.next(...Array.from({ length: 40 }, () => ({ does: 'fail', status: 500 }) as const))
    await schedule(of, weekly)
    await within(async () => {
      world.clock.advance(10)
      expect(service.asked.length).toBeGreaterThanOrEqual(4)
    })
    expect(
      (await world.eventsOf(`client-${of.clientId}`)).filter(({ type }) => type === 'PostPlanningFailed'),
    ).toHaveLength(1)
  })
  it('is retried at once when a user asks for it', async () => {
    const of = await account()
    const service = await startWithAi({ firstBackoffMs: day })
    service.next({ does: 'refuse' })
    const scheduleId = await schedule(of, weekly)
    await within(async () => expect(await failuresOf(of, scheduleId)).toHaveProperty([first]))
    await tell(of, { type: 'RetryPlanning', scheduleId, slot: first })
    await filled(of, 1)
    expect(await failuresOf(of, scheduleId)).toEqual({})
  })
  it("with a retry-after defers all of the agency's slots", async () => {
    const [one, other] = [await account(), await account()]
    const service = await startWithAi({ concurrency: 1 })
    service.next({ does: 'fail', status: 429, headers: { 'retry-after': '120' } })
    const scheduleId = await schedule(one, weekly)
    await within(async () => expect(await failuresOf(one, scheduleId)).toHaveProperty([first]))
    await schedule(other, weekly)
    const asked = service.asked.length
    world.clock.advance(119_000)
    await neighbour()
    expect(service.asked).toHaveLength(asked + 7)
    world.clock.advance(2_000)
    await filled(one, 1)
    await filled(other, 1)
  })
  it('records nothing when the network would not accept the text', async () => {
    const of = await account('twitter')
    const tooLong: Writer = {
      source: 'template',
      model: null,
      write: async () => ({ content: 'x'.repeat(300), source: 'template', model: null, tokens: null }),
    }
    await start(tooLong)
    const scheduleId = await schedule(of, weekly)
    await within(async () =>
      expect(await failuresOf(of, scheduleId)).toEqual({ [first]: expect.stringContaining('at most 280 characters') }),
    )
    expect(await postsOf(of)).toEqual([])
    expect(await generationsOf(world.events, of.clientId)).toEqual([])
  })
  it('includes a timeout: the planner gives up on a writer that never answers', async () => {
    const of = await account()
    const silent: Writer = {
      source: 'template',
      model: null,
      write: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    }
    await start(silent, { longestMs: 50 })
    const scheduleId = await schedule(of, weekly)
    await within(async () =>
      expect(await failuresOf(of, scheduleId)).toEqual({ [first]: expect.stringContaining('too long') }),
    )
  })
})
