/**
 * The API's conventions: errors as sentences, idempotent commands, and reads that include earlier writes.
 *
 * @module-tag sampled
 */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiClient } from './client.ts'
import { brand, owner, signedUp, testServer, type TestServer } from '../testing/server.ts'
import { sample } from '../../domain/test/sample.ts'

let server: TestServer
let caller: ApiClient
let clientId: string
let accountId: string

beforeAll(async () => {
  server = await testServer()
  caller = await owner(server)
  ;({ clientId, accountId } = await brand(caller))
})
afterAll(() => server.remove())

const draft = (content = 'Fresh coffee') =>
  caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content } })

describe('errors', () => {
  it.each([
    ['register', { password: 'longenough' }, 'Email: Required'],
    ['register', { email: 'nope', password: 'longenough' }, 'Email: Enter a valid email'],
    ['register', { email: 'a@b.co', password: 'short' }, 'Password: Password must be at least 8 characters'],
    [
      'register',
      { email: 'a@b.co', password: 'longenough', firstName: 'x'.repeat(121) },
      'First name: First name must be 120 characters or fewer',
    ],
    ['login', { email: 'a@b.co', password: '' }, 'Password: Password is required'],
    ['addClient', {}, 'Name: Required'],
    ['addClient', { name: 7 }, 'Name: Expected a string'],
    ['addClient', { name: 'x', brandColor: 'red' }, 'Brand color: Enter a colour like #3b82f6'],
    ['openAgency', { name: 'x', email: 'a@b.co' }, 'Name: Agency name must be at least 2 characters'],
    ['openAgency', { name: 'xx', email: 'b' }, 'Email: Valid email is required'],
    ['openAgency', { name: 'xx', email: 'a@b.co', timeZone: 'Mars/Base' }, 'Time zone: Unknown time zone'],
  ] as const)('%s %j: %s', async (name, body, sentence) => {
    const { status, text, headers } = await caller.ask(name, { body })
    expect({ status, text }).toEqual({ status: 400, text: sentence })
    expect(headers.get('content-type')).toContain('text/plain')
  })

  it.each([
    [{ content: '  ' }, 'Content: Content must not be empty'],
    [
      { content: 'Bread\u0000 and cake' },
      "Content: Content has an invisible character that can't be stored. Paste it as plain text, or type it again",
    ],
    [{ status: 'published' }, 'Status: Choose one of: pending, approved, draft, rejected, scheduled'],
    [
      { status: 'approved', content: 'x' },
      'Send exactly one of: status, content, imageUrl, scheduledFor or assignedTo',
    ],
    [{}, 'Send exactly one of: status, content, imageUrl, scheduledFor or assignedTo'],
    [{ scheduledFor: 'tomorrow' }, 'Scheduled for: Enter a date and time like 2025-01-05T15:00:00Z'],
    [{ status: 'rejected', reason: 'x'.repeat(501) }, 'Reason: A reason has at most 500 characters'],
  ])('changing a post with %j: %s', async (body, sentence) => {
    const { id } = await draft()
    const { status, text } = await caller.ask('changePost', { params: { id }, body })
    expect({ status, text }).toEqual({ status: 400, text: sentence })
  })

  it('come as problem+json on request, with the same sentence', async () => {
    const { headers, text } = await caller.ask('addClient', {
      body: {},
      headers: { Accept: 'application/problem+json' },
    })
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(JSON.parse(text)).toEqual({
      type: '/problems/invalid',
      title: 'Invalid',
      status: 400,
      detail: 'Name: Required',
    })
  })

  it('name the state in a refusal', async () => {
    const { id } = await draft()
    const { status, text } = await caller.ask('changePost', { params: { id }, body: { status: 'approved' } })
    expect({ status, text }).toEqual({
      status: 409,
      text: 'Only a post that is pending review can be approved. This one is a draft.',
    })
  })

  it.each([
    ['broken JSON', '{"name":', { 'Content-Type': 'application/json' }, 400],
    ['another type', 'name=x', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['too much', JSON.stringify({ name: 'x'.repeat(600_000) }), { 'Content-Type': 'application/json' }, 413],
    ['a JSON string', '"hello"', { 'Content-Type': 'application/json' }, 400],
    ['null', 'null', { 'Content-Type': 'application/json' }, 400],
    ['an array', '[]', { 'Content-Type': 'application/json' }, 400],
    ['an odd charset', '{}', { 'Content-Type': 'application/json; charset=x-odd' }, 415],
    ['another site', '{}', { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['another origin', '{}', { 'Content-Type': 'application/json', Origin: 'https://evil.example' }, 403],
  ])('explain %s in a sentence, without a stack trace [S36]', async (_, body, headers, expected) => {
    const { status, text } = await caller.fetch('POST', '/api/clients', body, headers)
    expect(status).toBe(expected)
    expect(text).toMatch(/^[A-Z][^\n]{5,200}$/)
    expect(text).not.toMatch(/at .*\.(ts|js)|node_modules/)
  })

  it('answer 404 with a sentence for an unknown path under /api', async () => {
    expect(await caller.get('/api/nothing')).toMatchObject({ status: 404, text: "This doesn't exist." })
  })
})

describe('repeated requests', () => {
  it('with the same key create one thing', async () => {
    const send = () =>
      caller.callOrThrow('addClient', { body: { name: 'Once' }, headers: { 'Idempotency-Key': 'k-1' } })
    const [first, second] = [await send(), await send()]
    expect(second.id).toBe(first.id)
    expect((await caller.callOrThrow('listClients')).filter(({ name }) => name === 'Once')).toHaveLength(1)
  })
  it('with the key of another request are refused, and nothing is dropped silently', async () => {
    const send = (content: string) =>
      caller.ask('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content },
        headers: { 'Idempotency-Key': 'k-2' },
      })
    const first = await send('First')
    expect((await send('First')).text).toBe(first.text)
    expect(await send('Second')).toMatchObject({
      status: 409,
      text: 'This request was sent before with other content. Send it again with a new key.',
    })
    await caller.ask('deletePost', { params: { id: (JSON.parse(first.text) as { id: string }).id } })
    expect((await send('First')).text).toBe(
      'This was created before and has been deleted since. To create it again, send it with a new key.',
    )
  })
  it('whose effect already holds succeed and append nothing', async () => {
    const { id } = await draft()
    const submit = () => caller.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })
    const first = await submit()
    expect((await submit()).revision).toBe(first.revision)
    await caller.ask('deletePost', { params: { id } })
    expect((await caller.ask('deletePost', { params: { id } })).status).toBe(204)
  })
  it('eleven clients at once make ten [1.2]', async () => {
    const other = await owner(server)
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) => other.ask('addClient', { body: { name: `Brand ${index}` } })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4)
    expect(await other.callOrThrow('listClients')).toHaveLength(10)
  })
  it('for a second agency are refused, even at the same moment', async () => {
    const other = await signedUp(server)
    const open = () => other.ask('openAgency', { body: { name: 'Twice', email: 'a@b.co' } })
    const statuses = (await Promise.all([open(), open(), open()])).map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 409, 409])
  })
})

