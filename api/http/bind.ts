/** Binds the contract to Express: access control, validation, handlers and answers. */
import type { Request, RequestHandler, Response, Router } from 'express'
import type { Clock } from '../core/clock.ts'
import type { SecondFactorPorts } from './second-factor.ts'
import type { Session, SessionFinder } from './session.ts'
import type { Commands } from '../core/commands.ts'
import type { WaitFor } from '../core/read-your-writes.ts'
import { StoreUnavailable } from '../../domain/event-store/port.ts'
import { routes, type Route } from '../contract/index.ts'
import { answered, openFileBounds } from './answer.ts'
import { readCookie, type CookieSettings } from './cookies.ts'
import type { AnyHandler, Handlers, OfAgency } from './handler.ts'
import { identify, mustBeAllowed, seemsRefused } from './identify.ts'
import type { Memberships } from './memberships.ts'
import { otherMethods } from './methods.ts'
import { Problem } from './problem.ts'
import type { OutgoingBodies } from './outgoing.ts'
import { bodyOf, idempotencyKey, parsed } from './read-request.ts'
import { RequestTurns } from './request-turns.ts'
import type { RequestLimits } from './request-limits.ts'
import { named } from './request-id.ts'
import { visibleWithin } from './visible.ts'
import { whenClosed } from './when-closed.ts'
import type { ReceivedUpload, Uploads } from './uploads.ts'
import { InFlightLimit } from '../core/in-flight-limit.ts'
import { sourceOf } from '../core/source.ts'

export interface BindPorts {
  readonly sessions: SessionFinder
  readonly memberships: Memberships
  readonly commands: Commands
  readonly clock: Clock
  readonly hasFactor: SecondFactorPorts['hasFactor']
  readonly cookies: CookieSettings
  readonly requestLimits: RequestLimits
  readonly uploads: Uploads
  readonly outgoing: OutgoingBodies
  readonly waitFor: WaitFor
  /** The log position up to which the lists are current, encrypted for the agency. */
  readonly reached: (agencyId: string) => string
}

interface BoundPorts extends BindPorts {
  readonly openFiles: InFlightLimit
  /**
   * Turns for handlers, by session or address: loading the session awaits, after which the requests of a flood would
   * all continue in the same turn of the event loop.
   */
  readonly reads: RequestTurns
  readonly writes: RequestTurns
}

/** The limit on concurrent reads per agency, user or address. */
export const maxReadsPerSource = 8
/** The same for commands: those of one commit continue in the same turn of the event loop. */
export const maxWritesPerSource = 16

/** The guards before every route that changes something or has parameters. */
export interface Guards {
  readonly every: RequestHandler
  /** Reads a route's JSON body. Raw uploads are received later, once the user is known. */
  readonly json: (route: Route, userOf: (request: Request) => string | null) => readonly RequestHandler[]
}

/** Paths under /api outside the contract. */
const besides = [{ path: '/api/openapi.json', method: 'GET' }] as const

type Served = (request: Request, response: Response) => Promise<void>

/** Binds every route. Lists without parameters are matched by name ahead of the guards, because they are read most. */
export function bind(router: Router, handlers: Handlers, given: BindPorts, guards: Guards): void {
  const ports: BoundPorts = {
    ...given,
    openFiles: new InFlightLimit(openFileBounds),
    reads: new RequestTurns(maxReadsPerSource),
    writes: new RequestTurns(maxWritesPerSource),
  }
  const lists = new Map<string, Served>()
  router.use((request, response, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const served = reads ? lists.get(request.path) : undefined
    return served ? served(request, response) : next()
  })
  router.use('/api', guards.every)
  for (const [name, definition] of Object.entries(routes)) {
    const route: Route = definition
    const handle = (handlers as Readonly<Record<string, AnyHandler>>)[name]
    if (!handle) throw new Error(`No handler for ${name}`)
    const served: Served = (request, response) => serve(route, handle, ports, request, response)
    const counted: RequestHandler = async (request, _, next) => {
      known.set(request, await whoAsks(route, ports, request))
      next()
    }
    if (route.method === 'GET' && !route.path.includes('{')) {
      lists.set(route.path, (request, response) => {
        nameOf(route, response)
        return served(request, response)
      })
      continue
    }
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1')
    const method = route.method.toLowerCase() as Lowercase<Route['method']>
    // Before the body is read: errors in it are logged with the route's name, and a client over its limit has no body
    // read.
    router[method](
      path,
      naming(route),
      counted,
      ...(route.raw || route.method === 'GET' ? [] : guards.json(route, userOf)),
      served,
    )
  }
  const count = (request: Request) => ports.requestLimits.count(null, request.ip ?? '', false)
  router.use(otherMethods([...Object.values(routes), ...besides], count))
}

const userOf = (request: Request) => known.get(request)?.userId ?? null

const nameOf = (route: Route, response: Response) => named(response, route.stream ? null : route.path)

const naming =
  (route: Route): RequestHandler =>
  (_, response, next) => {
    nameOf(route, response)
    next()
  }

