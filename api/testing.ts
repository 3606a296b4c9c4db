/** A whole server on a temporary folder, with a clock that tests move, and callers with a cookie each. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Clock } from './clock.ts'
import { readConfig } from './config.ts'
import { routes, type Reply, type RouteName, type Routes } from './contract/index.ts'
import { startEmbedded, type Options, type Running } from './embedded.ts'

/** Starts at real time, or where it is told; `advance` moves it. */
export class MovableClock implements Clock {
  #offset: number
  constructor(start?: string) {
    this.#offset = start === undefined ? 0 : Date.parse(start) - Date.now()
  }
  now(): string {
    return new Date(Date.now() + this.#offset).toISOString()
  }
  advance(ms: number): void {
    this.#offset += ms
  }
}

export interface TestServer extends Running {
  readonly clock: MovableClock
  /** Stops and starts again on the same folder. */
  restart(): Promise<TestServer>
  /** Stops and forgets the folder. */
  remove(): Promise<void>
}

export async function testServer(
  env: Readonly<Record<string, string>> = {},
  options: Partial<Options> & { readonly clock?: MovableClock } = {},
): Promise<TestServer> {
  const dataDir = env['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'socialai-')))
  const clock = options.clock ?? new MovableClock()
  const config = readConfig({ PORT: '0', LOG_LEVEL: 'error', PUBLISH_POLL_MS: '25', ...env, DATA_DIR: dataDir })
  const limits = { failures: 10, perAddress: 100_000, registrations: 100_000 }
  const log = pino({ level: config.LOG_LEVEL })
  const running = await startEmbedded(config, { log, webRoot: join(dataDir, 'no-web'), limits, ...options, clock })
  return {
    ...running,
    clock,
    async restart() {
      await running.close()
      return testServer({ ...env, DATA_DIR: dataDir }, { ...options, clock })
    },
    async remove() {
      await running.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export interface Told {
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

/** A caller as a browser would be: keeps its cookie, follows no redirect. */
export class Caller {
  cookie = ''
  constructor(readonly url: string) {}

  /** Sends anything to a route and tells what came back. */
  async ask(name: RouteName, { params = {}, query, body, headers = {} }: Sending = {}): Promise<Told> {
    const { method, path } = routes[name]
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
    const search = query ? `?${new URLSearchParams(query)}` : ''
    return this.fetch(method, filled + search, body, headers)
  }

  /** Like `ask`, for what must succeed: the reply's body. @throws Error with status and text */
  async tell<Name extends RouteName>(name: Name, sending: Sending = {}): Promise<Reply<Routes[Name]>> {
    const { status, text } = await this.ask(name, sending)
    if (status >= 400) throw new Error(`${name}: ${status}: ${text}`)
    const reply = routes[name].reply
    return (reply && text !== '' ? reply.parse(JSON.parse(text)) : undefined) as Reply<Routes[Name]>
  }

  async fetch(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Told> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(this.cookie === '' ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    const set = response.headers.getSetCookie()[0]
    if (set !== undefined) this.cookie = set.split(';')[0] ?? ''
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  async get(path: string): Promise<Told> {
    return this.fetch('GET', path)
  }
}

let counter = 0

/** A signed-up owner with an agency in a zone. */
export async function owner(server: Running, timeZone = 'Europe/Berlin'): Promise<Caller> {
  const caller = await signedUp(server)
  await caller.tell('openAgency', { body: { name: 'North Star', email: 'hello@northstar.example', timeZone } })
  return caller
}

/** A signed-up user without an agency. */
export async function signedUp(server: Running): Promise<Caller> {
  const caller = new Caller(server.url)
  counter += 1
  const email = `person-${process.pid}-${counter}@example.com`
  await caller.tell('register', { body: { email, password: 'correct horse' } })
  return caller
}

/** Goes through the sandbox's consent as a person would, and comes back connected. */
export async function connect(caller: Caller, accountId: string): Promise<void> {
  const { headers } = await caller.ask('connectSocialAccount', { params: { id: accountId } })
  const consent = new URL(headers.get('location') ?? '')
  const page = await fetch(consent)
  const html = await page.text()
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const body = new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
  const allowed = await fetch(new URL(action, consent), { method: 'POST', body, redirect: 'manual' })
  const back = new URL(allowed.headers.get('location') ?? '')
  const done = await caller.get(back.pathname + back.search)
  const landed = done.headers.get('location') ?? ''
  if (!landed.includes('connected=')) throw new Error(`Not connected: ${landed}`)
}

/** A client with one connected account. */
export async function brand(caller: Caller, platform: 'facebook' | 'instagram' | 'twitter' | 'linkedin' = 'facebook') {
  const client = await caller.tell('addClient', { body: { name: 'Blue Cup', industry: 'Coffee' } })
  const account = await caller.tell('addSocialAccount', { params: { id: client.id }, body: { platform, accountName: 'Blue Cup' } })
  await connect(caller, account.id)
  return { clientId: client.id, accountId: account.id }
}
