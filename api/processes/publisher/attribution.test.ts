/** The mapping from a network's post to our post is kept for as long as a look-up may need it, and no longer. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { later } from '../../core/clock.ts'
import { openWorld, type World } from '../test/helpers.ts'
import { Attribution } from './attribution.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})
afterEach(() => world.remove())

/** Sends a post whose outcome becomes unknown, and lets a user say that it is live at an address. */
async function publishUnnamed(postId: string, url: string): Promise<void> {
  world.clock.advance(60_000)
  const attemptId = `lost-${postId}`
  const steps = [
    { type: 'ClaimPost', attemptId, until: later(world.clock.now(), 30_000) },
    { type: 'RecordOutcomeUnknown', attemptId, cause: 'Interrupted' },
    { type: 'ResolveAsLive', attemptId, url, remoteId: null },
  ] as const
  for (const step of steps) {
    const done = await world.commands.post(postId, step, world.by)
    if ('refused' in done) expect.fail(done.refused.reason)
    await world.projector.waitFor(done.appendedEvents, patience.timeout)
  }
}

it('A remote post stays attributed to the first post it matched; the attribution is deleted after ninety days', async () => {
  const account = await world.addAccount(await world.addClient())
  const [first, second] = [await world.schedule(account, 'One'), await world.schedule(account, 'Another')]
  const dueOf = async (id: string) => (await world.views.duePosts.get(id)) ?? expect.fail('not due')
  const attribution = new Attribution(world)
  const asked = async (id: string, remoteId: string) =>
    (await attribution.attribute(await dueOf(id), await world.post(id), [{ remoteId, url: null }], world.clock.now()))
      .kind
  expect([await asked(first, 'remote-1'), await asked(first, 'remote-1'), await asked(second, 'remote-1')]).toEqual([
    'mine',
    'mine',
    'none',
  ])

  const kept = await world.records.table<{ readonly id: string }>({ table: 'remote_posts' })
  world.clock.advance(89 * 86_400_000)
  expect([await asked(second, 'remote-1'), await kept.count()]).toEqual(['none', 1])
  world.clock.advance(2 * 86_400_000)
  expect(await asked(second, 'remote-2')).toBe('mine')
  expect((await kept.find('id', 'facebook/remote-2')).length).toBe(1)
  expect(await kept.count()).toBe(1)
})

it('A copy at the address that a user gave for another post with the same text is not attributed to this one', async () => {
  const account = await world.addAccount(await world.addClient())
  const [live, asked] = [await world.schedule(account, 'Same'), await world.schedule(account, 'Same')]
  const url = 'https://facebook.test/1'
  await publishUnnamed(live, url)
  const attribution = new Attribution(world)
  const due = (await world.views.duePosts.get(asked)) ?? expect.fail('not due')
  const attributed = async (...urls: readonly string[]) =>
    attribution.attribute(
      due,
      await world.post(asked),
      urls.map((each) => ({ remoteId: each, url: each })),
      world.clock.now(),
    )
  expect(await attributed(url)).toEqual({ kind: 'none' })
  const second = 'https://facebook.test/2'
  expect(await attributed(url, second)).toEqual({ kind: 'mine', candidate: { remoteId: second, url: second } })
})
