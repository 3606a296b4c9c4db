/** Which changes are sent to which streams, and how streams end or fall behind. */
import { PassThrough } from 'node:stream'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { patience } from '../../../domain/test/patience.ts'
import { pause } from '../../../projections/core/pause.ts'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { LiveUpdates } from './live-updates.ts'
import { PositionTokens } from './positions.ts'
import { LiveUpdatesStream } from './stream.ts'
import { listen, type Listening } from './test/helpers.ts'

let server: TestServer
let mine: ApiClient
let things: { readonly clientId: string; readonly accountId: string }
const open: Listening[] = []

const listening = async (...from: Parameters<typeof listen>) => {
  const stream = await listen(...from)
  open.push(stream)
  return stream
}
const write = (content: string, caller = mine, { clientId, accountId } = things) =>
  caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })
const positionOf = async (caller: ApiClient) => (await caller.ask('listClients')).headers.get('X-Position') ?? ''

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.remove())
beforeEach(async () => {
  mine = await owner(server)
  things = await brand(mine)
})
afterEach(() => {
  for (const stream of open.splice(0)) stream.close()
})

describe('an open screen', () => {
  it('receives changed posts, clients and accounts once the views show them', async () => {
    const stream = await listening(mine)
    expect(stream.status).toBe(200)
    const { id } = await write('Fresh')
    await stream.hears((changes) => changes.some((change) => change.id === id))
    expect(stream.changes.at(-1)).toMatchObject({ kind: 'posts', id, clientId: things.clientId })
    await mine.callOrThrow('reviseClient', { params: { id: things.clientId }, body: { name: 'Red Cup' } })
    await stream.hears((changes) =>
      changes.some(({ kind, id: clientId }) => kind === 'clients' && clientId === things.clientId),
    )
    await mine.callOrThrow('disconnectSocialAccount', { params: { id: things.accountId } })
    await stream.hears((changes) =>
      changes.some(({ kind, id: accountId }) => kind === 'accounts' && accountId === things.accountId),
    )
    await mine.callOrThrow('seedAnalytics')
    await stream.hears((changes) =>
      changes.some(({ kind, id: clientId }) => kind === 'figures' && clientId === things.clientId),
    )
  })

  it('receives nothing of another agency', async () => {
    const stream = await listening(mine)
    const theirs = await owner(server)
    const { id: foreign } = await write('Theirs', theirs, await brand(theirs))
    const { id } = await write('Mine')
    await stream.hears((changes) => changes.some((change) => change.id === id))
    expect(stream.text()).not.toContain(foreign)
    expect(new Set(stream.changes.map(({ clientId }) => clientId))).toEqual(new Set([things.clientId]))
  })

  it('receives no texts, only the fact that they changed', async () => {
    const stream = await listening(mine)
    const { id } = await write('A secret plan')
    await stream.hears((changes) => changes.some((change) => change.id === id))
    expect(stream.text()).not.toContain('A secret plan')
  })
})

describe('a browser that reconnects', () => {
  it('receives the changes since its last event id', async () => {
    const first = await listening(mine)
    const before = await write('Before')
    await first.hears((changes) => changes.some(({ id }) => id === before.id))
    const lastEventId = first.lastId()
    first.close()
    const between = await write('Between')
    const stream = await listening(mine, { lastEventId })
    await stream.hears((changes) => changes.some(({ id }) => id === between.id))
    expect(stream.changes.some(({ id }) => id === before.id)).toBe(false)
    const after = await write('After')
    await stream.hears((changes) => changes.some(({ id }) => id === after.id))
  })

  it('receives the changes since a list was read, and none that the list already had', async () => {
    const had = await write('In the list')
    const since = await positionOf(mine)
    const { id } = await write('Since then')
    const stream = await listening(mine, { since })
    await stream.hears((changes) => changes.some((change) => change.id === id))
    expect(stream.changes.some((change) => change.id === had.id)).toBe(false)
  })

  it('receives nothing that another agency did meanwhile', async () => {
    const since = await positionOf(mine)
    const theirs = await owner(server)
    const { id: foreign } = await write('Theirs', theirs, await brand(theirs))
    const { id } = await write('Mine')
    const stream = await listening(mine, { since })
    await stream.hears((changes) => changes.some((change) => change.id === id))
    expect(stream.text()).not.toContain(foreign)
  })

  it('receives the changes across a restart of the server too', async () => {
    const since = await positionOf(mine)
    const { id } = await write('Before the restart')
    const { cookie } = mine
    server = await server.restart()
    mine = new ApiClient(server.url)
    mine.cookie = cookie
    const stream = await listening(mine, { since })
    await stream.hears((changes) => changes.some((change) => change.id === id))
  })

  it.each(['9'.repeat(16), 'A'.repeat(100), '0000000000000001', '00000000000000000007-00000000000000000007'])(
    'with an invalid position token is told that anything may have changed: %s',
    async (since) => {
      for (const from of [{ since }, { lastEventId: since }]) {
        const stream = await listening(mine, from)
        await expect.poll(() => stream.missed(), patience).toBe(true)
      }
    },
  )

  it('with a position token of another agency is told that anything may have changed', async () => {
    const since = await positionOf(await owner(server))
    const stream = await listening(mine, { since })
    await expect.poll(() => stream.missed(), patience).toBe(true)
  })

  it('with a malformed position gets a 400', async () => {
    expect((await mine.ask('getNews', { query: { since: "1' or '1" } })).status).toBe(400)
  })
})

