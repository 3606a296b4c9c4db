/** For protocol tests: plain requests as the networks document them, and the responses. */
import { afterEach, beforeEach } from 'vitest'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import { later } from '../../core/clock.ts'
import type { FetchImage } from '../ports.ts'
import { redirectUri, serveSandbox, type Served } from './serving.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed JSON; an empty object if there is none. */
  readonly body: Body
}
/** Responses differ by network and error: each test's expectations state the shape it relies on. */
type Body = { readonly [name: string]: Body } & { readonly [index: number]: Body }

interface Asking {
  readonly method?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly data?: FormData | Uint8Array<ArrayBuffer>
}

export interface Raw {
  readonly sandbox: Served
  readonly now: string
  pass(ms: number): void
  /** Stops the server and starts it on the same folder. */
  restart(): Promise<void>
  ask(path: string, asking?: Asking): Promise<Reply>
  /** The user's part: gives consent and returns the redirect's URL. */
  consent(path: string, query: Readonly<Record<string, string>>, profiles: readonly string[]): Promise<URL>
}

/** A new sandbox for each test of the file. */
export function freshSandbox(fetchImage?: FetchImage): Raw {
  let folder = ''
  let sandbox: Served
  let now = ''
  const clock = { now: () => now }
  const start = async () => {
    sandbox = await serveSandbox(folder, clock, fetchImage ? { fetchImage } : {})
  }
  beforeEach(async () => {
    now = '2026-03-01T10:00:00.000Z'
    folder = await temporaryFolder('sandbox')
    await start()
  })
  afterEach(async () => {
    await sandbox.close()
    await removeFolder(folder)
  })

  return {
    get sandbox() {
      return sandbox
    },
    get now() {
      return now
    },
    pass(ms) {
      now = later(now, ms)
    },
    async restart() {
      await sandbox.close()
      await start()
    },
    ask: (path, asking) => ask(path.startsWith('http') ? path : `${sandbox.url}${path}`, asking),
    async consent(path, query, profiles) {
      const asked = { redirect_uri: redirectUri, response_type: 'code', client_id: 'app', state: 's', ...query }
      const answer = await ask(`${sandbox.url}${path}`, { form: { ...asked, profiles: profiles.join('\r\n') } })
      return new URL(answer.headers.get('location') ?? `http://nowhere/${answer.status}`)
    },
  }
}

async function ask(url: string, { method, key, headers = {}, form, json, data }: Asking = {}): Promise<Reply> {
  const body = form ? new URLSearchParams(form) : json === undefined ? data : JSON.stringify(json)
  const answer = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      connection: 'close',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(5_000),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
}

function parsed(text: string): Body {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** The smallest valid GIF and PNG: one pixel each. */
export const gif = new Uint8Array(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))
export const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
    'base64',
  ),
)
