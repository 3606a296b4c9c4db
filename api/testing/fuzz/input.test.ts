/** Malicious input, field by field, with a direct check of its target. */
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notBlank, twoOrMore } from '../../../domain/core/documented.ts'
import type { ApiClient } from '../../http/client.ts'
import { brand, owner, signedUp, testServer, type TestServer } from '../server.ts'
import { isFreeText, readOperations, type Operation, type Schema } from './document.ts'
import { valueFor } from './generate.ts'
import { Known } from './known.ts'
import { Random } from './random.ts'

const unknownId = '0195a000-0000-7000-8000-00000000dead'

let server: TestServer
let caller: ApiClient
let clientId: string
let accountId: string
let operations: readonly Operation[]

beforeAll(async () => {
  server = await testServer({}, { limits: { failures: 1_000, perAddress: 100_000, registrations: 100_000 } })
  caller = await owner(server)
  ;({ clientId, accountId } = await brand(caller))
  operations = await readOperations(server.url)
})
afterAll(() => server.remove())

const json = { 'Content-Type': 'application/json' }
const draft = () =>
  caller.callOrThrow('writePost', { params: { id: clientId }, body: { socialAccountId: accountId, content: 'Fresh' } })

interface Place {
  readonly schema: Schema
  readonly path: readonly string[]
}

/** Every field of a body that accepts free text. */
function textsIn(schema: Schema, path: readonly string[] = []): readonly Place[] {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && !schema.properties) return choices.flatMap((choice) => textsIn(choice, path))
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => textsIn(each, [...path, name]))
  if (schema.type === 'array') return textsIn(schema.items ?? {}, [...path, '0'])
  return isFreeText(schema) ? [{ schema, path }] : []
}

/** A valid body in which one field has this text. */
function bodyWith({ path }: Place, schema: Schema, text: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return text
  const choice = schema.properties
    ? undefined
    : (schema.anyOf ?? schema.oneOf)?.find((each) =>
        textsIn(each).some(({ path: other }) => other.join() === path.join()),
      )
  if (choice) return bodyWith({ schema, path }, choice, text)
  if (schema.type === 'array') return [bodyWith({ schema, path: rest }, schema.items ?? {}, text)]
  const whole = valueFor(schema, '', {
    random: new Random(1),
    known: new Known('a@b.co', 'correct horse', '', {}, () => Date.now()),
    near: '',
    spoiled: 0,
  }) as object
  return { ...whole, [name]: bodyWith({ schema, path: rest }, schema.properties?.[name] ?? {}, text) }
}

const isNamed = (pattern: string | undefined) => pattern === notBlank.pattern || pattern === twoOrMore.pattern

const unstorable = [
  ['NUL', 'be\u0000fore'],
  ['half of a surrogate pair', 'be\ud83dfore'],
] as const

describe.each(unstorable)('a text with %s, which no store can keep unchanged', (_, text) => {
  it('is refused with an explanation in every field of every route', { tags: 'long' }, async () => {
    const accepted: string[] = []
    let fields = 0
    for (const { method, path, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema) continue
      for (const place of textsIn(schema)) {
        fields += 1
        const address = path.replaceAll('{choice}', 'A'.repeat(22)).replaceAll(/\{\w+\}/g, unknownId)
        const answer = await caller.fetch(method, address, JSON.stringify(bodyWith(place, schema, text)), json)
        if (answer.status !== 400 || !/^[A-Z][^\n]{10,200}$/.test(answer.text))
          accepted.push(`${method} ${path}: ${place.path.join('.')}: ${answer.status} ${answer.text}`)
      }
    }
    expect(accepted).toEqual([])
    expect(fields).toBeGreaterThan(20)
  })
})

describe('a text without a visible character', () => {
  it('is refused with an explanation in every field that must not be blank', async () => {
    const accepted: string[] = []
    let fields = 0
    for (const { method, path, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema) continue
      for (const place of textsIn(schema).filter(({ schema: { pattern } }) => isNamed(pattern))) {
        fields += 1
        const address = path.replaceAll('{choice}', 'A'.repeat(22)).replaceAll(/\{\w+\}/g, unknownId)
        const body = bodyWith(place, schema, '\u200b\u3164\u2800\u{e0020}')
        const answer = await caller.fetch(method, address, JSON.stringify(body), json)
        if (answer.status !== 400 || !/^[A-Z][^\n]{10,200}$/.test(answer.text))
          accepted.push(`${method} ${path}: ${place.path.join('.')}: ${answer.status} ${answer.text}`)
      }
    }
    expect(accepted).toEqual([])
    expect(fields).toBeGreaterThan(15)
  })
})

