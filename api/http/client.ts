/** An API client that behaves like a browser: for the demo, the benchmarks and the tests. */
import {
  routes,
  type Reply,
  type ReplyAs,
  type Route,
  type RouteName,
  type Routes,
  type ViewName,
} from '../contract/index.ts'

export interface HttpReply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

interface Sending {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Keeps its cookie and follows no redirect. */
export class ApiClient {
  cookie = ''
  constructor(readonly url: string) {}

  /** Sends any request to a route and returns the raw reply. */
  async ask(name: RouteName, { params = {}, query, body, headers = {} }: Sending = {}): Promise<HttpReply> {
    const { method, path } = routes[name]
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
    const search = query ? `?${new URLSearchParams(query)}` : ''
    return this.fetch(method, filled + search, body, headers)
  }

  /** Like `ask`, for requests that must succeed: returns the reply's body. @throws Error with status and text */
  async callOrThrow<Name extends RouteName>(name: Name, sending: Sending = {}): Promise<Reply<Routes[Name]>> {
    const { status, text } = await this.ask(name, sending)
    if (status >= 400) throw new Error(`${name}: ${status}: ${text}`)
    const reply = routes[name].reply
    return (reply && text !== '' ? reply.parse(JSON.parse(text)) : undefined) as Reply<Routes[Name]>
  }

  /** Like `callOrThrow`, for another view of the reply. */
  async tellAs<Name extends RouteName, View extends ViewName<Routes[Name]>>(
    name: Name,
    view: View,
    sending: Sending = {},
  ): Promise<ReplyAs<Routes[Name], View>> {
    const { status, text } = await this.ask(name, { ...sending, query: { ...sending.query, view } })
    if (status >= 400) throw new Error(`${name}: ${status}: ${text}`)
    const route: Route = routes[name]
    return route.views?.[view]?.parse(JSON.parse(text)) as ReplyAs<Routes[Name], View>
  }

  /** All pages of a list together. @throws Error with status and text */
  async tellAll<Name extends RouteName>(name: Name, sending: Sending = {}): Promise<Reply<Routes[Name]>> {
    const all: unknown[] = []
    for (let reply = await this.ask(name, sending); ;) {
      if (reply.status >= 400) throw new Error(`${name}: ${reply.status}: ${reply.text}`)
      all.push(...(JSON.parse(reply.text) as readonly unknown[]))
      const next = nextPage(reply.headers)
      if (next === null) break
      reply = await this.get(next)
    }
    return routes[name].reply?.parse(all) as Reply<Routes[Name]>
  }

  async fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpReply> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie === '' ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': body instanceof Blob ? body.type : 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    // Skip the cookies that are no session.
    const set = response.headers.getSetCookie().find((cookie) => !/^[\w-]+-(?:device|sign-in|oidc)=/.test(cookie))
    if (set !== undefined) this.cookie = set.split(';')[0] ?? ''
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  async get(path: string): Promise<HttpReply> {
    return this.fetch('GET', path)
  }
}

/** The address of a list's next page; null on its last page. */
export const nextPage = (headers: Headers): string | null =>
  /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null

/** Completes the sandbox's consent, which connects the account. */
export async function connect(caller: ApiClient, accountId: string): Promise<void> {
  const asked = await caller.ask('connectSocialAccount', { params: { id: accountId } })
  const consent = new URL(asked.headers.get('location') ?? '')
  const headers = { Cookie: caller.cookie }
  const page = await fetch(consent, { headers })
  const html = await page.text()
  const action = /<form[^<>]*action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const body = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
  const allowed = await fetch(new URL(action, consent), { method: 'POST', body, headers, redirect: 'manual' })
  const back = new URL(allowed.headers.get('location') ?? '')
  const done = await caller.get(back.pathname + back.search)
  const appendedEvents = done.headers.get('location') ?? ''
  if (!appendedEvents.includes('connect=connected')) throw new Error(`Not connected: ${appendedEvents}`)
}
