/** A wire between the browser and the real server that can be held, cut, or answer in the server's place. */
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Act =
  | { readonly does: 'hold'; readonly until: Promise<void> }
  | { readonly does: 'cut' }
  | { readonly does: 'answer'; readonly status: number; readonly text: string }
  | { readonly does: 'retell'; readonly as: (told: string) => string }

export interface Faults {
  /** Where the browser reaches the server through the wire. */
  readonly url: string
  /** Requests of a route, `GET /api/clients`, wait until this is let go. */
  hold(route: string): () => void
  /** The connection ends without an answer. */
  cut(route: string): void
  /** Answers in the server's place, as a proxy in between could. */
  answer(route: string, status: number, text?: string): void
  /** Rewrites the server's answer, as a later version could send it. */
  retell(route: string, as: (told: string) => string): void
  /** Removes all faults. */
  mend(): void
  close(): Promise<void>
}

const host = '127.0.0.1'

export async function startFaults(server: string): Promise<Faults> {
  const target = new URL(server)
  const acts = new Map<string, Act>()
  const releases = new Set<() => void>()

  const pass = (request: IncomingMessage, response: ServerResponse, retell?: (told: string) => string) => {
    const headers = { ...request.headers, ...(retell && { 'accept-encoding': 'identity', 'if-none-match': '' }) }
    const passed = ask(
      { hostname: host, port: target.port, path: request.url, method: request.method, headers },
      async (told) => {
        if (!retell) {
          response.writeHead(told.statusCode ?? 502, told.headers)
          return void told.pipe(response)
        }
        const parts: Buffer[] = []
        for await (const part of told) parts.push(part as Buffer)
        const { 'content-length': _, etag: __, ...rest } = told.headers
        response.writeHead(told.statusCode ?? 502, rest).end(retell(Buffer.concat(parts).toString()))
      },
    )
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  }

  const wire = createServer(async (request, response) => {
    const act = acts.get(`${request.method} ${request.url?.split('?')[0]}`)
    switch (act?.does) {
      case 'hold':
        await act.until
        return pass(request, response)
      case 'cut':
        return void request.socket.destroy()
      case 'answer':
        request.resume()
        return void response.writeHead(act.status, { 'Content-Type': 'text/plain' }).end(act.text)
      case 'retell':
        return pass(request, response, act.as)
      case undefined:
        return pass(request, response)
    }
  }).listen(0, host)
  await once(wire, 'listening')

  return {
    url: `${target.protocol}//${target.hostname}:${(wire.address() as AddressInfo).port}`,
    hold(route) {
      let letGo = () => {}
      const until = new Promise<void>((resolve) => (letGo = resolve))
      const release = () => {
        if (releases.delete(release)) acts.delete(route)
        letGo()
      }
      releases.add(release)
      acts.set(route, { does: 'hold', until })
      return release
    },
    cut: (route) => void acts.set(route, { does: 'cut' }),
    answer: (route, status, text = '') => void acts.set(route, { does: 'answer', status, text }),
    retell: (route, as) => void acts.set(route, { does: 'retell', as }),
    mend() {
      for (const release of releases) release()
      acts.clear()
    },
    async close() {
      for (const release of releases) release()
      wire.closeAllConnections()
      await new Promise((resolve) => wire.close(resolve))
    },
  }
}
