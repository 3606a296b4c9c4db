/** Position tokens: agencies can neither decrypt nor order them, nor count events by them. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../../domain/test/patience.ts'
import { ApiClient } from '../../http/client.ts'
import { brand, owner, testServer, type TestServer } from '../../testing/server.ts'
import { PositionTokens } from './positions.ts'
import { RecentChanges } from './recent.ts'
import { listen } from './test/helpers.ts'

const secret = () => randomBytes(32).toString('hex')

describe('an encrypted position', () => {
  const positions = new PositionTokens([secret()])

  it.each(['0', '0000000000000012', '00000000000000000034-00000000000000000034'])(
    '%s decrypts to itself, for its agency alone, at any length',
    (position) => {
      const token = positions.encrypt('ada', position)
      expect(token).toMatch(/^[\w-]{100}$/)
      expect([
        positions.decrypt('ada', token),
        positions.decrypt('bob', token),
        new PositionTokens([secret()]).decrypt('ada', token),
      ]).toEqual([position, null, null])
    },
  )

  it('looks different each time: tokens reveal neither equality nor order', () => {
    const tokens = Array.from({ length: 500 }, (_, position) =>
      positions.encrypt('ada', String(position).padStart(16, '0')),
    )
    const again = Array.from({ length: 500 }, () => positions.encrypt('ada', '0000000000000001'))
    expect(new Set([...tokens, ...again]).size).toBe(1_000)
    // In random order, about half of all neighbours are ascending.
    const inOrder = tokens.filter((token, index) => index > 0 && token > (tokens[index - 1] ?? '')).length
    expect(inOrder).toBeGreaterThan(150)
    expect(inOrder).toBeLessThan(350)
  })

  it('has one spelling: any changed, added or missing character makes it invalid [S45]', () => {
    const token = positions.encrypt('ada', '0000000000000012')
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const at of [0, 15, 16, 50, 98, 99]) {
      const others = [...alphabet]
        .filter((letter) => letter !== token[at])
        .map((letter) => token.slice(0, at) + letter + token.slice(at + 1))
      expect(others.filter((other) => positions.decrypt('ada', other) !== null)).toEqual([])
    }
    const odd = [
      `${token}=`,
      `${token}A`,
      token.slice(0, -1),
      ` ${token}`,
      `${token}\n`,
      token.replace(/[-_]/, '+'),
      '',
    ]
    expect(odd.filter((other) => other !== token && positions.decrypt('ada', other) !== null)).toEqual([])
  })

  it('decrypts with an old secret, and with a secret shared by several processes', () => {
    const [first, second] = [secret(), secret()]
    const token = new PositionTokens([first]).encrypt('ada', '12')
    expect(
      [new PositionTokens([second, first]), new PositionTokens([first]), new PositionTokens([second])].map((each) =>
        each.decrypt('ada', token),
      ),
    ).toEqual(['12', '12', null])
  })
})

describe('two agencies', () => {
  let server: TestServer
  let mine: ApiClient
  let theirs: ApiClient
  let things: Awaited<ReturnType<typeof brand>>
  beforeAll(async () => {
    server = await testServer()
    theirs = await owner(server)
    things = await brand(theirs)
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    mine = await owner(server)
  })
  const theyWrite = async (times: number) => {
    for (let time = 0; time < times; time++)
      await theirs.callOrThrow('writePost', {
        params: { id: things.clientId },
        body: { socialAccountId: things.accountId, content: `Post ${time}` },
      })
  }
  const positionOf = async (caller: ApiClient) => (await caller.ask('listClients')).headers.get('X-Position') ?? ''

  it(
    'learn nothing about each other from position tokens: same length, new in each period, whether or not the other wrote [S43]',
    { tags: 'long' },
    async () => {
      const tokens: string[] = []
      const nextPeriod = () =>
        vi.waitUntil(async () => {
          const token = await positionOf(mine)
          return !tokens.includes(token) && tokens.push(token)
        }, patience)
      for (let quiet = 0; quiet < 3; quiet++) await nextPeriod()
      await theyWrite(3)
      for (let after = 0; after < 2; after++) await nextPeriod()
      expect(tokens.map((token) => /^[\w-]{100}$/.test(token))).toEqual(tokens.map(() => true))
      // Asking for the changes since reveals nothing either.
      for (const since of tokens)
        expect(await mine.callOrThrow('countNews', { query: { since } })).toEqual({ missed: false, changed: [] })
      // No part repeats between tokens, as the leading digits of a counter would.
      expect(new Set(tokens.map((token) => token.slice(0, 16))).size).toBe(tokens.length)
      expect(new Set(tokens.map((token) => token.slice(16, 48))).size).toBe(tokens.length)
    },
  )

  it('cannot use each other’s position tokens', async () => {
    expect(
      await mine.callOrThrow('countNews', {
        query: { since: await positionOf(theirs) },
      }),
    ).toEqual({
      missed: true,
      changed: [],
    })
  })

  it('see no position number in live updates: ids and changes have tokens only [S44]', async () => {
    const stream = await listen(mine)
    await theyWrite(2)
    const { id } = await mine.callOrThrow('addClient', {
      body: { name: 'Fjord' },
    })
    await stream.hears((changes) => changes.some((change) => change.id === id))
    const text = stream.text()
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, token = '']) => token)
    const all = [...ids, ...stream.changes.map(({ position }) => position)]
    expect(all.length).toBeGreaterThan(2)
    expect(all.filter((token) => !/^[\w-]{100}$/.test(token))).toEqual([])
    expect(new Set(all).size).toBe(all.length)
    expect(text).not.toMatch(/still here/)
    stream.close()
  })

  it("are not told of missed changes because of the other's activity, however much of it there was", async () => {
    const since = await positionOf(mine)
    const recent = new RecentChanges()
    recent.begin('0000')
    recent.add('mine', [{ kind: 'posts', id: 'a', clientId: 'c', position: '0001' }])
    for (let at = 2; at < 9_000; at++)
      recent.add('theirs', [
        {
          kind: 'posts',
          id: String(at),
          clientId: 'c',
          position: String(at).padStart(4, '0'),
        },
      ])
    expect(recent.since('mine', '0000')).toHaveLength(1)
    expect(recent.since('theirs', '0001')).toBe('too-many')
    expect(recent.since('mine', '0001')).toEqual([])
    await theyWrite(1)
    expect(await mine.callOrThrow('countNews', { query: { since } })).toEqual({
      missed: false,
      changed: [],
    })
  })
})

describe('the newest changes of each agency', () => {
  const change = (position: number) => ({
    kind: 'posts' as const,
    id: String(position),
    clientId: 'c',
    position: String(position).padStart(8, '0'),
  })

  it('are limited, per agency and in total; evicted changes are reported as unknown', { tags: 'long' }, () => {
    const recent = new RecentChanges()
    recent.begin('00000000')
    for (let at = 1; at <= 60_000; at++) recent.add(`agency ${at % 100}`, [change(at)])
    const since = change(58_000)
    const kept = Array.from({ length: 100 }, (_, index) => recent.since(`agency ${index}`, since.position))
    const known = kept.filter((each) => typeof each !== 'string')
    expect(known.length).toBeGreaterThan(30)
    expect(known.map(({ length }) => length)).toEqual(known.map(() => 20))
    expect(new Set(kept.filter((each) => typeof each === 'string'))).toEqual(new Set(['unknown']))
    const all = Array.from({ length: 100 }, (_, index) => recent.since(`agency ${index}`, '00000000')).flatMap((each) =>
      typeof each === 'string' ? [] : each,
    )
    expect(all.length).toBeLessThanOrEqual(20_000)
  })

  it('are unknown from before the process started', () => {
    const recent = new RecentChanges()
    expect(recent.since('ada', '00000000')).toBe('unknown')
    recent.begin('00000005')
    expect([recent.since('ada', '00000004'), recent.since('ada', '00000005')]).toEqual(['unknown', []])
  })
})
