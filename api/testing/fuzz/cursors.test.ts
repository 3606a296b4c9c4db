/**
 * Cursors that a client made itself, on every route that takes one.
 *
 * @module-tag long
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../core/clock.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { readOperations } from './document.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())

describe('a cursor made by hand', () => {
  const unstorableIds = ['\\ud800', '\\u0000', 'a\\u0000b'].flatMap((id) =>
    ['', ',null', ',2026', ',"2026"'].map((value) => `["${id}"${value}]`),
  )
  const odd = [
    '["a","\\ud800"]',
    '["a","\\u0000"]',
    '["a",true]',
    '["a",1e400]',
    '["a",{}]',
    '["a",[]]',
    '{}',
    '1',
    '""',
  ]

  it('is refused on each route that takes one, when its id is one that no store keeps', async () => {
    const caller = await owner(server)
    const { clientId, accountId } = await brand(caller)
    const params = { id: clientId }
    const post = { socialAccountId: accountId, content: 'Fresh' }
    const { id: postId } = await caller.callOrThrow('writePost', { params, body: post })
    const operations = await readOperations(server.url)
    const now = server.clock.now()
    const body = { label: 'Audit', expiresAt: later(now, 86_400_000) }
    const { url } = await caller.callOrThrow('issueAuditorLink', { body })
    const token = /[^/#]+$/.exec(url)?.[0] ?? ''
    const kinds = ['failed', 'unknown', 'held', 'pending', 'draft']
    const routes = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'))
    const addresses = routes.flatMap(({ path, parameters }) => {
      const takes = (name: string) => parameters.some((each) => each.name === name)
      const id = /\/(?:history|comments)$/.test(path) ? postId : clientId
      const whole = path.replace('{id}', id).replace('{token}', token)
      const month = takes('month') ? 'month=2026-03&' : ''
      return (takes('kind') ? kinds.map((kind) => whole.replace('{kind}', kind)) : [whole]).flatMap((each) => [
        `${each}?${month}`,
        ...(takes('asOf') ? [`${each}?${month}asOf=${now}&`] : []),
      ])
    })
    expect(routes.length).toBeGreaterThan(10)
    const wrong: string[] = []
    for (const address of addresses)
      for (const mark of [...unstorableIds, ...odd]) {
        const { status, text } = await caller.get(`${address}cursor=${Buffer.from(mark).toString('base64url')}`)
        const isRight = status === 400 ? text.startsWith('Cursor: ') : status === 200 && odd.includes(mark)
        if (!isRight) wrong.push(`${address} ${mark}: ${status} ${text.slice(0, 100)}`)
      }
    expect(wrong).toEqual([])
  })
})
