/** One node of the test server: gRPC behind a proxy that can drop, refuse and stall connections. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Server, ServerCredentials, type ServiceDefinition, type UntypedServiceImplementation } from '@grpc/grpc-js'
import { tie } from '../../../test/sockets.ts'
import type { Certificate } from './certificate.ts'

export interface Service {
  readonly definition: ServiceDefinition
  readonly handlers: Readonly<Record<string, unknown>>
}

export interface Node {
  readonly host: string
  readonly port: number
  /** Cuts every connection, like a network failure. */
  drop(): void
  /** Refuses new connections, and cuts the open ones. */
  leave(): void
  /** Accepts connections, and no byte passes any more: like a process that hangs. */
  hang(): void
  comeBack(): void
  close(): Promise<void>
}

interface Options {
  /** 0 for any free port. */
  readonly port?: number
  readonly host?: string
  readonly certificate?: Certificate
  readonly services: (drop: () => void) => readonly Service[]
}

const maxMessageBytes = 32 * 1024 * 1024

export async function startNode({ port = 0, host = '127.0.0.1', certificate, services }: Options): Promise<Node> {
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  })
  const sockets = new Set<Socket>()
  let state: 'serving' | 'away' | 'hanging' = 'serving'
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  for (const { definition, handlers } of services(drop))
    server.addService(definition, handlers as UntypedServiceImplementation)
  const behind = await new Promise<number>((resolve, reject) => {
    const credentials = certificate
      ? ServerCredentials.createSsl(null, [{ private_key: certificate.key, cert_chain: certificate.cert }])
      : ServerCredentials.createInsecure()
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })

  const front = createServer((client) => {
    if (state === 'away') return void client.destroy()
    const upstream = connect(behind, '127.0.0.1')
    tie(client, upstream, sockets)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one
        .on('data', (bytes) => {
          if (!other.write(bytes)) one.pause()
        })
        .on('end', () => other.end())
        .on('drain', () => {
          if (state !== 'hanging') other.resume()
        })
      if (state === 'hanging') one.pause()
    }
  })
  await new Promise<void>((resolve) => front.listen(port, host, resolve))

  return {
    host,
    port: (front.address() as AddressInfo).port,
    drop,
    leave() {
      state = 'away'
      drop()
    },
    hang() {
      state = 'hanging'
      for (const socket of sockets) socket.pause()
    },
    comeBack() {
      state = 'serving'
      for (const socket of sockets) socket.resume()
    },
    async close() {
      state = 'away'
      drop()
      server.forceShutdown()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}
