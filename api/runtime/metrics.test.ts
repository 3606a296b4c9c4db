/**
 * The server's metrics, and access to them.
 *
 * @module-tag long
 */
import { readFileSync } from 'node:fs'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { patience } from '../../domain/test/patience.ts'
import { brand, owner, testServer, type TestServer } from '../testing/server.ts'
import { Metrics } from './metrics.ts'

const token = 'a-token-of-the-operator'
let server: TestServer | null = null
afterEach(async () => {
  await server?.remove()
  server = null
})
const start = async (env: Readonly<Record<string, string>> = {}) => (server = await testServer(env))
const asked = async (headers: Readonly<Record<string, string>> = {}) => {
  const answer = await fetch(`${server?.localUrl}/metrics`, { headers: { connection: 'close', ...headers } })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}
/** The value of a line in Prometheus' text format; null without one. */
const valueOf = (text: string, line: string) => {
  const found = text.split('\n').find((one) => one.startsWith(`${line} `))
  return found === undefined ? null : Number(found.split(' ').at(-1))
}

it('Requests are counted by route, independent of parameters', async () => {
  const caller = await owner(await start())
  const { clientId } = await brand(caller)
  await caller.callOrThrow('getClient', { params: { id: clientId } })
  await caller.ask('getClient', { params: { id: 'nobody' } })
  const { text, type } = await asked()
  expect(type).toMatch(/^text\/plain/)
  const count = (route: string, status: number) =>
    valueOf(text, `socialai_http_requests_total{method="GET",route="${route}",status="${status}"}`)
  expect([count('/api/clients/{id}', 200), count('/api/clients/{id}', 404)]).toEqual([1, 1])
  expect(text).not.toContain(clientId)
})

it('Every request has an id and is counted, even without a matching route', async () => {
  const caller = await owner(await start())
  const url = server?.localUrl ?? ''
  const headers = { connection: 'close', Cookie: caller.cookie ?? '' }
  const answers = {
    'GET other 404': await fetch(`${url}/api/nothing/a1b2c3`, { headers }),
    'POST /api/clients 400': await fetch(`${url}/api/clients`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: '{"name":',
    }),
    'GET /media 404': await fetch(`${url}/media/${'0'.repeat(64)}`, { headers }),
    'POST /api/billing/webhook 503': await fetch(`${url}/api/billing/webhook`, { method: 'POST', headers, body: 'x' }),
    'GET /healthz 200': await fetch(`${url}/healthz`, { headers }),
  }
  const { text } = await asked()
  for (const [what, { status, headers: replyHeaders }] of Object.entries(answers)) {
    const [method, route, expected] = what.split(' ')
    expect([what, status, replyHeaders.get('X-Request-Id')]).toEqual([
      what,
      Number(expected),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ])
    expect([
      what,
      valueOf(text, `socialai_http_requests_total{method="${method}",route="${route}",status="${expected}"}`),
    ]).toEqual([what, 1])
  }
  expect(text).not.toContain('a1b2c3')
})

it('Appends, their visibility, projections, waiting posts and published posts are reported', async () => {
  const caller = await owner(await start())
  const { clientId, accountId } = await brand(caller)
  const post = await caller.callOrThrow('writePost', {
    params: { id: clientId },
    body: { socialAccountId: accountId, content: 'Hello' },
  })
  const scheduledFor = new Date(Date.parse(server?.clock.now() ?? '') + 60_000).toISOString()
  await caller.callOrThrow('changePost', { params: { id: post.id }, body: { status: 'scheduled', scheduledFor } })
  const before = (await asked()).text
  expect(valueOf(before, 'socialai_append_seconds_count{outcome="stored"}')).toBeGreaterThanOrEqual(6)
  expect(valueOf(before, 'socialai_visible_seconds_count{shown="yes"}')).toBeGreaterThanOrEqual(4)
  expect(valueOf(before, 'socialai_projection_live{projection="posts"}')).toBe(1)
  expect(
    ['events', 'seconds'].map((unit) => valueOf(before, `socialai_projection_lag_${unit}{projection="posts"}`)),
  ).toEqual([0, 0])
  expect([
    valueOf(before, 'socialai_posts_waiting{due="no"}'),
    valueOf(before, 'socialai_posts_waiting{due="yes"}'),
  ]).toEqual([1, 0])
  server?.clock.advance(61_000)
  await expect
    .poll(async () => valueOf((await asked()).text, 'socialai_publishing_total{outcome="published"}'), {
      ...patience,
    })
    .toBe(1)
  expect(valueOf((await asked()).text, 'socialai_posts_waiting{due="no"}')).toBe(0)
})