describe('NUL in a URL', () => {
  it('finds nothing', async () => {
    for (const path of [
      '/api/clients/%00',
      '/api/posts/%00/history',
      '/api/auditor/a%00b',
      '/api/auditor/%00/posts',
      '/api/nothing%00',
    ]) {
      expect([path, (await caller.get(path)).status]).toEqual([path, 404])
    }
    expect((await caller.ask('searchAudit', { query: { text: 'be\u0000fore' } })).status).toBe(400)
  })
})

describe('property names that every object inherits', () => {
  it('in a body change no prototype and no field of the created client', async () => {
    const sent =
      '{"name":"Plain","__proto__":{"industry":"Polluted","polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    const { status, text } = await caller.fetch('POST', '/api/clients', sent, json)
    expect({ status, industry: (JSON.parse(text) as { industry: unknown }).industry }).toEqual({
      status: 201,
      industry: null,
    })
    expect('polluted' in {}).toBe(false)
  })
  it.each([
    '{"__proto__":{"status":"approved"}}',
    '{"content":"x","__proto__":{"status":"approved"}}',
    '{"constructor":"x"}',
  ])('are refused as a change of a post: %s', async (body) => {
    const { id } = await draft()
    expect((await caller.fetch('PATCH', `/api/posts/${id}`, body, json)).status).toBe(400)
    expect((await caller.callOrThrow('getPost', { params: { id } })).status).toBe('draft')
  })
  it('are refused as ids in the keys of a map', async () => {
    const { id } = await draft()
    const body = `{"ids":["${id}"],"status":"approved","revisions":{"__proto__":3,"constructor":1}}`
    expect((await caller.fetch('POST', '/api/posts/bulk', body, json)).status).toBe(400)
  })
  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'are unknown ids: %s gets a 404',
    async (name) => {
      for (const path of [
        `/api/clients/${name}`,
        `/api/posts/${name}`,
        `/api/social-accounts/${name}/connect`,
        `/api/oauth/${name}/callback`,
        `/api/auditor/${name}`,
      ]) {
        expect([path, (await caller.get(path)).status]).toEqual([path, 404])
      }
    },
  )
})

describe('operators of a query language', () => {
  const operators = [{ $gt: '' }, { $ne: null }, { $regex: '.*' }, { $where: '1' }, { $in: [''] }, ['a@b.co']]
  it.each(operators)('are refused in a sign-in: %j', async (operator) => {
    const stranger = await signedUp(server)
    for (const body of [
      { email: operator, password: 'correct horse' },
      { email: 'a@b.co', password: operator },
    ]) {
      expect((await stranger.ask('login', { body })).status).toBe(400)
    }
  })
  it.each(operators)('are refused as the id of a post, client or account: %j [S52]', async (operator) => {
    const bodies = [
      { ids: [operator], status: 'approved' },
      { ids: operator, status: 'approved' },
    ]
    for (const body of bodies) expect((await caller.ask('reviewPosts', { body })).status).toBe(400)
    expect(
      (await caller.ask('generateContent', { body: { clientId: operator, platform: 'facebook', topic: 'x' } })).status,
    ).toBe(400)
    expect(
      (await caller.ask('writePost', { params: { id: clientId }, body: { content: 'x', socialAccountId: operator } }))
        .status,
    ).toBe(400)
  })
  it('in a query string are ignored as unknown names, or refused', async () => {
    const { text } = await caller.get('/api/calendar?month=2026-03&client[$ne]=x')
    expect(text).toBe('[]')
    expect((await caller.get('/api/calendar?month[$gt]=')).status).toBe(400)
    expect((await caller.get('/api/calendar?month=2026-03&month=2026-04')).status).toBe(400)
  })
})

