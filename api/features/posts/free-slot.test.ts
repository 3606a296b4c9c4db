import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import type { ClientCommand } from '../../../domain/client/commands.ts'
import { accepted } from '../../http/handler.ts'
import { MovableClock } from '../../core/clock.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({}, { clock: new MovableClock('2026-03-02T10:00:00.000Z') })
})
afterAll(() => server.remove())

it("an approval takes the schedule's next slot without a post of the account, whether manual or written by the schedule", async () => {
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const { id: agencyId } = await caller.callOrThrow('getAgency')
  const by = { actor: { type: 'user', id: 'test' }, agencyId, correlationId: 'test' } as const
  const schedule: ClientCommand = {
    type: 'AddPostingSchedule',
    scheduleId: 's',
    accountId,
    frequency: 'daily',
    postsPerWeek: 7,
    preferredTimes: [{ day: 'every', time: '09:00' }],
    contentTopics: [],
  }
  const write = (content: string, scheduledFor?: string) =>
    caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content, status: 'pending', scheduledFor },
    })
  const approve = async (id: string) =>
    (await caller.callOrThrow('changePost', { params: { id }, body: { status: 'approved' } })).scheduledFor

  await write('Waits for review, with a time of its own', '2026-03-03T08:00:00.000Z')
  accepted(await server.commands.client(clientId, schedule, by))
  await vi.waitFor(
    async () => expect(await caller.callOrThrow('listPosts', { params: { id: clientId } })).toHaveLength(7),
    {
      ...patience,
      interval: 20,
    },
  )
  expect(await approve((await write('First')).id)).toBe('2026-03-10T08:00:00.000Z')
  expect(await approve((await write('Second')).id)).toBe('2026-03-11T08:00:00.000Z')
})