it('Scrapes at the same time share a page that is collected after they asked', async () => {
  const metrics = new Metrics()
  let read = 0
  metrics.queue(
    async () => (read += 1),
    async () => 0,
  )
  const waiting = async () => valueOf((await metrics.page()).toString(), 'socialai_posts_waiting{due="no"}')
  expect(await Promise.all(Array.from({ length: 200 }, waiting))).toEqual(Array(200).fill(1))
  expect(await waiting()).toBe(2)
})

it('The dashboard uses only existing metrics', async () => {
  const caller = await owner(await start())
  await brand(caller)
  const { text } = await asked()
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  )
  const queries = [...readFileSync('ops/grafana.json', 'utf8').matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
    ([, expr = '']) => expr,
  )
  const names = queries.flatMap((expr) => expr.match(/\b(socialai|process|nodejs)_\w+/g) ?? [])
  expect(names.length).toBeGreaterThanOrEqual(queries.length)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

it('Without a token, only this machine may read metrics, and no one in production', async () => {
  await start()
  expect((await asked()).status).toBe(200)
  await server?.remove()
  await start({ TRUST_PROXY: 'true' })
  expect((await asked()).status).toBe(404)
  await server?.remove()
  await start({ HOST: '0.0.0.0' })
  expect((await asked()).status).toBe(404)
  await server?.remove()
  await start({
    NODE_ENV: 'production',
    SESSION_SECRET: 's'.repeat(32),
    ENCRYPTION_KEY: 'ab'.repeat(32),
    AUDIT_SIGNING_KEY: 'cd'.repeat(32),
  })
  expect((await asked()).status).toBe(404)
})

it('With a token, its bearer may read metrics', async () => {
  await start({ METRICS_TOKEN: token, HOST: '0.0.0.0' })
  expect((await asked()).status).toBe(404)
  expect((await asked({ Authorization: `Bearer ${token}x` })).status).toBe(404)
  expect((await asked({ Authorization: `Bearer ${token}` })).status).toBe(200)
})

it('The log lines of a publication have the id of the request that scheduled the post', async () => {
  const lines: { readonly postId?: string; readonly correlationId?: string; readonly msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  server = await testServer({}, { log })
  const caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const write = async (id: string) => {
    const post = await caller.callOrThrow('writePost', {
      params: { id: clientId },
      body: { socialAccountId: accountId, content: `Sent by ${id}` },
    })
    const scheduledFor = new Date(Date.parse(server?.clock.now() ?? '') + 60_000).toISOString()
    await caller.callOrThrow('changePost', {
      params: { id: post.id },
      body: { status: 'scheduled', scheduledFor },
      headers: { 'X-Request-Id': id },
    })
    return [post.id, id] as const
  }
  const sent = [await write('proxy-1234567890'), await write('proxy-2345678901')]
  server.clock.advance(61_000)
  const postLog = (post: string) =>
    lines.filter(({ postId }) => postId === post).map(({ correlationId, msg }) => `${correlationId}: ${msg}`)
  for (const [post, id] of sent) {
    const expected = [
      'Started to publish a post',
      'Prepared the media on the network',
      'Finished an attempt to publish',
    ].map((said) => `${id}: ${said}`)
    await expect.poll(() => postLog(post)).toEqual(expected)
  }
})

it("A proxy's request id is passed on to events; a malformed one is replaced", async () => {
  const caller = await owner(await start())
  const ask = (id: string) =>
    caller.ask('addClient', { body: { name: `Client of ${id}`, industry: 'Tea' }, headers: { 'X-Request-Id': id } })
  const [good, bad] = [await ask('proxy-1234567890'), await ask('a b; c="d"')]
  expect([good.status, good.headers.get('X-Request-Id')]).toEqual([201, 'proxy-1234567890'])
  expect(bad.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  const ids: string[] = []
  for await (const batch of server?.commands.ports.events.readAll(null) ?? [])
    ids.push(...batch.map(({ metadata }) => metadata.correlationId))
  expect(ids).toContain('proxy-1234567890')
})