describe('oversized input', () => {
  it.each(['[', '{"a":'])('of 100,000 times %s gets a 400, and the next request is answered [S54]', async (opening) => {
    const post = (body: string) => caller.fetch('POST', '/api/generate-content', body, json)
    const body = opening.repeat(100_000)
    expect((await post(body)).status).toBe(400)
    expect((await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).status).toBe(400)
    expect((await post(`{"topic":${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}}`)).status).toBe(400)
    expect((await caller.get('/healthz')).status).toBe(200)
  })
  it.each([
    ['/api/generate-content', 512],
    ['/api/clients', 64],
    ['/api/auth/login', 16],
  ])('for %s is read up to the limit; one byte more is refused', async (path, kilobytes) => {
    const body = (length: number) => `{"name":"","x":"${'y'.repeat(length - 18)}"}`
    expect((await caller.fetch('POST', path, body(kilobytes * 1024), json)).status).toBe(400)
    const over = await caller.fetch('POST', path, body(kilobytes * 1024 + 1), json)
    expect({ status: over.status, text: over.text }).toEqual({
      status: 413,
      text: `That is too large: at most ${kilobytes} kB can be sent.`,
    })
  })
  it('in a compressed body is refused without unpacking it', { tags: 'long' }, async () => {
    const { gzipSync } = await import('node:zlib')
    const packed = new Blob([new Uint8Array(gzipSync(Buffer.alloc(50 * 1024 * 1024, 0x20)))], {
      type: 'application/json',
    })
    const answer = await caller.fetch('POST', '/api/generate-content', packed, { 'Content-Encoding': 'gzip' })
    expect({ status: answer.status, text: answer.text }).toEqual({
      status: 415,
      text: 'Send the body uncompressed, as UTF-8 JSON.',
    })
  })
  it("in a request's head is refused, and the next request is answered", async () => {
    const first = await raw(`GET /api/clients HTTP/1.1\r\nHost: x\r\nX-Long: ${'y'.repeat(20_000)}\r\n\r\n`)
    expect(first).toMatch(/^HTTP\/1\.1 431 /)
    expect(await raw(`GET /api/clients?${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
    expect((await caller.get('/healthz')).status).toBe(200)
  })
  it.each([
    'GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'POST /api/clients HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'G\u0000T / HTTP/1.1\r\n\r\n',
  ])('is no way to smuggle a second request: %j gets a 400', async (head) => {
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 400 /)
  })
})

/** Sends raw bytes, and returns the beginning of the response. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(server.localUrl)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => void socket.write(text))
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1'))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

describe('a field name chosen by the client', () => {
  it.each([{ revisions: { ['k\n'.repeat(3_000)]: 1 } }, { revisions: { [`\u202e${'x'.repeat(9_000)}`]: 1 } }])(
    'is shortened in the refusal when it is a key of a map',
    async (more) => {
      const { status, text } = await caller.ask('reviewPosts', {
        body: { ids: [unknownId], status: 'approved', ...more },
      })
      expect(status).toBe(400)
      expect(text).toMatch(/^[A-Z][^\n\u202e]{10,400}$/)
    },
  )
  it('is shortened in the refusal when it is an unknown field', async () => {
    const { id } = await draft()
    const { status, text } = await caller.ask('changePost', {
      params: { id },
      body: { content: 'x', ['<script>\r\n'.repeat(2_000)]: 1 },
    })
    expect(status).toBe(400)
    expect(text).toMatch(/^Unknown field: [^\n\r]{10,300}$/)
  })
})

describe('a time outside the sortable years', () => {
  it.each(['9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00+23:59'])('is refused: %s', async (at) => {
    const write = { params: { id: clientId }, body: { socialAccountId: accountId, content: 'x', scheduledFor: at } }
    expect(await caller.ask('writePost', write)).toMatchObject({
      status: 400,
      text: 'Scheduled for: Enter a date and time like 2025-01-05T15:00:00Z',
    })
    expect((await caller.ask('listPosts', { params: { id: clientId }, query: { asOf: at } })).status).toBe(400)
  })
  it('starts only after the last second of the year 9999', async () => {
    const { status } = await caller.ask('listPosts', {
      params: { id: clientId },
      query: { asOf: '9999-12-31T23:59:59Z' },
    })
    expect(status).toBe(200)
  })
})
