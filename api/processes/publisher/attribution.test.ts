/** The mapping from a network's post to our post is kept for as long as a look-up may need it, and no longer. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorld, type World } from '../test/helpers.ts'
import { Attribution } from './attribution.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.remove())

it('A remote post stays attributed to the first post it matched; the attribution is deleted after ninety days', async () => {
  const account = await world.addAccount(await world.addClient())
  const [first, second] = [await world.schedule(account, 'One'), await world.schedule(account, 'Another')]
  const dueOf = async (id: string) => (await world.views.duePosts.get(id)) ?? expect.fail('not due')
  const attribution = new Attribution(world)
  const asked = async (id: string, remoteId: string) =>
    (await attribution.attribute(await dueOf(id), await world.post(id), [{ remoteId, url: null }])).kind
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
