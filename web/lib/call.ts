/** The server's routes as typed calls. The contract gives types only, so that its schemas stay out of the bundle. */
import { callWords } from './call-words.ts'
import { connection } from './connection.ts'
import { keptReplies } from './kept-replies.ts'
import { listPositions } from './list-positions.ts'
import { membershipLoss } from './membership-loss.ts'
import { missingFactor } from './missing-factor.ts'
import { agencyOfPage } from './page-agency.ts'
import type {
  Reply,
  ReplyAs,
  Route,
  RouteName,
  Routes,
  SentBody,
  SentQuery,
  ViewName,
} from '../../api/contract/index.ts'

type KeyOf<R extends Route> = `${R['method']} ${R['path']}`
export type RouteKey = { [N in RouteName]: KeyOf<Routes[N]> }[RouteName]
type RouteOf<K extends RouteKey> = { [N in RouteName]: KeyOf<Routes[N]> extends K ? Routes[N] : never }[RouteName]

type PathParams<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | PathParams<Rest> : never
type When<R, Part extends string, Then> = R extends { readonly [P in Part]: unknown } ? Then : unknown
/**
 * A distributive type over one route at a time: over all of them at once, TypeScript would combine each path with each
 * body.
 */
/** May be left out where nothing in it is needed. */
type QueryOf<Q> = Record<string, never> extends Q ? { readonly query?: Q } : { readonly query: Q }
export type Sent<R extends Route> = R extends Route
  ? When<R, 'params', { readonly params: Readonly<Record<PathParams<R['path']>, string>> }> &
      When<R, 'query', QueryOf<SentQuery<R>>> &
      When<R, 'body', { readonly body: SentBody<R> }>
  : never

/** Nothing, where a route takes nothing. */
export type Args<K extends RouteKey> = unknown extends Sent<RouteOf<K>> ? [] : [sent: Sent<RouteOf<K>>]
export type Answer<K extends RouteKey> = Reply<RouteOf<K>>
export type ViewOf<K extends RouteKey> = ViewName<RouteOf<K>>
export type AnswerAs<K extends RouteKey, V extends ViewOf<K>> = ReplyAs<RouteOf<K>, V>

interface Request {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | undefined>>
  readonly body?: unknown
  /** Sent as it is, instead of a body. */
  readonly file?: Blob
}

/** The path with its parameters filled in. */
export function addressOf<K extends RouteKey>(key: K, ...sent: Args<K>): string
export function addressOf(key: string, sent: Request = {}): string {
  return urlOf(key.split(' ')[1] ?? '', sent)
}

function urlOf(path: string, { params = {}, query = {} }: Request): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value)
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}

/** A browser says "Failed to fetch", which does not say what to do. */
export const reach = (url: string, init: RequestInit) =>
  fetch(url, init).then(
    (response) => {
      connection.found()
      return response
    },
    () => {
      if (init.signal?.aborted !== true) connection.lost()
      throw new Error(callWords.unreachable)
    },
  )

const countPath = '/api/news/count'

async function send(key: string, request: Request, headers: Readonly<Record<string, string>>): Promise<Response> {
  const [method = 'GET', path = ''] = key.split(' ')
  return exchange(method, urlOf(path, request), request, headers)
}

/** Reads an address that the server told of: a page of a list. @throws Error as any call does */
export const follow = (address: string, signal?: AbortSignal): Promise<Response> =>
  exchange('GET', address, {}, {}, signal)

async function exchange(
  method: string,
  address: string,
  request: Request,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Response> {
  const withBody = request.body !== undefined
  const rings = listPositions.rings()
  const ask = (more: Readonly<Record<string, string>>) =>
    reach(address, {
      method,
      credentials: 'include',
      headers: {
        ...(withBody && { 'Content-Type': 'application/json' }),
        ...(request.file && { 'Content-Type': request.file.type }),
        ...(method !== 'GET' && agencyOfPage.header()),
        ...headers,
        ...more,
      },
      ...(withBody && { body: JSON.stringify(request.body) }),
      ...(request.file && { body: request.file }),
      ...(signal && { signal }),
    })
  const response = await (method === 'GET' ? keptReplies.whole(address, ask) : listPositions.during(ask({})))
  const position = response.headers.get('X-Position')
  // The count of changes is no list, and a list's position is that of its first page.
  if (response.ok && position !== null && !address.startsWith(countPath) && !isFurtherPage(address))
    listPositions.at(address, position, rings)
  if (response.ok) return response
  const text = await response.text()
  const membership = response.headers.get('X-Membership')
  if (membership === 'ended') membershipLoss.set(text)
  // Another tab moved the session to another agency: the page is loaded anew for that one.
  if (membership === 'another') location.assign('/')
  if (response.headers.get('X-Second-Factor') === 'missing') missingFactor.ring()
  throw new Error(`${response.status}: ${text || response.statusText}`)
}

const isFurtherPage = (address: string) => /[?&]cursor=/.test(address)

export function call<K extends RouteKey>(key: K, ...sent: Args<K>): Promise<Answer<K>>
export async function call(key: string, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, sent, {}))
}

/** The text of a refusal is then problem+json: `problemIn` reads it. */
export function callForProblem<K extends RouteKey>(key: K, ...sent: Args<K>): Promise<Answer<K>>
export async function callForProblem(key: string, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, sent, { Accept: 'application/problem+json' }))
}

/** For a route that takes a file as it is. */
export function callWithFile<K extends RouteKey>(key: K, file: Blob, ...sent: Args<K>): Promise<Answer<K>>
export async function callWithFile(key: string, file: Blob, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, { ...sent, file }, {}))
}

/** Answers null instead of a 401 where there is no session. */
export function callIfSignedIn<K extends RouteKey>(key: K, ...sent: Args<K>): Promise<Answer<K> | undefined>
export async function callIfSignedIn(key: string, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, sent, { Prefer: 'handling=lenient' }))
}

/** A create that may be sent twice: the same idempotency key makes one thing. */
export function callOnce<K extends RouteKey>(key: K, once: string, ...sent: Args<K>): Promise<Answer<K>>
export async function callOnce(key: string, once: string, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, sent, { 'Idempotency-Key': once }))
}

/** Sends `If-Match`, so that a change made since the read is not overwritten. */
export function callIf<K extends RouteKey>(key: K, revision: number, ...sent: Args<K>): Promise<Answer<K>>
export async function callIf(key: string, revision: number, sent: Request = {}): Promise<unknown> {
  return answerOf(await send(key, sent, { 'If-Match': `"${revision}"` }))
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text()
  return text === '' ? undefined : JSON.parse(text)
}
