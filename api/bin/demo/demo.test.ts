/** @module-tag long */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ApiClient } from '../../http/client.ts'
import { MovableClock } from '../../core/clock.ts'
import { testServer } from '../../testing/server.ts'
import { fillAgency } from './fill.ts'

const days = 5

it('an agency in the middle of its month is created through the real API, images and publishing included', async () => {
  const clock = new MovableClock(new Date(Date.now() - days * 24 * 3_600_000).toISOString())
  const server = await testServer({ PUBLISH_POLL_MS: '10' }, { clock })
  const signIn = { email: 'demo@northstar.example', password: 'north-star-demo' }
  const caller = new ApiClient(server.url)
  await caller.callOrThrow('register', { body: signIn })
  await caller.callOrThrow('openAgency', { body: { name: 'North Star Agency', email: signIn.email, timeZone: 'UTC' } })
  const images = fileURLToPath(new URL('../../../web/public/demo/', import.meta.url))
  const result = await fillAgency({ caller, signIn, running: server, clock, days, images })
  expect(result.clients).toBe(5)
  expect(result.published).toBeGreaterThan(0)
  const [client] = await caller.callOrThrow('listClients')
  const posts = await caller.callOrThrow('listPosts', { params: { id: client?.id ?? '' } })
  expect(posts.some(({ image }) => image !== null)).toBe(true)
  await server.remove()
}, 60_000)