const rounds = sample('READ_ROUNDS', { test: 20, long: 100 })

describe('reads after writes', () => {
  it('include what was just written, every time', async () => {
    for (let round = 0; round < rounds; round++) {
      const { id } = await draft(`Round ${round}`)
      const list = await caller.callOrThrow('listPosts', { params: { id: clientId } })
      expect(list.some((post) => post.id === id)).toBe(true)
      const approved = await caller.callOrThrow('changePost', { params: { id }, body: { status: 'pending' } })
      expect(approved.status).toBe('pending')
      await caller.ask('deletePost', { params: { id } })
      expect((await caller.ask('getPost', { params: { id } })).status).toBe(404)
    }
  })
  it('reject a stale If-Match with a 412 and accept the current one', async () => {
    const { id } = await draft()
    const { headers } = await caller.ask('getPost', { params: { id } })
    const etag = headers.get('etag') ?? ''
    const edit = (content: string, match: string) =>
      caller.ask('changePost', { params: { id }, body: { content }, headers: { 'If-Match': match } })
    expect((await edit('First', etag)).status).toBe(200)
    expect((await edit('Second', etag)).status).toBe(412)
    expect((await edit('Third', '"another"')).status).toBe(412)
    expect((await edit('Third', 'nonsense')).status).toBe(400)
    await caller.ask('deletePost', { params: { id } })
    expect((await edit('Fourth', etag)).status).toBe(404)
  })
})

