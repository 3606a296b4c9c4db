/** A web server that listens before it can serve: the port is known first, and who asks too early is told to come again. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Config } from './config.ts'
import { edgeTimeouts, type EdgeTimeouts } from '../http/edge-timeouts.ts'
import { RequestTurns } from '../http/request-turns.ts'
import { sourceOf } from '../core/source.ts'
import { maxConnectionsOf, openFilesLimit } from './open-files.ts'
import { publicUrlOf } from '../core/public-url.ts'

export interface Listening {
  /** Where this process reaches itself, and where a browser does; without a slash at the end. */
  readonly own: string
  readonly publicUrl: string
  serve(listener: RequestListener): void
  /** Finishes what was accepted, a bounded time. */
  close(): Promise<void>
}

const closeWithinMs = 5_000
const sweepMs = 50

/** A browser opens six to one host, so this serves an office behind one address, and no address can take them all. */
export const maxConnectionsPerAddress = 200
/** Longer than a proxy keeps what it doesn't use (nginx: 60 s), so that none closes what the other is about to write to. */
const keepAliveMs = 65_000

/** @throws Error with a code when the port or the address can't be had */
export async function listen(
  {
    PORT,
    HOST,
    PUBLIC_URL,
    TRUST_PROXY,
  }: Pick<Config, 'PORT' | 'HOST' | 'PUBLIC_URL'> & { readonly TRUST_PROXY?: boolean },
  { headersMs, requestMs, idleMs, checkMs }: Omit<EdgeTimeouts, 'bodyMs' | 'stallMs'> = edgeTimeouts,
): Promise<Listening> {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  })
  server.maxConnections = maxConnectionsOf(openFilesLimit())
  // Behind a proxy all connections have its address; the proxy bounds them for each of its callers (see ops/nginx.conf).
  if (!TRUST_PROXY) server.on('connection', perAddress(maxConnectionsPerAddress))
  // Also for who doesn't read what was asked for.
  server.timeout = idleMs
  let serve: RequestListener = (_, response) => void response.writeHead(503, { 'Retry-After': '1' }).end('Starting')
  const turns = new RequestTurns()
  server.on('request', (request, response) => {
    const source = sourceOf((TRUST_PROXY && lastForwarded(request)) || (request.socket.remoteAddress ?? ''))
    if (!turns.start(source, () => serve(request, response)))
      response.writeHead(503, { 'Retry-After': '5', Connection: 'close' }).end()
  })
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  server.listen(PORT, HOST)
  await listening
  const { port } = server.address() as AddressInfo
  const { own, shown } = publicUrlOf(HOST, port)
  return {
    own,
    publicUrl: (PUBLIC_URL ?? shown).replace(/\/$/, ''),
    serve: (listener) => (serve = listener),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      // Those that are answered now are kept open for a next request, which must not come here any more.
      const sweeping = setInterval(() => server.closeIdleConnections(), sweepMs)
      const timer = setTimeout(() => server.closeAllConnections(), closeWithinMs)
      await closed
      clearInterval(sweeping)
      clearTimeout(timer)
    },
  }
}

/** The caller as the proxy in front names it: the last address is the one that it added itself. */
const lastForwarded = ({ headers }: IncomingMessage): string =>
  headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim() ?? ''

/** Closes a connection beyond the maximum of its address. Memory follows the open connections. */
function perAddress(max: number): (socket: Socket) => void {
  const open = new Map<string, number>()
  return (socket) => {
    const source = sourceOf(socket.remoteAddress ?? '')
    const count = (open.get(source) ?? 0) + 1
    if (count > max) return void socket.destroy()
    open.set(source, count)
    socket.once('close', () => {
      const left = (open.get(source) ?? 1) - 1
      if (left === 0) open.delete(source)
      else open.set(source, left)
    })
  }
}
