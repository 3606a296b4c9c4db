/**
 * A wire to a server that can be cut, or fall silent: what stands behind it is then away, as when a machine or its
 * network is.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tie } from '../../domain/test/sockets.ts'

export interface Wire {
  /** Where the server is reached through the wire. */
  readonly port: number
  /** Refuses connections from now on, and cuts those that are there. */
  cut(): void
  /** Passes on nothing from now on, as a frozen server answers nothing: connections stay, and new ones are accepted. */
  mute(): void
  /** As it was; what was held back goes on its way. */
  mend(): void
  close(): Promise<void>
}

const host = '127.0.0.1'

/** @param target host and port, as an address has them */
export async function startWire({
  hostname,
  port,
}: {
  readonly hostname: string
  readonly port: string
}): Promise<Wire> {
  const sockets = new Set<Socket>()
  let isCut = false
  let isMute = false
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const front = createServer((client) => {
    if (isCut) return void client.destroy()
    const server = connect(Number(port), hostname)
    tie(client, server, sockets)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('data', (chunk) => other.write(chunk)).on('end', () => other.end())
      if (isMute) one.pause()
    }
  }).listen(0, host)
  await once(front, 'listening')
  return {
    port: (front.address() as AddressInfo).port,
    cut() {
      isCut = true
      drop()
    },
    mute() {
      isMute = true
      for (const socket of sockets) socket.pause()
    },
    mend() {
      isCut = false
      isMute = false
      for (const socket of sockets) socket.resume()
    },
    async close() {
      isCut = true
      drop()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}
