/** A web server that listens before it can serve: its port is known first, and early requests are told to retry. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Config } from './config.ts'
import { edgeTimeouts, type EdgeTimeouts } from '../http/edge-timeouts.ts'
import { whenClosed } from '../http/when-closed.ts'
import { RequestTurns } from '../http/request-turns.ts'
import { sourceOf } from '../core/source.ts'
import { maxConnectionsOf, openFilesLimit } from './open-files.ts'
import { publicUrlOf } from '../core/public-url.ts'

export interface Listening {
  /** This process's local address, and its public one; without a slash at the end. */
  readonly own: string
  readonly publicUrl: string
  serve(listener: RequestListener): void
  /** Finishes accepted requests within a time limit. */
  close(): Promise<void>
}

const sweepMs = 50

/**
 * A browser opens six per host, so this serves an office behind one address, and no address can occupy all connections.
 */
export const maxConnectionsPerAddress = 200
/**
 * Of one address. Browsers keep theirs open, so an office needs few new ones. Not of this machine's own address: from
 * there
 * come a proxy that isn't trusted with addresses, and this server's own connectors.
 */
export const maxNewConnectionsPerSecond = 300
/**
 * Longer than a proxy keeps idle connections (nginx: 60 s), so that the server does not close one that the proxy is
 * about to use.
 */
const keepAliveMs = 65_000
/** How long requests under way may take once the server closes. */
export const closeWithinMs = 5_000

/**
 * @param closesWithinMs how long requests under way may take once it closes
 * @throws Error with a code when the port or the address is not available
 */
export async function listen(
  {
    PORT,
    HOST,
    PUBLIC_URL,
    TRUST_PROXY,
  }: Pick<Config, 'PORT' | 'HOST' | 'PUBLIC_URL'> & { readonly TRUST_PROXY?: boolean },
  { headersMs, requestMs, idleMs, checkMs }: Omit<EdgeTimeouts, 'bodyMs' | 'stallMs'> = edgeTimeouts,
  closesWithinMs = closeWithinMs,
): Promise<Listening> {
  const server = createServer({
    requestTimeout: requestMs,
    headersTimeout: headersMs,
    connectionsCheckingInterval: checkMs,
    keepAliveTimeout: keepAliveMs,
  })
  server.maxConnections = maxConnectionsOf(openFilesLimit())
  // Behind a proxy, all connections have its address; the proxy limits them per client (see ops/nginx.conf).
  if (!TRUST_PROXY) server.on('connection', perAddress(maxConnectionsPerAddress, maxNewConnectionsPerSecond))
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Also disconnects clients that don't read their answer.
  server.timeout = idleMs
  let serve: RequestListener = (_, response) => void response.writeHead(503, { 'Retry-After': '1' }).end('Starting')
  const turns = new RequestTurns()
  server.on('request', (request, response) => {
    const source = sourceOf((TRUST_PROXY && lastForwarded(request)) || (request.socket.remoteAddress ?? ''))
    if (!turns.start(source, () => void (response.closed || serve(request, response))))
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
      // Browsers open spare connections. Node counts one that never sent a byte as busy.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
      // Connections that were just answered are kept open for another request, which must not come here any more.
      const sweeping = setInterval(() => server.closeIdleConnections(), sweepMs)
      const timer = setTimeout(() => server.closeAllConnections(), closesWithinMs)
      await closed
      clearInterval(sweeping)
      clearTimeout(timer)
    },
  }
}

/** The client's address as the proxy names it: the last one, which the proxy itself added. */
const lastForwarded = ({ headers }: IncomingMessage): string =>
  headers['x-forwarded-for']?.toString().split(',').at(-1)?.trim() ?? ''

/**
 * Closes connections over the limits of their address: open ones, and new ones a second, because accepting and parsing
 * take their time before any request is counted. Memory grows only with open connections and those of one second.
 */
function perAddress(max: number, maxNewPerSecond: number): (socket: Socket) => void {
  const open = new Map<string, number>()
  const opened = new Map<string, number>()
  let secondEndsAt = 0
  return (socket) => {
    const now = performance.now()
    if (now >= secondEndsAt) {
      opened.clear()
      secondEndsAt = now + 1_000
    }
    const source = sourceOf(socket.remoteAddress ?? '')
    const [count, newCount] = [(open.get(source) ?? 0) + 1, (opened.get(source) ?? 0) + 1]
    opened.set(source, newCount)
    const isOwnMachine = /^(?:(?:::ffff:)?127\.0\.0\.1|::1)$/.test(socket.remoteAddress ?? '')
    if (count > max || (newCount > maxNewPerSecond && !isOwnMachine)) return void socket.destroy()
    open.set(source, count)
    whenClosed(socket, () => {
      const left = (open.get(source) ?? 1) - 1
      if (left === 0) open.delete(source)
      else open.set(source, left)
    })
  }
}