describe('requests forged through a browser', () => {
  it("by an image or another site's page sign no user out [S37]", async () => {
    const signedIn = await signedUp(server)
    for (const headers of [
      { 'Sec-Fetch-Dest': 'image' },
      { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'cross-site' },
    ]) {
      expect((await signedIn.ask('logout', { headers })).status).toBe(403)
    }
    expect((await signedIn.ask('getUser')).status).toBe(200)
    expect(
      (await signedIn.ask('logout', { headers: { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'same-origin' } }))
        .status,
    ).toBe(302)
  })
  it('browsers at the other loopback name are redirected to the one of the cookie', async () => {
    const other = server.url.replace('localhost', '127.0.0.1')
    const response = await fetch(`${other}/clients?add=true`, {
      redirect: 'manual',
      headers: { 'Sec-Fetch-Dest': 'document' },
    })
    expect(response.headers.get('location')).toBe(`${server.url}/clients?add=true`)
  })
  it('with a foreign host name are refused (DNS rebinding) [S38]', async () => {
    const { hostname, port } = new URL(server.localUrl)
    const asked = (path: string, host: string) =>
      new Promise<number>((resolve, reject) =>
        request({ hostname, port, path, headers: { Host: host, Cookie: caller.cookie } }, (answer) =>
          resolve(answer.resume().statusCode ?? 0),
        )
          .on('error', reject)
          .end(),
      )
    for (const path of ['/', '/api/clients', '/metrics', '/sandbox'])
      expect(await asked(path, `evil.example:${port}`)).toBe(421)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, 'localhost'])
      expect(await asked('/api/clients', host)).toBe(200)
  })
  it('a consent callback without a session leads to sign-in', async () => {
    const answer = await new ApiClient(server.url).get('/api/oauth/facebook/callback?state=x&code=y')
    expect({ status: answer.status, to: answer.headers.get('location') }).toEqual({ status: 302, to: '/' })
  })
})

describe('generated texts', () => {
  it('are identified by their own ids only', async () => {
    const generated = await caller.callOrThrow('generateContent', {
      body: { clientId, platform: 'facebook', topic: 'Spring' },
    })
    const write = (generationId: string) =>
      caller.ask('writePost', {
        params: { id: clientId },
        body: { socialAccountId: accountId, content: 'Spring is here', generationId },
      })
    expect((await write(generated.generationId)).status).toBe(201)
    expect(await write('0195a000-0000-7000-8000-00000000dead')).toMatchObject({
      status: 404,
      text: "This generated text doesn't exist.",
    })
  })
})

describe('acknowledged writes', () => {
  it('survive a restart, together with the session', async () => {
    const post = await draft('Still here')
    const { cookie } = caller
    server = await server.restart()
    caller = new ApiClient(server.url)
    caller.cookie = cookie
    expect((await caller.callOrThrow('getPost', { params: { id: post.id } })).content).toBe('Still here')
  })
})

describe('the API description', () => {
  it('is OpenAPI 3.1 with every route', async () => {
    const { text } = await caller.get('/api/openapi.json')
    const document = JSON.parse(text) as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string }>>
    }
    expect(document.openapi).toBe('3.1.0')
    expect(document.paths['/api/posts/{id}']?.['patch']?.operationId).toBe('changePost')
  })
})
