/** A wire to a server that can be cut: what stands behind it is then away, as when a machine or its network is. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Wire {
  /** Where the server is reached through the wire. */
  readonly port: number
  /** Refuses connections from now on, and cuts those that are there. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

const host = '127.0.0.1'

/** @param target host and port, as an address has them */
export async function startWire({ hostname, port }: { readonly hostname: string; readonly port: string }): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isCut = false
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const front = createServer((client) => {
    if (isCut) return void client.destroy()
    const server = connect(Number(port), hostname)
    for (const [one, other] of [[client, server], [server, client]] as const) {
      sockets.add(one)
      one.setNoDelay(true).on('error', () => {}).on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  }).listen(0, host)
  await once(front, 'listening')
  return {
    port: (front.address() as AddressInfo).port,
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    async close() {
      isCut = true
      drop()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}
