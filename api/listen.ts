/** A web server that listens before it can serve: the port is known first, and who asks too early is told to come again. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { ownAddress } from './own-address.ts'

export interface Listening {
  /** Where this process reaches itself, and where a browser does; without a slash at the end. */
  readonly own: string
  readonly publicUrl: string
  serve(listener: RequestListener): void
  /** Finishes what was accepted, a bounded time. */
  close(): Promise<void>
}

const closeWithinMs = 5_000

/** @throws Error with a code when the port or the address can't be had */
export async function listen({ PORT, HOST, PUBLIC_URL }: Config): Promise<Listening> {
  const server = createServer({ requestTimeout: 120_000, headersTimeout: 15_000 })
  let serve: RequestListener = (_, response) => void response.writeHead(503, { 'Retry-After': '1' }).end('Starting')
  server.on('request', (request, response) => serve(request, response))
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  server.listen(PORT, HOST)
  await listening
  const { port } = server.address() as AddressInfo
  const { own, shown } = ownAddress(HOST, port)
  return {
    own,
    publicUrl: (PUBLIC_URL ?? shown).replace(/\/$/, ''),
    serve: (listener) => (serve = listener),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => server.closeAllConnections(), closeWithinMs)
      await closed
      clearTimeout(timer)
    },
  }
}
