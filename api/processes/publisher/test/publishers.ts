/** A world with one connected account, and publishers that are stopped after each test. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { gate } from '../../../../domain/test/gate.ts'
import { patience } from '../../../../domain/test/patience.ts'
import { later } from '../../../core/clock.ts'
import { openWorld, soon, type Account, type World } from '../../test/helpers.ts'
import type { PublisherConfig } from '../config.ts'
import { createPublisher, type Publisher } from '../publisher.ts'

export let world: World
export let account: Account
let running: Publisher[]

export function usePublishers(): void {
  beforeEach(async () => {
    running = []
    world = await openWorld()
    account = await world.addAccount(await world.addClient())
  })
  afterEach(async () => {
    await Promise.all(running.map((publisher) => publisher.stop()))
    await world.remove()
  })
}

export const start = (config: Partial<PublisherConfig> = {}, elapsed?: () => number): Publisher => {
  const publisher = createPublisher({
    ...world,
    ...(elapsed && { elapsed }),
    config: { pollMs: 10, settleMs: 10, firstRetryMs: 1_000, ...config },
  })
  running.push(publisher)
  publisher.start()
  return publisher
}

/** Closes the world's stores and opens them again, as a restart does. */
export async function reopen(): Promise<void> {
  await world.close()
  world = await openWorld(world)
}

export const within = <T>(assertion: () => Promise<T>) => vi.waitFor(assertion, { ...soon, interval: 10 })

export const becomes = (postId: string, state: object) =>
  within(async () => expect(await world.post(postId)).toMatchObject(state))

export const typesOf = async (postId: string) => (await world.eventsOf(`post-${postId}`)).map(({ type }) => type)

/** Claims like a publisher that dies before it records the outcome. */
export const claimAndDie = async (postId: string, isTaken: boolean) => {
  const until = later(world.clock.now(), 30_000)
  const claimed = await world.commands.post(postId, { type: 'ClaimPost', attemptId: `lost-${postId}`, until }, world.by)
  if ('appendedEvents' in claimed) await world.projector.waitFor(claimed.appendedEvents, patience.timeout)
  const connection = await world.vault.get(account.accountId)
  const { content } = await world.post(postId)
  if (isTaken && connection) await world.networks.facebook.publish({ ...connection, content, image: null }, [])
}

/** Facebook takes a post, and its answer comes when told to. */
export function heldBack() {
  const { facebook } = world.networks
  const publish = facebook.publish.bind(facebook)
  const taken: unknown[] = []
  const { until, open: answer } = gate()
  vi.spyOn(facebook, 'publish').mockImplementation(async (...post) => {
    const outcome = await publish(...post)
    taken.push(outcome)
    await until
    return outcome
  })
  return { isTaken: () => within(async () => expect(taken).toHaveLength(1)), answer }
}
