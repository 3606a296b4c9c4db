/**
 * Requests generated from the OpenAPI document alone, and its examples, are not refused as invalid.
 *
 * @module-tag long
 */
import Ajv from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { later } from '../../core/clock.ts'
import type { ApiClient } from '../../http/client.ts'
import { routes, type Route } from '../../contract/index.ts'
import { brand, owner, testServer, type TestServer } from '../server.ts'
import { allowedBy } from './allowed.ts'
import { readOperations, type Operation, type Parameter } from './document.ts'
import { kindOfPath } from './known.ts'
import { sample, seedOr } from '../../../domain/test/sample.ts'

const runs = sample('ALLOWED_RUNS', { test: 1, long: 24 })
const seed = seedOr(1)

/** Rules that JSON Schema can't express, by their error sentence. */
const exceptions = [
  {
    operations: /./,
    sentence: /^Cursor: Not from an earlier answer$/,
    because: 'a cursor is what an earlier answer said',
  },
  {
    operations: /./,
    sentence: /: This is one of the (?:most used passwords|first things that somebody would try)/,
    because: 'the password rule is a list, and compares with the account',
  },
  {
    operations: /^listPosts$/,
    sentence: /^asOf: A past list has all posts/,
    because: 'filters apply to the present list alone',
  },
  {
    operations: /^getCalendar$/,
    sentence: /^As of: Not with a view/,
    because: 'a past calendar is read from the log, a month at a time',
  },
  {
    operations: /Analytics/,
    sentence: /^(?:From|To): Choose /,
    because: 'a period has both of its ends, in order, and at most as many days',
  },
  {
    operations: /^setApprovalPolicy$/,
    sentence: /^(?:Remind after hours: .*, each later than the one before|If silent: Choose when to remind first)$/,
    because: 'the hours ascend, and an escalation comes with the last of them',
  },
  {
    operations: /^postComment$/,
    sentence: /^Anchor (?:from|to): /,
    because: 'a range lies in the text that the post has, between two characters',
  },
  {
    operations: /^importPosts$/,
    sentence: /^(?:There are no posts|This file can't be read|The first line|A line of this file)/,
    because: "a CSV file's first line names its columns",
  },
] as const

/** They end the session, or never answer. */
const leftOut: readonly string[] = ['logout', 'signOutEverywhere', 'getNews']

let server: TestServer
let caller: ApiClient
let operations: readonly Operation[]
/** Ids of the caller's own things, by the path segment before the id. */
let ids: Readonly<Record<string, string>>
let token: string

beforeAll(async () => {
  server = await testServer({}, { limits: { failures: 1_000_000, perAddress: 1_000_000, registrations: 1_000_000 } })
  caller = await owner(server)
  const { clientId, accountId } = await brand(caller)
  const body = { socialAccountId: accountId, content: 'Fresh' }
  const { id: postId } = await caller.callOrThrow('writePost', { params: { id: clientId }, body })
  const preferredTimes = [{ day: 'every', time: '09:00' }] as const
  const { id: scheduleId } = await caller.callOrThrow('addSchedule', {
    params: { id: clientId },
    body: { socialAccountId: accountId, frequency: 'weekly', preferredTimes: [...preferredTimes] },
  })
  const { url } = await caller.callOrThrow('issueAuditorLink', {
    body: { label: 'Audit', expiresAt: later(server.clock.now(), 86_400_000) },
  })
  token = url.split('/').at(-1) ?? ''
  ids = { clients: clientId, posts: postId, 'social-accounts': accountId, schedules: scheduleId }
  operations = (await readOperations(server.url)).filter(({ operationId }) => !leftOut.includes(operationId))
})
afterAll(() => server.remove())

/** Uses the caller's own ids, so that the request passes the ownership check and reaches the later ones. */
const pathOf = ({ path }: Operation, values: Readonly<Record<string, unknown>>) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      name === 'id' ? (ids[kindOfPath(path)] ?? String(values[name])) : name === 'token' ? token : String(values[name]),
    ),
  )