const nothing = { params: undefined, query: undefined, body: undefined }

async function serve(
  route: Route,
  handle: AnyHandler,
  ports: BoundPorts,
  request: Request,
  response: Response,
): Promise<void> {
  const requestId = String(response.getHeader('X-Request-Id'))
  const before = known.get(request)
  const session = before === undefined ? await whoAsks(route, ports, request) : before
  const who = await identify(route, ports, session, request, requestId)
  // Before the read: changes during the read come after this position, so the browser hears of them.
  if (route.method === 'GET' && 'agencyId' in who) response.setHeader('X-Position', ports.reached(who.agencyId))
  const sender = 'agencyId' in who ? who.agencyId : (who.session?.userId ?? sourceOf(request.ip ?? ''))
  let upload: ReceivedUpload | null = null
  let hasAppended = false
  const isVisible = visibleWithin(ports.waitFor)
  // The role first: whether a request is valid is no business of a member who may not send it.
  if (seemsRefused(route, who, nothing)) await mustBeAllowed(route, who, nothing)
  const params = parsed(route, 'params', request.params)
  const query = parsed(route, 'query', request.query)
  // Before an upload is received, which names no client.
  const named = { params, query, body: undefined }
  if (seemsRefused(route, who, named)) await mustBeAllowed(route, who, named)
  const body = route.raw ? (upload = await ports.uploads.receive(request, route.raw, sender)) : bodyOf(route, request)
  const asked = { params, query, body }
  if (!route.raw && seemsRefused(route, who, asked)) await mustBeAllowed(route, who, asked)
  const ask: Parameters<AnyHandler>[0] = {
    ...who,
    params,
    query,
    body,
    address: request.ip ?? '',
    device: readCookie(request.headers.cookie, ports.cookies.deviceName),
    signIn: readCookie(request.headers.cookie, ports.cookies.signInName),
    oidc: readCookie(request.headers.cookie, ports.cookies.oidcName),
    userAgent: (request.get('User-Agent') ?? '').slice(0, 500),
    requestId,
    idempotencyKey: route.idempotent ? idempotencyKey(request) : null,
    lastEventId: request.get('Last-Event-ID') ?? null,
    wantsEvents: route.events !== undefined && request.accepts(['json', 'text/event-stream']) === 'text/event-stream',
    gone: () => goneOf(response),
    charge: chargeOf(ports, who.session, request),
    async visible(appendedEvents) {
      hasAppended ||= appendedEvents.length > 0
      const reached = await isVisible(appendedEvents)
      if (!reached && !response.headersSent) response.setHeader('X-Consistency', 'pending')
      return reached
    },
  }
  try {
    const turns = route.method === 'GET' ? ports.reads : ports.writes
    const answer = await (turns.run(sender, async () => handle(ask)) ?? tooManyWait())
    answered(route, answer, { ...ports, sender, scope: scopeOf(route, who, request) }, response)
  } catch (error) {
    throw hasAppended && error instanceof StoreUnavailable ? savedUnseen(error) : error
  } finally {
    await upload?.discard()
  }
}

/** One request is charged no more than its maximum, so that the largest read can be had too. */
function chargeOf({ requestLimits }: BindPorts, session: Session | null, request: Request) {
  let charged = 0
  return async (points: number): Promise<void> => {
    const more = Math.min(points, requestLimits.maxWork - charged)
    charged += more
    if (more > 0) await requestLimits.charge(session?.userId ?? null, request.ip ?? '', more)
  }
}

const tooManyWait = () => {
  throw new Problem(503, 'busy', 'Too many of your requests are waiting already. Try again in a moment.', {
    'Retry-After': '5',
  })
}

function goneOf(response: Response): AbortSignal {
  const gone = new AbortController()
  whenClosed(response, () => gone.abort())
  return gone.signal
}

/** The event is stored, but the read model became unavailable before the answer was built. */
const savedUnseen = (cause: Error) =>
  new Problem(
    503,
    'saved-but-unseen',
    "It was saved, but it can't be shown right now. Please reload the page in a moment.",
    { 'Retry-After': '5' },
    cause,
  )

/** Sessions that were looked up before the body was read. */
const known = new WeakMap<Request, Session | null>()

/** @throws Problem 429 */
async function whoAsks(
  route: Route,
  { sessions, cookies, requestLimits }: BindPorts,
  request: Request,
): Promise<Session | null> {
  const cookie = readCookie(request.headers.cookie, cookies.name)
  const session = cookie === null ? null : await sessions.find(cookie)
  await requestLimits.count(session?.userId ?? null, request.ip ?? '', route.method !== 'GET')
  return session
}

/** What the tag of a read's answer covers besides the body: the agency, the user and the address with its query. */
function scopeOf(route: Route, who: object, request: Request): string | null {
  if (route.method !== 'GET' || !('agencyId' in who)) return null
  const { agencyId, session } = who as OfAgency
  return [agencyId, session.userId, request.originalUrl].join('\0')
}
