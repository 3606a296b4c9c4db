/** Many callers at once, each at an address of its own, against one server on this machine. */
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 512 })

export interface Answer {
  readonly status: number
  readonly tookMs: number
  readonly retryAfter: number
  /** The cookies that were set, as they are sent back. */
  readonly cookie: string
}

/** Sends requests as a client behind a trusted proxy. */
export function ask(
  url: string,
  path: string,
  { address, body, cookie = '' }: { readonly address: string; readonly body?: unknown; readonly cookie?: string },
): Promise<Answer> {
  const text = body === undefined ? null : JSON.stringify(body)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      {
        agent,
        method: text === null ? 'GET' : 'POST',
        headers: {
          'X-Forwarded-For': address,
          ...(text === null ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
          ...(cookie === '' ? {} : { Cookie: cookie }),
        },
      },
      (response) => {
        const set = (response.headers['set-cookie'] ?? []).map((each) => each.split(';')[0]).join('; ')
        response.resume().once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            tookMs: performance.now() - began,
            retryAfter: Number(response.headers['retry-after'] ?? 0),
            cookie: set,
          }),
        )
        response.once('error', reject)
      },
    )
    sent.once('error', reject)
    sent.end(text ?? undefined)
  })
}

export const addressOf = (one: number): string => `10.${(one >> 16) & 255}.${(one >> 8) & 255}.${one & 255}`

export const rest = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * An open loop: asks so often in a second whether or not there are answers, until it is over. Answers when all of
 * them are there.
 */
export async function openLoop(
  perSecond: number,
  seconds: number,
  once: (index: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const under: Promise<void>[] = []
  for (let index = 0; index < perSecond * seconds; index++) {
    const wait = began + (index * 1000) / perSecond - performance.now()
    if (wait > 1) await rest(wait)
    under.push(once(index))
  }
  await Promise.all(under)
}
