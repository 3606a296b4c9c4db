import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import {
  ask,
  askKept,
  behindMs,
  neverLeft,
  outcomeOfFailure,
  query,
  retryAfterOf,
  words,
  type StartTimeout,
} from './http.ts'
import { scripted } from './test/helpers.ts'

const patient = { ms: 10_000 }
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
const serve = async (...given: Parameters<typeof scripted>) => {
  const server = await scripted(...given)
  closing.push(() => server.close())
  return server
}
const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: unknown) => error,
  )

describe('a request', () => {
  it(
    'uses a connection used just now, or a new one; repeatable requests have their own pool',
    { tags: 'long' },
    async () => {
      const opened: Socket[] = []
      const server = createServer((_, response) => response.end('{"fine":true}')).on('connection', (socket) =>
        opened.push(socket),
      )
      // It closes no idle connection by itself.
      server.keepAliveTimeout = 0
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      closing.push(async () => {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      })
      const address = server.address()
      const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
      let count = 0
      // A busy machine may let more time pass between two requests than a connection is used again after.
      while (opened.length !== count || count === 0) {
        expect(await ask(url, {}, patient)).toMatchObject({ status: 200, body: { fine: true } })
        count = opened.length
        await ask(url, {}, patient)
      }
      await askKept(url, {}, patient)
      expect(opened).toHaveLength(count + 1)
      // The idle connection is closed by us.
      await vi.waitFor(() => expect(opened[count - 1]?.destroyed).toBe(true), patience)
      await ask(url, {}, patient)
      expect(opened).toHaveLength(count + 2)
    },
  )

  it('follows no redirect: it would send a mutation twice', async () => {
    const { url, seen } = await serve(() => ({ status: 307, headers: { location: '/elsewhere' } }))
    expect((await ask(url, { method: 'POST', body: 'x' }, patient)).status).toBe(307)
    expect(seen).toHaveLength(1)
  })

  it('sends form, multipart and binary bodies with their content types', async () => {
    const { url, seen } = await serve(() => ({}))
    const parts = new FormData()
    parts.set('a', 'b')
    await ask(url, { method: 'POST', body: new URLSearchParams({ a: 'b' }) }, patient)
    await ask(url, { method: 'POST', body: parts }, patient)
    await ask(url, { method: 'PUT', body: new Uint8Array([1, 2]), headers: { 'content-type': 'image/png' } }, patient)
    expect(seen.map(({ method, headers }) => `${method} ${headers['content-type']?.split(';')[0] ?? ''}`)).toEqual([
      'POST application/x-www-form-urlencoded',
      'POST multipart/form-data',
      'PUT image/png',
    ])
  })
})

describe('a failure', () => {
  it('before anything was sent is recognized', async () => {
    const { url, close } = await scripted(() => ({}))
    await close()
    const error = await failure(ask(url, { method: 'POST' }, patient))
    expect(neverLeft(error)).toBe(true)
    expect(outcomeOfFailure('X (Twitter)', error)).toEqual({
      kind: 'rejected',
      cause: "X (Twitter) can't be reached just now.",
      remedy: 'wait',
      retryAfterSeconds: null,
    })
  })

  it.each([
    ['an answer that never comes', 'did not answer in time'],
    ['a connection that breaks', 'broke off'],
  ])('after sending leaves the outcome unknown: %s', async (_, said) => {
    let expire = () => {}
    const isSilent = said === 'did not answer in time'
    const server = createServer(({ socket }) => (isSilent ? expire() : void socket.destroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const start: StartTimeout = (__, ___, expired) => {
      expire = expired
      return () => {}
    }
    const error = await failure(ask(`http://127.0.0.1:${port}`, { method: 'POST' }, { ...patient, start }))
    expect(neverLeft(error)).toBe(false)
    expect(outcomeOfFailure('The X sandbox', error)).toMatchObject({
      kind: 'unknown',
      cause: expect.stringContaining(said),
    })
  })

  it('with the same code on a connection that already carried the request leaves it unknown', () => {
    const failed = (syscall: string) => Object.assign(new Error('no'), { code: 'EHOSTUNREACH', syscall })
    expect(neverLeft(failed('connect'))).toBe(true)
    expect(neverLeft(failed('read'))).toBe(false)
  })

  it('of several addresses counts as before sending only if all of them failed before sending', () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' })
    const reset = Object.assign(new Error('no'), { code: 'ECONNRESET' })
    expect(neverLeft(new AggregateError([refused, refused]))).toBe(true)
    expect(neverLeft(new AggregateError([refused, reset]))).toBe(false)
    expect(neverLeft(new TypeError('fetch failed', { cause: refused }))).toBe(true)
    expect(neverLeft('no error')).toBe(false)
  })
})

describe('reading headers and messages', () => {
  const now = Date.parse('2026-03-02T10:00:00.000Z')
  it.each([
    ['17', 17],
    ['Mon, 02 Mar 2026 10:00:30 GMT', 30],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['99999999999999', 86_400],
    ['Tue, 02 Mar 2027 10:00:00 GMT', 86_400],
  ])('Retry-After: %s', (header, expected) => {
    expect(retryAfterOf(new Headers({ 'retry-after': header }), now)).toBe(expected)
  })

  it.each([
    ['Mon, 02 Mar 2026 09:59:59 GMT', 0],
    ['Mon, 02 Mar 2026 09:59:30 GMT', 29_000],
    ['Mon, 02 Mar 2026 10:05:00 GMT', 0],
    ['never', 0],
  ])('Date: %s is %i ms behind', (header, expected) => {
    expect(behindMs(new Headers({ date: header }), now)).toBe(expected)
  })

  it('messages are short and quote no token', () => {
    expect(words(`Malformed access token ${'Ab1-'.repeat(20)} of the page`)).toBe(
      'Malformed access token … of the page',
    )
    expect(words('y '.repeat(400))).toHaveLength(300)
    for (const nothing of ['', '  ', null, 7]) expect(words(nothing)).toBeNull()
  })

  it('a query encodes every value and omits absent ones', () => {
    expect(query({ a: 'b c&d', 'tweet.fields': 'x,y', n: 5, none: null, gone: undefined })).toBe(
      'a=b%20c%26d&tweet.fields=x%2Cy&n=5',
    )
  })
})
