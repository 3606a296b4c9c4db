/** Lists that come again without a body, as the server's 304 says. */
import { afterEach, describe, expect, it } from 'vitest'
import { call } from './call.ts'
import { keptReplies, maxBytes, maxReplies } from './kept-replies.ts'
import { listPositions } from './list-positions.ts'
import { page } from './pages.ts'
import { endSession } from './session.ts'
import { list, refuse, same, startFakeApi } from '../test/fake-api.ts'
import { gate } from '../../domain/test/gate.ts'
import { aClient } from '../test/things.ts'

const api = startFakeApi()
afterEach(() => keptReplies.forget())

const tag = 'W/"one"'
const namedTags = () => api.sent('listClients').map(({ headers }) => headers.get('If-None-Match'))
const read = () => page('GET /api/clients', null)
const clients = [aClient({ name: 'Blue Cup' })]

describe('A list with a tag', () => {
  it('is asked for by that tag, and shown from memory where the server has the same', async () => {
    api.on('listClients', ({ headers }) =>
      headers.get('If-None-Match') === tag
        ? same({ tag, position: 'p2', total: 7, next: '/api/clients?cursor=b' })
        : list(clients, { tag, position: 'p1', total: 1 }),
    )
    expect(await read()).toEqual({ items: clients, next: null, total: 1 })
    expect(listPositions.of('/api/clients')?.position).toBe('p1')
    // The headers are those of now.
    for (let again = 0; again < 2; again++)
      expect(await read()).toEqual({ items: clients, next: '/api/clients?cursor=b', total: 7 })
    expect(listPositions.of('/api/clients')?.position).toBe('p2')
    expect(await call('GET /api/clients')).toEqual(clients)
    expect(namedTags()).toEqual([null, tag, tag, tag])
  })
  it('is kept anew when it has changed', async () => {
    let version = 1
    api.on('listClients', () => list([aClient({ name: `Version ${version}` })], { tag: `W/"${version}"` }))
    await read()
    version = 2
    expect((await read()).items).toMatchObject([{ name: 'Version 2' }])
    await read()
    expect(namedTags()).toEqual([null, 'W/"1"', 'W/"2"'])
    expect(keptReplies.size().count).toBe(1)
  })
  it('is asked for without the tag after a sign-out, and a late reply is not kept', async () => {
    const held = gate()
    let isHeld = false
    api.on('listClients', async () => {
      if (isHeld) await held.until
      return list(clients, { tag })
    })
    await read()
    isHeld = true
    const late = read()
    endSession()
    expect(keptReplies.size()).toEqual({ count: 0, bytes: 0 })
    held.open()
    await late
    expect(keptReplies.size()).toEqual({ count: 0, bytes: 0 })
    await read()
    expect(namedTags()).toEqual([null, tag, null])
  })
  it('is forgotten when the session is over, and kept when the server fails', async () => {
    const answers = [() => list(clients, { tag }), () => refuse(503, 'Later.'), () => refuse(401, 'Please sign in.')]
    api.on('listClients', () => (answers.shift() ?? (() => list(clients, {})))())
    await read()
    await expect(read()).rejects.toThrow('503')
    expect(keptReplies.size().count).toBe(1)
    await expect(read()).rejects.toThrow('401')
    expect(keptReplies.size().count).toBe(0)
  })
})

it('A reply without a tag, or with the revision of one thing, is not kept', async () => {
  const answers = [list(clients, {}), list(clients, { tag: '"7"' })]
  api.on('listClients', () => answers.shift() ?? list([], {}))
  for (let time = 0; time < 3; time++) await read()
  expect(namedTags()).toEqual([null, null, null])
})

describe('What is kept', () => {
  const keep = (address: string, text: string) =>
    keptReplies.whole(address, () => Promise.resolve(new Response(text, { headers: { ETag: tag } })))
  const isKept = async (address: string) => {
    let named: string | undefined
    await keptReplies.whole(address, (headers) => {
      named = headers['If-None-Match']
      return Promise.resolve(new Response(null, { status: 503 }))
    })
    return named !== undefined
  }
  it('are the replies that were read last', async () => {
    for (let at = 0; at < maxReplies; at++) await keep(`/${at}`, 'text')
    await keep('/0', 'text')
    await keep('/new', 'text')
    expect(keptReplies.size()).toEqual({ count: maxReplies, bytes: maxReplies * 8 })
    expect(await Promise.all(['/0', '/1', '/2', '/new'].map(isKept))).toEqual([true, false, true, true])
  })
  it('takes a limited number of bytes', async () => {
    const third = 'x'.repeat(Math.floor(maxBytes / 6))
    for (const address of ['/a', '/b', '/c', '/d']) await keep(address, third)
    expect(keptReplies.size()).toEqual({ count: 3, bytes: 6 * third.length })
    await keep('/d', 'x'.repeat(maxBytes / 2 + 1))
    expect(keptReplies.size()).toEqual({ count: 2, bytes: 4 * third.length })
  })
})
