/** A proxy between the browser and the real server that delays requests, cuts connections, or answers itself. */
import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fault =
  | { readonly does: 'hold'; readonly until: Promise<void> }
  | { readonly does: 'cut' }
  | { readonly does: 'answer'; readonly status: number; readonly text: string }
  | { readonly does: 'rewriteBody'; readonly as: (body: string) => string }

export interface Faults {
  /** Where the browser reaches the server through the proxy. */
  readonly url: string
  /** Requests of a route, `GET /api/clients`, wait until the returned function is called. */
  hold(route: string): () => void
  /** The connection ends without an answer. */
  cut(route: string): void
  /** Answers in the server's place, as a proxy in between could. */
  answer(route: string, status: number, text?: string): void
  /** Rewrites the server's answer, as a later version could send it. */
  rewriteBody(route: string, as: (body: string) => string): void
  /** Removes all faults. */
  mend(): void
  close(): Promise<void>
}

const host = '127.0.0.1'

export async function startFaults(server: string): Promise<Faults> {
  const target = new URL(server)
  const faults = new Map<string, Fault>()
  const releases = new Set<() => void>()

  const pass = (request: IncomingMessage, response: ServerResponse, rewriteBody?: (body: string) => string) => {
    const headers = { ...request.headers, ...(rewriteBody && { 'accept-encoding': 'identity', 'if-none-match': '' }) }
    const passed = ask(
      { hostname: host, port: target.port, path: request.url, method: request.method, headers },
      async (reply) => {
        if (!rewriteBody) {
          response.writeHead(reply.statusCode ?? 502, reply.headers)
          return void reply.pipe(response)
        }
        const parts: Buffer[] = []
        for await (const part of reply) parts.push(part as Buffer)
        const { 'content-length': _, etag: __, ...rest } = reply.headers
        response.writeHead(reply.statusCode ?? 502, rest).end(rewriteBody(Buffer.concat(parts).toString()))
      },
    )
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  }

  const proxy = createServer(async (request, response) => {
    const fault = faults.get(`${request.method} ${request.url?.split('?')[0]}`)
    switch (fault?.does) {
      case 'hold':
        await fault.until
        return pass(request, response)
      case 'cut':
        return void request.socket.destroy()
      case 'answer':
        request.resume()
        return void response.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end(fault.text)
      case 'rewriteBody':
        return pass(request, response, fault.as)
      case undefined:
        return pass(request, response)
    }
  }).listen(0, host)
  await once(proxy, 'listening')

  return {
    url: `${target.protocol}//${target.hostname}:${(proxy.address() as AddressInfo).port}`,
    hold(route) {
      let proceed = () => {}
      const until = new Promise<void>((resolve) => (proceed = resolve))
      const release = () => {
        if (releases.delete(release)) faults.delete(route)
        proceed()
      }
      releases.add(release)
      faults.set(route, { does: 'hold', until })
      return release
    },
    cut: (route) => void faults.set(route, { does: 'cut' }),
    answer: (route, status, text = '') => void faults.set(route, { does: 'answer', status, text }),
    rewriteBody: (route, as) => void faults.set(route, { does: 'rewriteBody', as }),
    mend() {
      for (const release of releases) release()
      faults.clear()
    },
    async close() {
      for (const release of releases) release()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