const parametersBy = (parameters: readonly Parameter[], place: Parameter['in']) => {
  const own = parameters.filter((each) => each.in === place)
  return fc.record(Object.fromEntries(own.map(({ name, schema }) => [name, allowedBy(schema)])), {
    requiredKeys: own.filter(({ required }) => required).map(({ name }) => name),
  })
}

interface Sent {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body: string | null
}

function requestBy({ parameters, requestBody }: Operation): fc.Arbitrary<Sent> {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body =
    type === undefined
      ? fc.constant(null)
      : type === 'application/json'
        ? allowedBy(content?.schema ?? {}).map((value) => JSON.stringify(value))
        : type === 'text/csv'
          ? fc.constantFrom(String(content?.example), 'x')
          : fc.constant('')
  return fc.record({
    path: parametersBy(parameters, 'path'),
    query: parametersBy(parameters, 'query'),
    header: parametersBy(parameters, 'header'),
    body,
  })
}

async function refusalOf(operation: Operation, { path, query, header, body }: Sent): Promise<string | null> {
  const [type = 'application/json'] = Object.keys(operation.requestBody?.content ?? {})
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const url = `${pathOf(operation, path)}${search === '' ? '' : `?${search}`}`
  const headers = {
    ...(body === null ? {} : { 'Content-Type': type }),
    ...Object.fromEntries(Object.entries(header).map(([name, value]) => [name, String(value)])),
  }
  const { status, text } = await caller.fetch(operation.method, url, body ?? undefined, headers)
  const isException = exceptions.some(
    ({ operations: those, sentence }) => those.test(operation.operationId) && sentence.test(text),
  )
  return status !== 400 || isException ? null : `${operation.method} ${url} ${body?.slice(0, 300) ?? ''}: ${text}`
}

describe('the OpenAPI document', () => {
  it(
    'allows no request that the server refuses as invalid',
    async () => {
      const ajv = new Ajv({ strict: false, validateFormats: false })
      const refused: string[] = []
      let sent = 0
      for (const operation of operations) {
        const schema = operation.requestBody?.content['application/json']?.schema
        const isValid = ajv.compile(schema ?? {})
        for (const request of fc.sample(requestBy(operation), { numRuns: runs, seed })) {
          if (schema && request.body !== null)
            expect([request.body, isValid(JSON.parse(request.body))]).toEqual([request.body, true])
          const refusal = await refusalOf(operation, request)
          sent += 1
          if (refusal !== null) refused.push(refusal)
        }
      }
      expect(refused).toEqual([])
      expect(sent).toBeGreaterThan(operations.length * (runs - 1))
    },
    60_000 + runs * 5_000,
  )

  it('has an example of each parameter and each body that the contract accepts', () => {
    for (const operation of operations) {
      const route: Route = routes[operation.operationId as keyof typeof routes]
      for (const place of ['path', 'query'] as const) {
        const own = operation.parameters.filter((each) => each.in === place)
        const schema = place === 'path' ? route.params : route.query
        expect([operation.operationId, own.filter(({ example }) => example === undefined)]).toEqual([
          operation.operationId,
          [],
        ])
        if (schema)
          expect([
            operation.operationId,
            schema.safeParse(Object.fromEntries(own.map(({ name, example }) => [name, example]))).error?.issues,
          ]).toEqual([operation.operationId, undefined])
      }
      const examples = Object.values(operation.requestBody?.content['application/json']?.examples ?? {})
      if (route.body) {
        expect([operation.operationId, examples.length]).not.toEqual([operation.operationId, 0])
        for (const { value } of examples)
          expect([operation.operationId, value, route.body.safeParse(value).error?.issues]).toEqual([
            operation.operationId,
            value,
            undefined,
          ])
      }
    }
  })

  it('shows each field of a body in an example', () => {
    for (const { operationId, requestBody } of operations) {
      const { schema, examples = {} } = requestBody?.content['application/json'] ?? {}
      const fields = [schema ?? {}, ...(schema?.properties ? [] : (schema?.anyOf ?? []))].flatMap(({ properties }) =>
        Object.keys(properties ?? {}),
      )
      const shown = new Set(Object.values(examples).flatMap(({ value }) => Object.keys(value as object)))
      expect([operationId, fields.filter((field) => !shown.has(field))]).toEqual([operationId, []])
    }
  })
})