describe('a list that was read', () => {
  const count = (...since: readonly string[]) => mine.callOrThrow('countNews', { query: { since: since.join('.') } })

  it('gets the number of items changed since, by kind and client, each once', async () => {
    const before = await positionOf(mine)
    const { id } = await write('One')
    await mine.callOrThrow('changePost', { params: { id }, body: { content: 'One, again' } })
    await write('Two')
    const between = await positionOf(mine)
    await mine.callOrThrow('reviseClient', { params: { id: things.clientId }, body: { name: 'Red Cup' } })
    const client = { kind: 'clients', clientId: things.clientId, count: 1 }
    expect(await count(before)).toEqual({
      missed: false,
      changed: [{ kind: 'posts', clientId: things.clientId, count: 2 }, client],
    })
    expect(await count(between)).toEqual({ missed: false, changed: [client] })
    expect(await count(await positionOf(mine))).toEqual({ missed: false, changed: [] })
  })

  it('counts from the oldest of several positions, which the server determines', async () => {
    const positions: string[] = []
    for (let round = 0; round < 4; round++) {
      positions.push(await positionOf(mine))
      await write(`Round ${round}`)
    }
    const oldestLast = positions.toReversed()
    for (const order of [positions, oldestLast])
      expect((await count(...order)).changed).toEqual([{ kind: 'posts', clientId: things.clientId, count: 4 }])
  })

  it('is told that anything may have changed when one position cannot be decrypted', async () => {
    const mineNow = await positionOf(mine)
    expect(await count(mineNow, 'A'.repeat(100))).toEqual({ missed: true, changed: [] })
  })

  it.each(['', '.', 'a b', Array.from({ length: 9 }, () => 'A').join('.')])(
    'gets an explanation for %j',
    async (since) => {
      expect(await mine.ask('countNews', { query: { since } })).toMatchObject({
        status: 400,
        text: 'Since: Send 1 to 8 positions as they were received, with dots between',
      })
    },
  )
})

const listener = { agencyId: 'a', sessionId: 's', userId: 'u', scope: 'all' } as const

describe('while the views are behind', () => {
  it('no change is sent, and commands wait for the views', async () => {
    let catchUp = () => {}
    const behind = new Promise<boolean>((resolve) => (catchUp = () => resolve(true)))
    const sessions = { goesOn: async () => true, onEnded: () => undefined }
    const liveUpdates = await LiveUpdates.open({
      events: server.commands.ports.events,
      sessions,
      members: { changed: () => undefined, scopeOf: async () => 'all' as const },
      positions: new PositionTokens(['s'.repeat(32)]),
      log: pino({ level: 'silent' }),
      visible: () => behind,
    })
    const before = liveUpdates.reached
    const { id } = await write('Not in the lists yet')
    const { head } = await server.commands.loadPost(id)
    const appendedEvents = [{ type: 'PostWritten', stream: `post-${id}`, revision: 0, position: head.position ?? '' }]
    expect(await liveUpdates.waitFor(appendedEvents, 50)).toBe(false)
    expect(liveUpdates.reached).toBe(before)
    catchUp()
    expect(await liveUpdates.waitFor(appendedEvents, patience.timeout)).toBe(true)
    expect(liveUpdates.reached >= (head.position ?? '')).toBe(true)
    await liveUpdates.close()
  })
})

describe('while the records are slow', () => {
  it('sessions are not checked again before their check has ended', async () => {
    let asked = 0
    let answer: (goesOn: boolean) => void = () => undefined
    const goesOn = () => {
      asked += 1
      return new Promise<boolean>((resolve) => (answer = resolve))
    }
    const beatMs = 5
    const liveUpdates = await LiveUpdates.open(
      {
        events: server.commands.ports.events,
        sessions: { goesOn, onEnded: () => undefined },
        members: { changed: () => undefined, scopeOf: async () => 'all' as const },
        positions: new PositionTokens(['s'.repeat(32)]),
        log: pino({ level: 'silent' }),
        visible: async () => true,
      },
      { beatMs },
    )
    liveUpdates.open(listener, null, new PassThrough())
    await expect.poll(() => asked, patience).toBe(1)
    await pause(20 * beatMs)
    expect(asked).toBe(1)
    answer(true)
    await expect.poll(() => asked, patience).toBe(2)
    await liveUpdates.close()
  })
})

