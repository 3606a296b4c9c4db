/**
 * Races that the model found, each on its own and often enough to be met again.
 *
 * @module-tag sampled
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { later } from '../../core/clock.ts'
import { sample } from '../../../domain/test/sample.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'

const rounds = sample('RACES', { test: 12, long: 60 })

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

it('a time set while a draft is being scheduled is kept, whichever command comes first', async () => {
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  for (let round = 0; round < rounds; round++) {
    const { id } = await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: 'Fresh' },
    })
    const change = (body: object) => caller.ask('changePost', { params: { id }, body })
    const scheduledFor = later(server.clock.now(), 3_600_000)
    const answers = await Promise.all([change({ status: 'scheduled' }), change({ scheduledFor })])
    expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual([200, 200])
    expect(await caller.callOrThrow('getPost', { params: { id } })).toMatchObject({ status: 'scheduled', scheduledFor })
  }
})
