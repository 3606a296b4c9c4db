/**
 * A fake API at the network's boundary. Its handlers are typed by the contract's routes, and the contract's schemas
 * check every request and every reply: a test fails when the web sends, or the fake answers, what the contract forbids.
 */
import { isDeepStrictEqual } from 'node:util'
import { http, HttpResponse, type DefaultBodyType, type StrictResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import {
  routes,
  type Body,
  type Params,
  type Reply,
  type ReplyAs,
  type Route,
  type RouteName,
  type Routes,
  type SearchParams,
  type ViewName,
} from '../../api/contract/index.ts'

type RouteOf<N extends RouteName> = Routes[N]

/** A request after validation. */
export interface Asked<N extends RouteName> {
  readonly params: Params<RouteOf<N>>
  readonly query: SearchParams<RouteOf<N>>
  readonly body: Body<RouteOf<N>>
  readonly headers: Headers
}

/** A request as it was sent. */
export interface Sent {
  readonly url: URL
  readonly body: unknown
  readonly headers: Headers
}

type ReplyOf<N extends RouteName> = Reply<RouteOf<N>> | ReplyAs<RouteOf<N>, ViewName<RouteOf<N>>>

class Special {
  constructor(
    readonly kind: 'refusal' | 'cut' | 'stream' | 'list' | 'same',
    readonly status = 200,
    readonly body: unknown = null,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** An error of the server. @param sentence the body, as text */
export const refuse = (status: number, sentence: string, headers: Readonly<Record<string, string>> = {}) =>
  new Special('refusal', status, sentence, headers)
/** The same as problem+json. */
export const refuseTyped = (status: number, type: string, detail: string) =>
  new Special('refusal', status, JSON.stringify({ type: `/problems/${type}`, title: 'Refused', status, detail }), {
    'Content-Type': 'application/problem+json',
  })
/** The connection ends without an answer. */
export const cut = new Special('cut')
interface ListParts {
  /** The address of the next page. */
  readonly next?: string
  /** The list's `X-Position`. */
  readonly position?: string
  /** The items of all pages. */
  readonly total?: number
  /** The list's `ETag`. */
  readonly tag?: string
}

const headersOf = ({ next, position, total, tag }: ListParts) => ({
  ...(next !== undefined && { Link: `<${next}>; rel="next"` }),
  ...(position !== undefined && { 'X-Position': position }),
  ...(total !== undefined && { 'X-Total-Count': String(total) }),
  ...(tag !== undefined && { ETag: tag }),
})

/** A list with its headers. */
export const list = (items: readonly unknown[], parts: ListParts) => new Special('list', 200, items, headersOf(parts))
/** The list is the one that the request's `If-None-Match` names. */
export const same = (parts: ListParts) => new Special('same', 304, null, headersOf(parts))
/** Server-sent events. */
export const stream = (body: ReadableStream<Uint8Array>) => new Special('stream', 200, body)

interface Answered {
  readonly method: string
  readonly path: RegExp
  readonly reply: (request: Request, parts: Readonly<Record<string, string>>) => Promise<Response>
}

type Respond<N extends RouteName> = (asked: Asked<N>) => ReplyOf<N> | Special | Promise<ReplyOf<N> | Special>

export interface FakeApi {
  /** Answers a route from now until the end of the test, in place of an earlier handler. */
  on<N extends RouteName>(name: N, respond: Respond<N>): void
  /** The requests of a route in this test. */
  sent(name: RouteName): readonly Sent[]
  /** Returns the contract's violations so far, and clears them. Without this call they fail the test. */
  takeFaults(): readonly string[]
}

/** Every server may answer these; a route declares its other errors. */
const anywhere = [400, 401, 404, 500, 502, 503]
/** Each route of an agency refuses a member whose role is too low, or whose membership ended. */
const isRefusalOf = ({ access, errors = {} }: Route, status: number) =>
  anywhere.includes(status) || (status === 403 && access === 'agency') || Object.hasOwn(errors, status)

/** Starts one server for the calling test file. */
export function startFakeApi(): FakeApi {
  const faults: string[] = []
  const sent = new Map<RouteName, Sent[]>()
  const answered: Answered[] = []
  // One handler for all routes: msw reads a request's address and cookies again for each handler that it tries.
  const server = setupServer(
    http.all('*', ({ request }): Response | Promise<Response> => {
      const { pathname } = new URL(request.url)
      for (const { method, path, reply } of answered) {
        const { groups } = (request.method === method && path.exec(pathname)) || {}
        if (groups) return reply(request, groups)
      }
      // After a cut connection, the web asks for this every few seconds until it is answered.
      if (pathname === '/healthz') return HttpResponse.text('ok')
      // Fails the test, like msw's strategy 'error', where the web would only show a failed request.
      const fault = `No handler for ${request.method} ${request.url}`
      faults.push(fault)
      return HttpResponse.text(fault, { status: 500 })
    }),
  )
  beforeAll(() => server.listen())
  afterEach(() => {
    const found = faults.splice(0)
    sent.clear()
    answered.length = 0
    expect(found).toEqual([])
  })
  afterAll(() => server.close())

  return {
    on(name, respond) {
      const route: Route = routes[name]
      answered.unshift({
        method: route.method,
        path: new RegExp(`^(?<all>)${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
        async reply(request, groups) {
          const { all: _, ...encoded } = groups
          const params = Object.fromEntries(
            Object.entries(encoded).map(([key, part]) => [key, decodeURIComponent(part)]),
          )
          const url = new URL(request.url)
          const text = await request.text()
          const isJson = request.headers.get('Content-Type')?.startsWith('application/json') ?? false
          const body: unknown = isJson ? JSON.parse(text) : undefined
          sent.set(name, [...(sent.get(name) ?? []), { url, body, headers: request.headers }])
          const fault = (what: string) => {
            faults.push(`${name}: ${what}`)
            return HttpResponse.text(what, { status: 500 })
          }
          const parts = { params, query: Object.fromEntries(url.searchParams), body }
          const parsed = Object.entries(parts).map(([part, value]) => {
            const schema = route[part as keyof typeof parts]
            return [part, schema ? schema.safeParse(value) : { success: true, data: value }] as const
          })
          const wrong = parsed.find(([, { success }]) => !success)
          if (wrong) return fault(`invalid ${wrong[0]}: ${text || url.href}`)
          const asked = Object.fromEntries(parsed.map(([part, { data }]) => [part, data]))
          const told = await respond({ ...asked, headers: request.headers } as never)
          if (told instanceof Special && told.kind === 'stream') return answerStream(told, request)
          return answer(route, told, url, fault)
        },
      })
    },
    sent: (name) => sent.get(name) ?? [],
    takeFaults: () => faults.splice(0),
  }
}

/** Ends when the web closes the connection. */
function answerStream({ body }: Special, { signal }: Request): Response {
  const { readable, writable } = new TransformStream()
  void (body as ReadableStream).pipeTo(writable, { signal }).catch(() => undefined)
  return new HttpResponse(readable, { headers: { 'Content-Type': 'text/event-stream' } })
}

function answer(
  route: Route,
  told: unknown,
  url: URL,
  fault: (what: string) => StrictResponse<DefaultBodyType>,
): Response {
  const { kind, status, body, headers } =
    told instanceof Special ? told : { kind: 'reply', status: route.status, body: told, headers: {} }
  switch (kind) {
    case 'cut':
      return HttpResponse.error()
    case 'same':
      return new HttpResponse(null, { status, headers })
    case 'refusal':
      return isRefusalOf(route, status)
        ? HttpResponse.text(body as string, { status, headers })
        : fault(`its route has no error ${status}`)
  }
  const view = url.searchParams.get('view')
  const schema = (view === null ? undefined : route.views?.[view]) ?? route.reply
  if (schema === null) return body === undefined ? new HttpResponse(null, { status }) : fault('its route has no reply')
  const checked = schema.safeParse(body)
  if (!checked.success) return fault(`invalid reply: ${checked.error.message}`)
  if (!isDeepStrictEqual(checked.data, body)) return fault(`its reply has unknown fields: ${JSON.stringify(body)}`)
  return HttpResponse.json(body as DefaultBodyType, { status, headers })
}
