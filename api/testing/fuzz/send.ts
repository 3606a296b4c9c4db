/** Sends a request as it is, however wrong: over `node:http`, which mends nothing. */
import { Agent, request as open, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer | null
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const longestMs = 30_000
/** A stream sends past changes at once; without any it waits for the next change. */
const maxPatienceMs = 50

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes
  if (encoding === 'gzip') return gunzipSync(bytes)
  return encoding === 'br' ? brotliDecompressSync(bytes) : bytes
}

export class Sender {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })
  constructor(readonly base: string) {}

  /** @param endless reads only the beginning of an answer that never ends */
  send({ method, url, headers, bytes }: Outgoing, endless = false): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const all = { ...headers, ...(bytes ? { 'Content-Length': String(bytes.length) } : {}) }
      const asking = open(
        this.base,
        { method, path: url, headers: all, agent: this.#agent, timeout: longestMs },
        (response) => {
          const parts: Buffer[] = []
          const done = () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: decoded(Buffer.concat(parts), response.headers['content-encoding']).toString('utf8'),
            })
          const isEndless = endless && String(response.headers['content-type']).startsWith('text/event-stream')
          const leave = () => {
            response.destroy()
            done()
          }
          response.on('data', (part: Buffer) => {
            parts.push(part)
            if (isEndless) leave()
          })
          if (isEndless) setTimeout(leave, maxPatienceMs)
          response.on('end', done).on('error', (error) => (isEndless ? done() : reject(error)))
        },
      )
      asking.on('timeout', () => asking.destroy(new Error(`No answer within ${longestMs} ms`)))
      asking.on('error', reject)
      asking.end(bytes ?? undefined)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
