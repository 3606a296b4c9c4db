/** What one failing post, or a store that fails for a moment, does to the other posts. */
import { v7 as uuidv7 } from 'uuid'
import { expect, it, vi } from 'vitest'
import type { StoredEvent } from '../../../domain/core/event.ts'
import { chainHashes } from '../../../domain/event-store/chain.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { account, becomes, claimAndDie, start, usePublishers, within, world } from './test/publishers.ts'

usePublishers()

/** Appends an event that no code knows: the post can't be loaded any more. */
async function makeUnreadable(postId: string): Promise<void> {
  const stream = `post-${postId}`
  const stored: StoredEvent[] = []
  for await (const batch of world.events.read(stream)) stored.push(...batch)
  const { revision, metadata: last } = stored.at(-1) ?? expect.fail('Nothing was written')
  const { hash, prevHash: _, ...metadata } = last
  const unknown = { name: 'PostTeleported', data: {}, metadata: { ...metadata, eventId: uuidv7() } }
  await world.events.append(stream, revision, chainHashes(stream, { revision, hash }, [unknown]))
}

it.each([true, false])(
  "A claimed post that can't be read keeps no other post from being sent or looked up (at the start: %s)",
  async (isAtStart) => {
    const [other, third] = [await world.addAccount(account.clientId), await world.addAccount(account.clientId)]
    const unreadable = await world.schedule(other, 'Unreadable')
    const interrupted = await world.schedule(account, 'Interrupted')
    const elsewhere = await world.schedule(third, 'Elsewhere')
    world.clock.advance(60_000)
    await claimAndDie(unreadable, false)
    await makeUnreadable(unreadable)
    await claimAndDie(interrupted, true)
    if (!isAtStart) {
      start({ ownsAllClaims: false })
      await becomes(elsewhere, { status: 'published' })
      world.clock.advance(10 * 60_000)
    } else start({ ownsAllClaims: true })
    await becomes(interrupted, { status: 'published' })
    await becomes(elsewhere, { status: 'published' })
  },
)

it('Images are prepared though the log fails for a moment, which does not end the process', async () => {
  const [first, second] = [
    await world.schedule(account, 'First', 4 * 60_000, true),
    await world.schedule(account, 'Second', 4 * 60_000, true),
  ]
  const { loadPost } = world.commands
  const prepare = vi.spyOn(world.networks.facebook, 'prepare')
  const failed = new Set<string>()
  vi.spyOn(world.commands, 'loadPost').mockImplementation(async (id, scope) => {
    if (failed.has(id)) return loadPost(id, scope)
    failed.add(id)
    throw new StoreUnavailable('The log is away')
  })
  start()
  await within(async () =>
    expect(prepare.mock.calls.map(([{ content }]) => content).toSorted()).toEqual(['First', 'Second']),
  )
  expect([...failed].toSorted()).toEqual([first, second].toSorted())
})
