/** Planner, publisher, collector and reminders, on the stores of either shape: a sample for `npm run test:servers`. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { createTemplateWriter } from '../features/writer/template.ts'
import { createCollector } from './collector/collector.ts'
import { createPlanner } from './planner/planner.ts'
import { createPublisher } from './publisher/publisher.ts'
import { hour, openStage, policyOf } from './approval-reminders/test/stage.ts'
import { openWorld, soon, type World } from './test/helpers.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.remove())

it('A schedule is filled for a week by two planners', { tags: 'long' }, async () => {
  const account = await world.addAccount(await world.addClient())
  const added = await world.commands.client(
    account.clientId,
    {
      type: 'AddPostingSchedule',
      scheduleId: uuidv7(),
      accountId: account.accountId,
      frequency: 'daily',
      postsPerWeek: 7,
      preferredTimes: [{ day: 'every', time: '09:00' }],
      contentTopics: ['News'],
    },
    world.by,
  )
  expect(added).toMatchObject({ appended: 1 })
  const writer = createTemplateWriter({ random: () => 0.5 })
  const planners = await Promise.all([0, 1].map(() => createPlanner({ ...world, writer, config: { pollMs: 10 } })))
  onTestFinished(async () => void (await Promise.all(planners.map((planner) => planner.stop()))))
  for (const planner of planners) void planner.start()
  const posts = async () => world.views.posts.all({ where: { clientId: account.clientId } })
  await vi.waitFor(async () => expect(await posts()).toHaveLength(7), soon)
  expect(new Set((await posts()).map(({ scheduledFor }) => scheduledFor)).size).toBe(7)
})

it('Posts are published once by two publishers, and their metrics collected', async () => {
  const account = await world.addAccount(await world.addClient())
  const texts = ['One', 'Two', 'Three']
  const ids: string[] = []
  for (const text of texts) ids.push(await world.schedule(account, text))
  world.clock.advance(60_000)
  const publishers = [0, 1].map(() => createPublisher({ ...world, config: { pollMs: 10, settleMs: 10 } }))
  onTestFinished(async () => void (await Promise.all(publishers.map((publisher) => publisher.stop()))))
  for (const publisher of publishers) publisher.start()
  for (const id of ids)
    await vi.waitFor(async () => expect(await world.post(id)).toMatchObject({ status: 'published' }), soon)
  await Promise.all(publishers.map((publisher) => publisher.stop()))
  expect((await world.feed()).toSorted()).toEqual(texts.toSorted())

  world.clock.advance(3_600_000)
  const collector = createCollector({ ...world, networks: world.networks, config: { pollMs: 10, postsAtATime: 500 } })
  onTestFinished(() => collector.stop())
  collector.start()
  for (const id of ids)
    await vi.waitFor(async () => expect(await world.views.figuresDue.get(id)).toMatchObject({ readings: 1 }), soon)
  await collector.stop()
})

it('A step is reminded of once by two processes', async () => {
  const stage = await openStage()
  const account = await stage.addAccount(await stage.addClient(), 'facebook', false)
  await stage.setPolicy(account.clientId, policyOf([1, 2]))
  const postId = await stage.pending(account.clientId, account.accountId)
  const processes = [0, 1].map(() => stage.reminders({ config: { pollMs: 10 } }))
  onTestFinished(async () => void (await Promise.all(processes.map((process) => process.stop()))))
  for (const process of processes) process.start()
  for (const number of [1, 2]) {
    stage.clock.advance(hour)
    await vi.waitFor(async () => expect(await stage.remindedIn(postId)).toHaveLength(number), soon)
  }
  await Promise.all(processes.map((process) => process.stop()))
  await stage.deliver()
  expect(await stage.remindedIn(postId)).toEqual([1, 2])
  expect(stage.delivered.map(({ number }) => number).toSorted()).toEqual([1, 2])
  await stage.remove()
})
