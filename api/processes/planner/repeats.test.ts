/**
 * Which recent posts the planner passes to the writer to avoid repeats, and when it doesn't ask the AI at all.
 *
 * @module-tag long
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../../domain/test/patience.ts'
import type { ClientCommand, ScheduleRules } from '../../../domain/client/commands.ts'
import { createOpenAiWriter } from '../../features/writer/openai.ts'
import { post, startTestAi, type TestAi } from '../../features/writer/test/fake-openai.ts'
import { openWorld, type Account, type World } from '../test/helpers.ts'
import { createPlanner, type Planner } from './planner.ts'

const day = 86_400_000
const daily: ScheduleRules = {
  frequency: 'daily',
  postsPerWeek: 3,
  preferredTimes: [{ day: 'every', time: '09:00' }],
  contentTopics: [],
}

let world: World
let ai: TestAi
let planner: Planner

beforeEach(async () => {
  world = await openWorld()
  ai = await startTestAi()
  const writer = createOpenAiWriter({
    apiKey: ai.key,
    baseUrl: ai.env['OPENAI_BASE_URL'] ?? '',
    model: 'gpt-test',
    timeoutMs: 5_000,
  })
  planner = await createPlanner({ ...world, writer, config: { pollMs: 10 } })
})
afterEach(async () => {
  await planner.stop()
  await ai.close()
  await world.remove()
})

const tell = async ({ clientId }: Account, command: ClientCommand) => {
  const outcome = await world.commands.client(clientId, command, world.by)
  if ('refused' in outcome) throw new Error(outcome.refused.reason)
  await world.projector.waitFor(outcome.appendedEvents, patience.timeout)
}
const account = async () => world.addAccount(await world.addClient(), 'facebook', false)
const schedule = async (of: Account) => {
  const scheduleId = uuidv7()
  await tell(of, { type: 'AddPostingSchedule', scheduleId, accountId: of.accountId, ...daily })
  return scheduleId
}
const postsOf = ({ clientId }: Account) => world.views.posts.all({ where: { clientId } })
const filled = (of: Account, count: number) =>
  vi.waitFor(async () => expect(await postsOf(of)).toHaveLength(count), { ...patience, interval: 20 })
const dataOf = (content: string) =>
  JSON.parse(/^<data>\n([\s\S]*)\n<\/data>$/.exec(content)?.[1] ?? '') as {
    client: { name: string }
    recentPosts: string[]
  }
/** The writer's inputs for a client, call by call. */
const askedFor = ({ clientId }: Account) =>
  ai.asked
    .map(({ messages }) => dataOf(messages[1]?.content ?? ''))
    .filter(({ client }) => client.name === `Client ${clientId}`)

describe('Each post of a week', () => {
  it('is written with every earlier post in its prompt, including the one written a moment ago', async () => {
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.', 'Six.', 'Seven.']
    ai.next(...texts.map((text) => ({ does: 'answer', text: post(text) }) as const))
    const of = await account()
    await schedule(of)
    await planner.start()
    await filled(of, 7)
    // All posts have the same timestamp, because the clock stands still: their order is undefined.
    expect(askedFor(of).map(({ recentPosts }) => recentPosts.toSorted())).toEqual(
      texts.map((_, count) => texts.slice(0, count).toSorted()),
    )
  })
})

describe('The AI is not called', () => {
  const other = async () => {
    const marker = await account()
    await schedule(marker)
    await filled(marker, 7)
  }

  it('while a schedule is paused, for however long', async () => {
    const of = await account()
    const scheduleId = await schedule(of)
    await tell(of, { type: 'PausePostingSchedule', scheduleId })
    await planner.start()
    // The planner also wakes for a change to a paused schedule.
    await tell(of, { type: 'RevisePostingSchedule', scheduleId, ...daily, contentTopics: ['News'] })
    await other()
    world.clock.advance(2 * day)
    await other()
    expect(askedFor(of)).toEqual([])
    await tell(of, { type: 'ResumePostingSchedule', scheduleId })
    await filled(of, 7)
    expect(askedFor(of)).toHaveLength(7)
  })

  it('once the trial has ended; it is called again after the payment', async () => {
    const of = await account()
    await schedule(of)
    world.clock.advance(8 * day)
    const looks = vi.spyOn(world.commands, 'loadAgency')
    await planner.start()
    // The planner has looked at the agency more than once.
    await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(5), patience)
    expect(ai.asked).toEqual([])
    const asOf = world.clock.now()
    const update = {
      heard: 'told',
      subscriptionId: 'subscription',
      customerId: 'customer',
      currentPeriodEnd: null,
      endsWithPeriod: false,
      begunAt: asOf,
    } as const
    await world.commands.agency(
      world.agencyId,
      { type: 'RecordSubscription', ...update, status: 'active', asOf },
      world.by,
    )
    await filled(of, 7)
    expect(askedFor(of)).toHaveLength(7)
  })
})
