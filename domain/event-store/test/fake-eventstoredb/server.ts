/**
 * A small server that speaks EventStoreDB's Streams protocol over real gRPC, with the client's own descriptors.
 * For tests without a real server; it keeps its log in memory and rejects what the real one rejects.
 */
import { status, type ServiceDefinition } from '@grpc/grpc-js'
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js'
import features from '@eventstore/db-client/generated/serverfeatures_pb.js'
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js'
import { accessOf, type Access, type Call, type Check, type Login } from './access.ts'
import { appending, type Faults } from './appending.ts'
import type { Certificate } from './certificate.ts'
import { Log, type Readable } from './log.ts'
import { startNode, type Node, type Service } from './node.ts'
import { reading, type Sent } from './reading.ts'

export interface TestEventStore extends Node {
  /** For `EVENTSTORE_URL`. */
  readonly url: string
  readonly log: Log
  readonly faults: Faults
  readonly sent: Sent
}

export interface Setting {
  /** 0 for any free port. */
  readonly port?: number
  readonly host?: string
  /** Without any, everyone has access. The client sends no password to a server without TLS. */
  readonly logins?: readonly Login[]
  /** Enables TLS with this certificate. */
  readonly certificate?: Certificate
  /** Of all events of one append together, 1 MiB by default: `MaxAppendSize` of the real server. */
  readonly maxAppendBytes?: number
}

export async function startEventStore({
  logins,
  certificate,
  maxAppendBytes,
  ...at
}: Setting = {}): Promise<TestEventStore> {
  const log = new Log(maxAppendBytes)
  const faults: Faults = { next: [], clockAheadMs: 0 }
  const sent: Sent = { events: 0 }
  const node = await startNode({
    ...at,
    ...(certificate ? { certificate } : {}),
    services: (drop) => servicesOf({ log, reads: log, sent, faults, drop, access: accessOf(log, logins) }),
  })
  return { ...node, url: `esdb://${node.host}:${node.port}?tls=${certificate !== undefined}`, log, faults, sent }
}

type Handler = (call: Call, answer: (error: object) => void) => void

/** The services of one node. @param reads the node's own copy of the log */
export function servicesOf(of: {
  readonly log: Log
  readonly reads: Readable
  readonly sent: Sent
  readonly faults: Faults
  readonly drop: () => void
  readonly access: Access
}): readonly Service[] {
  const handlers = { ...reading(of.reads, of.sent), ...appending(of.log, of.faults, of.drop, of.access.mayWrite) }
  return [
    {
      definition: streams.StreamsService as unknown as ServiceDefinition,
      handlers: { ...guarded(handlers, of.access.check), delete: unimplemented, tombstone: unimplemented },
    },
    {
      definition: serverFeatures.ServerFeaturesService as unknown as ServiceDefinition,
      handlers: {
        getSupportedMethods: (_: unknown, answer: (error: null, reply: unknown) => void) => answer(null, supported()),
      },
    },
  ]
}

function guarded(handlers: object, check: Check): Record<string, Handler> {
  const guard =
    (handle: Handler): Handler =>
    (call, answer) => {
      const refused = check(call)
      if (refused === null) return handle(call, answer)
      // Only a unary call has a callback.
      if (typeof answer === 'function') answer(refused)
      else call.emit('error', refused)
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
