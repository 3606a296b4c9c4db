import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { patience } from '../../domain/test/patience.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { later } from '../core/clock.ts'
import type { Commands } from '../core/commands.ts'
import { createCommands } from '../features/commands.ts'
import { openWorld, type Account, type World } from '../processes/test/helpers.ts'
import { createQuota } from './quota.ts'

let world: World
let commands: Commands
let account: Account

beforeEach(async () => {
  world = await openWorld()
  commands = createCommands({ ...world.commands.ports, quota: createQuota(world) })
  account = await world.addAccount(await world.addClient(), 'instagram')
})
afterEach(() => world.remove())

const hour = 3_600_000
async function draft(): Promise<string> {
  const postId = uuidv7()
  const { clientId, accountId, platform } = account
  const words = {
    content: 'Hello',
    imageUrl: 'https://images.test/a.jpg',
    scheduledFor: null,
    as: 'draft' as const,
    generation: null,
    plan: null,
  }
  await commands.post(postId, { type: 'WritePost', postId, clientId, accountId, platform, ...words }, world.by)
  return postId
}
const refusal = async (postId: string, command: Parameters<Commands['post']>[1]) => {
  const done = await commands.post(postId, command, world.by)
  if ('refused' in done) return done.refused.reason
  await world.projector.waitFor(done.appendedEvents, patience.timeout)
  return null
}
const scheduleIn = (postId: string, ms: number) =>
  refusal(postId, { type: 'SchedulePost', scheduledFor: later(world.clock.now(), ms) })
const usedUp = () => world.sandbox.limit('instagram', { posts: 1, windowMs: 24 * hour })

describe("Instagram's quota of posts", () => {
  it('that scheduled posts use up refuses one more inside the window, and accepts one after it', async () => {
    await usedUp()
    expect(await scheduleIn(await draft(), hour)).toBeNull()
    const postId = await draft()
    expect(await scheduleIn(postId, 2 * hour)).toBe('quota-used-up')
    expect(await scheduleIn(postId, 25 * hour)).toBeNull()
  })
  it('refuses a submission and an approval for a time inside the window', async () => {
    await usedUp()
    const [first, second] = [await draft(), await draft()]
    for (const postId of [first, second])
      await refusal(postId, { type: 'PlanPost', scheduledFor: later(world.clock.now(), 3 * hour) })
    expect(await refusal(second, { type: 'SubmitPost' })).toBeNull()
    expect(await scheduleIn(await draft(), hour)).toBeNull()
    expect(await refusal(first, { type: 'SubmitPost' })).toBe('quota-used-up')
    expect(await refusal(second, { type: 'ApprovePost' })).toBe('quota-used-up')
  })
  it('refuses nothing while there is room', async () => {
    expect(await scheduleIn(await draft(), hour)).toBeNull()
  })
})

describe('an unknown quota refuses nothing', () => {
  it('when the network is down', async () => {
    await usedUp()
    await world.sandbox.close()
    expect(await scheduleIn(await draft(), hour)).toBeNull()
    expect(await scheduleIn(await draft(), hour)).toBeNull()
  })
  it('when the tokens are dead', async () => {
    await usedUp()
    await world.sandbox.revoke('instagram', account.name)
    expect(await scheduleIn(await draft(), hour)).toBeNull()
  })
  it("when the tokens can't be read", async () => {
    const { vault } = world
    const records = await world.records.table<{ id: string; iv: string }>({ table: 'tokens' })
    const found = await records.get(account.accountId)
    if (found) await records.put({ ...found.record, iv: Buffer.alloc(12).toString('base64') })
    await expect(vault.get(account.accountId)).rejects.toThrow("can't be decrypted")
    expect(await scheduleIn(await draft(), hour)).toBeNull()
  })
  it('when the records fail for a moment, which one command reports and the next one does not', async () => {
    await usedUp()
    const [first, second] = [await draft(), await draft()]
    vi.spyOn(world.vault, 'get').mockRejectedValueOnce(new StoreUnavailable('The records are away'))
    await expect(scheduleIn(first, hour)).rejects.toThrow('The records are away')
    expect(await scheduleIn(first, hour)).toBeNull()
    expect(await scheduleIn(second, hour)).toBe('quota-used-up')
  })
  it('on a network without a quota', async () => {
    account = await world.addAccount(await world.addClient(), 'facebook')
    expect(await scheduleIn(await draft(), hour)).toBeNull()
  })
})
