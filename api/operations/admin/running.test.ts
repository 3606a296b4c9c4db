/** The projections' commands on a running server: read models are rebuilt while users read them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import type { ApiClient } from '../../http/client.ts'
import { throughServer } from './client.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
const count = 60

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  const made = await brand(caller)
  clientId = made.clientId
  const lines = Array.from({ length: count }, (_, at) => `Post ${at},facebook`)
  await caller.callOrThrow('importPosts', {
    params: { id: clientId },
    body: new Blob([['content,platform', ...lines].join('\n')], { type: 'text/csv' }),
  })
})
afterAll(() => server.remove())

async function run(...args: readonly string[]) {
  const output: string[] = []
  const code = await throughServer(server.dataDir, 'projections', args, {
    screen: { isTTY: false, write: (text) => output.push(text) },
  })
  return { code, text: output.join('') }
}
const list = () => caller.ask('listPosts', { params: { id: clientId } })

it(
  'Each view is rebuilt without a failed or incomplete read, and contains the posts written meanwhile',
  { tags: 'long' },
  async () => {
    const over = new AbortController()
    let reads = 0
    const reading = async () => {
      while (!over.signal.aborted) {
        const { status, text } = await list()
        expect(status).toBe(200)
        expect((JSON.parse(text) as unknown[]).length).toBeGreaterThanOrEqual(count)
        reads += 1
      }
    }
    const readers = [reading(), reading()]
    const account = (await caller.callOrThrow('listSocialAccounts', { params: { id: clientId } }))[0]?.id
    for (let round = 0; round < 3; round++) {
      const rebuilding = run('rebuild', '--all')
      await caller.callOrThrow('writePost', {
        params: { id: clientId },
        body: { socialAccountId: account, content: `Meanwhile ${round}` },
      })
      expect(await rebuilding).toMatchObject({ code: 0, text: expect.stringMatching(/posts: rebuilt, \d+ events/) })
    }
    over.abort()
    await Promise.all(readers)
    expect(reads).toBeGreaterThan(3)
    expect(JSON.parse((await list()).text)).toHaveLength(count + 3)
    expect(await run('verify')).toMatchObject({ code: 0, text: expect.not.stringContaining('differ') })
    expect(await run('status')).toMatchObject({
      code: 0,
      text: expect.stringMatching(/posts +v5 +posts_v5\S* +\d{16} +0 +63/),
    })
    expect(await run('prune')).toMatchObject({ code: 0 })
  },
)

it('A second rebuild of the same view is refused while the first is running', async () => {
  // A rebuild this small may end before the second one starts, so the test repeats it.
  const meet = async () =>
    (await Promise.all([run('rebuild', 'posts'), run('rebuild', 'posts')])).find(({ code }) => code !== 0)
  await expect.poll(meet).toEqual({ code: 3, text: 'The projection posts is being rebuilt already\n' })
})

it('Wrong usage and unknown names give the same errors as on a stopped server', async () => {
  expect(await run('rebuild', 'nothing')).toMatchObject({
    code: 2,
    text: expect.stringContaining('There is no projection named nothing.'),
  })
  expect((await run('nonsense')).code).toBe(2)
})
