/**
 * A small server that speaks EventStoreDB's Streams protocol over real gRPC, with the client's own descriptors.
 * For tests without a real server; it keeps its log in memory and rejects what the real one rejects.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Metadata, Server, ServerCredentials, status, type ServiceDefinition } from '@grpc/grpc-js'
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { appending, type Faults } from './appending.ts'
import type { Certificate } from './certificate.ts'
import { Log } from './log.ts'
import { reading } from './reading.ts'

export interface TestEventStore {
  /** For `EVENTSTORE_URL`. */
  readonly url: string
  readonly log: Log
  readonly faults: Faults
  /** Cuts every connection, like a network failure. */
  drop(): void
  /** Refuses new connections, and cuts the open ones. */
  leave(): void
  comeBack(): void
  close(): Promise<void>
}

export interface Setting {
  /** 0 for any free port. */
  readonly port?: number
  readonly host?: string
  /** The one login; without it everyone has access. The client sends no password to a server without TLS. */
  readonly login?: { readonly username: string; readonly password: string }
  /** Enables TLS with this certificate. */
  readonly certificate?: Certificate
}

export async function startEventStore({
  port = 0,
  host = '127.0.0.1',
  login,
  certificate,
}: Setting = {}): Promise<TestEventStore> {
  const log = new Log()
  const faults: Faults = { next: [] }
  const server = new Server({
    'grpc.max_receive_message_length': 32 * 1024 * 1024,
    'grpc.max_send_message_length': 32 * 1024 * 1024,
  })
  const sockets = new Set<Socket>()
  let isAway = false
  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }

  server.addService(streams.StreamsService as unknown as ServiceDefinition, {
    ...guarded({ ...reading(log), ...appending(log, faults, drop) }, login),
    delete: unimplemented,
    tombstone: unimplemented,
  })
  server.addService(serverFeatures.ServerFeaturesService as unknown as ServiceDefinition, {
    getSupportedMethods: (_: unknown, answer: (error: null, reply: unknown) => void) => answer(null, supported()),
  })
  const behind = await new Promise<number>((resolve, reject) => {
    const credentials = certificate
      ? ServerCredentials.createSsl(null, [{ private_key: certificate.key, cert_chain: certificate.cert }])
      : ServerCredentials.createInsecure()
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)))
  })

  // A proxy in front of the server, so that a test can cut a connection at any moment.
  const front = createServer((client) => {
    if (isAway) return void client.destroy()
    const upstream = connect(behind, '127.0.0.1')
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one
        .setNoDelay(true)
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => front.listen(port, host, resolve))
  const { port: bound } = front.address() as AddressInfo

  return {
    url: `esdb://${host}:${bound}?tls=${certificate !== undefined}`,
    log,
    faults,
    drop,
    leave() {
      isAway = true
      drop()
    },
    comeBack() {
      isAway = false
    },
    async close() {
      isAway = true
      drop()
      server.forceShutdown()
      await new Promise((resolve) => front.close(resolve))
    },
  }
}

type Handler = (
  call: { readonly metadata: Metadata; emit(name: 'error', error: object): unknown },
  answer: (error: object) => void,
) => void

/** Like the real server: a wrong password is unauthenticated, a missing one permission denied. */
function guarded(handlers: object, login: Setting['login']): Record<string, Handler> {
  const wanted = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
  const guard =
    (handle: Handler): Handler =>
    (call, answer) => {
      const [given] = call.metadata.get('authorization')
      if (wanted === undefined || given === wanted) return handle(call, answer)
      const metadata = new Metadata()
      if (given === undefined) metadata.set('exception', 'access-denied')
      const error = {
        code: given === undefined ? status.PERMISSION_DENIED : status.UNAUTHENTICATED,
        details: 'Access denied',
        metadata,
      }
      // Only a unary call has a callback.
      if (typeof answer === 'function') answer(error)
      else call.emit('error', error)
    }
  return Object.fromEntries(Object.entries(handlers).map(([name, handle]) => [name, guard(handle as Handler)]))
}

function unimplemented(_: unknown, answer: (error: object) => void): void {
  answer({ code: status.UNIMPLEMENTED, details: 'This product deletes nothing' })
}

function supported() {
  const reply = new features.SupportedMethods()
  reply.setEventStoreServerVersion('23.10.0')
  for (const name of ['read', 'append', 'batchappend']) {
    const method = new features.SupportedMethod()
    method.setServiceName('event_store.client.streams.streams')
    method.setMethodName(name)
    reply.addMethods(method)
  }
  return reply
}