describe('while the people of an agency cannot be looked up', () => {
  it('its streams end after a change of them, and the changes of all agencies are still sent', async () => {
    const changed: string[] = []
    const liveUpdates = await LiveUpdates.open({
      events: server.commands.ports.events,
      sessions: { goesOn: async () => true, onEnded: () => undefined },
      members: {
        changed: (agencyId) => void changed.push(agencyId),
        scopeOf: () => Promise.reject(new StoreUnavailable('The records are away')),
      },
      positions: new PositionTokens(['s'.repeat(32)]),
      log: pino({ level: 'silent' }),
      visible: async () => true,
    })
    const invite = (email: string) =>
      mine.callOrThrow('inviteMember', { body: { email, role: 'viewer', clients: 'all' } })
    await invite('one@example.com')
    await expect.poll(() => changed.length, patience).toBe(1)
    const stream = new PassThrough()
    liveUpdates.open({ ...listener, agencyId: changed[0] ?? '' }, null, stream)
    await invite('two@example.com')
    const { id } = await write('Afterwards')
    const { head } = await server.commands.loadPost(id)
    const appendedEvents = [{ type: 'PostWritten', stream: `post-${id}`, revision: 0, position: head.position ?? '' }]
    expect(await liveUpdates.waitFor(appendedEvents, patience.timeout)).toBe(true)
    expect(stream.writableEnded).toBe(true)
    await liveUpdates.close()
  })
})

describe('a list read right after a command', () => {
  it("includes the command's effect", { tags: 'long' }, async () => {
    for (let round = 0; round < 20; round++) {
      const stream = await listening(mine)
      const { id } = await write(`Round ${round}`)
      const position = await positionOf(mine)
      await stream.hears((changes) => changes.some((change) => change.id === id))
      expect((await mine.callOrThrow('countNews', { query: { since: position } })).changed).toEqual([])
      stream.close()
    }
  })
})

describe('streams', () => {
  it('end with their session', async () => {
    const stream = await listening(mine)
    const { cookie } = mine
    let ended = false
    void stream.ended.then(() => (ended = true))
    await mine.ask('logout')
    // Well before the next periodic session check.
    await expect.poll(() => ended, patience).toBe(true)
    mine.cookie = cookie
    expect((await mine.ask('getNews')).status).toBe(401)
  })

  it('are limited per session, and closing one makes room', async () => {
    const streams = await Promise.all(Array.from({ length: 6 }, () => listening(mine)))
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    const refused = await mine.ask('getNews')
    expect({ status: refused.status, after: refused.headers.get('retry-after') }).toEqual({ status: 429, after: '60' })
    streams[0]?.close()
    await expect
      .poll(async () => {
        const next = await listening(mine)
        next.close()
        return next.status
      }, patience)
      .toBe(200)
  })

  it('are ended by the server when it stops, not cut off once its time limit has passed', async () => {
    const passing = await testServer()
    const caller = await owner(passing)
    const stream = await listening(caller)
    await passing.remove()
    expect(await stream.ended).toBe('completely')
  })

  it('answer a HEAD request at once', async () => {
    const { status, headers } = await mine.fetch('HEAD', '/api/news')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/event-stream; charset=utf-8',
    })
  })
})

describe('a stream that is read too slowly', () => {
  const plain = (position: string) => position
  const message = {
    missed: false,
    changes: Array.from({ length: 100 }, (_, index) => ({
      kind: 'posts' as const,
      id: `post-${index}`,
      clientId: 'client',
      position: '1',
    })),
  }

  it('is closed before it buffers more than its limit', async () => {
    const unread = new PassThrough({ highWaterMark: 1024 })
    let closed = false
    const stream = new LiveUpdatesStream(listener, unread, plain, () => (closed = true))
    stream.begin({ missed: false, changes: [] }, '1')
    for (let round = 0; round < 1_000 && !unread.destroyed; round++) stream.tell(message, String(round))
    expect(unread.destroyed).toBe(true)
    expect(unread.writableLength + unread.readableLength).toBeLessThan(512 * 1024)
    await expect.poll(() => closed).toBe(true)
  })

  it('sends changes that arrive while the past is sent after the past', () => {
    const read = new PassThrough()
    const stream = new LiveUpdatesStream(listener, read, plain, () => undefined)
    const one = (id: string) => ({
      missed: false,
      changes: [{ kind: 'posts' as const, id, clientId: 'client', position: '1' }],
    })
    stream.tell(one('meanwhile'), '2')
    stream.begin(one('past'), '1')
    const text = String(read.read())
    expect(text.indexOf('past')).toBeLessThan(text.indexOf('meanwhile'))
    expect(text).toContain('meanwhile')
  })
})
