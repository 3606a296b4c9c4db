/** What the client (6.2.1) of EventStoreDB has, and declares as protected. */
import { setTimeout } from 'node:timers/promises'
import { BACKWARDS, END, EventStoreDBClient } from '@eventstore/db-client'

interface Writable {
  write(...given: readonly unknown[]): boolean
}
type Creator = (service: unknown) => Writable | Promise<Writable>

interface Inner {
  supports: () => Promise<boolean>
  readonly getChannel: () => Promise<{ getTarget(): string; close(): void }>
  GRPCStreamCreator: (type: unknown, name: string, creator: Creator, cache?: unknown) => () => Promise<unknown>
}
const innerOf = (client: EventStoreDBClient) => client as unknown as Inner

/**
 * Each append to a cluster is a call of its own. The client would otherwise share one call among all appends of all its
 * clients: when that ends, it rejects the appends of the others too and fails on their answers
 * (`appendToStream/batchAppend.js`, `promiseBank`). This is the only feature that the adapter's calls ask for.
 *
 * A single node has one client for good, and keeps the shared call, whose writes never wait: the client rejects those
 * that wait for the network when the call ends, where nothing can catch it, and the process would end
 * (`utils/backpressuredWrite.js`). What doesn't wait there waits in the call's own buffer.
 */
export function madeClient(url: string, ofCluster: boolean): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url)
  const inner = innerOf(client)
  if (ofCluster) {
    inner.supports = async () => false
    return client
  }
  const create = inner.GRPCStreamCreator
  inner.GRPCStreamCreator = (type, name, creator, cache) =>
    create(
      type,
      name,
      name === 'appendToStream' ? async (service) => neverFull(await creator(service)) : creator,
      cache,
    )
  return client
}

function neverFull(call: Writable): Writable {
  const write = call.write.bind(call)
  call.write = (...given) => {
    write(...given)
    return true
  }
  return call
}

/** The address of the node in use; it may have to be found first, which fails after some tries. */
export const targetOf = async (client: EventStoreDBClient): Promise<string> =>
  (await innerOf(client).getChannel()).getTarget()

/** Whether the client knows its node, or looks for one. */
export const hasTarget = (client: EventStoreDBClient): Promise<boolean> =>
  Promise.race([
    targetOf(client).then(
      () => true,
      () => false,
    ),
    setTimeout(0, false),
  ])

/** Whether its node answers at all, be it with a refusal. */
export async function answersWithin(client: EventStoreDBClient, ms: number): Promise<boolean> {
  const asked = client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1, requiresLeader: true })
  const stop = new AbortController()
  const answered = new Promise<true>((resolve) => {
    for (const name of ['data', 'end', 'error']) asked.on(name, () => resolve(true))
  })
  const late = setTimeout(ms, false, { signal: stop.signal }).catch(() => false)
  try {
    return await Promise.race([answered, late])
  } finally {
    stop.abort()
    asked.cancel().catch(() => undefined)
    asked.resume()
  }
}

/** The client's `dispose` ends its reads; the connection would stay for grpc-js's half hour. */
export async function disposed(client: EventStoreDBClient): Promise<void> {
  const closing = innerOf(client)
    .getChannel()
    .then((channel) => channel.close())
    .catch(() => undefined)
  await client.dispose()
  await closing
}
