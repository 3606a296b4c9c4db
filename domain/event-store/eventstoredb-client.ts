/** The client that is in use. A new one takes its place where EventStoreDB stays silent. */
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { EventStoreDBClient } from '@eventstore/db-client'
import { isCluster, withOptions } from './eventstoredb-address.ts'
import { StoreUnavailable } from './port.ts'

/** A request without an answer after this time makes the adapter look for another leader, as often as that. */
export const slowMs = 1_000
/** A hung node is asked for the cluster's members too. Seconds: the client (6.2.1) adds them in `discovery.js`. */
const gossipTimeout = '1'
const closeWithinMs = 2_000

export interface ClientInUse {
  readonly client: EventStoreDBClient
  /** Appends without an answer yet. The connection is closed after them: some may still wait for it to be found. */
  readonly pending: Set<Promise<unknown>>
  /** Aborts when another client takes its place. */
  readonly replaced: AbortSignal
}

export class MissedDeadline extends StoreUnavailable {
  constructor() {
    super('EventStoreDB took too long to answer')
  }
}

/** Whether the server's time or ours ran out. */
export const isLate = (error: unknown): boolean =>
  error instanceof MissedDeadline || (error instanceof Error && 'type' in error && error.type === 'deadline-exceeded')

/** The request went to a client that was replaced. */
export class ClientReplaced extends StoreUnavailable {
  constructor() {
    super("EventStoreDB can't be reached just now")
  }
}

/** What the client (6.2.1) has, and declares as protected. */
interface Inner {
  supports: () => Promise<boolean>
  readonly getChannel: () => Promise<{ getTarget(): string; close(): void }>
}
const innerOf = (client: EventStoreDBClient) => client as unknown as Inner

/**
 * The client (6.2.1) keeps the connection to a node that hangs, also when another node was elected: it looks for a
 * leader again only where a call ends with UNAVAILABLE or NOT_LEADER (`Client/index.js`, `shouldReconnect`). Two
 * clients exist at most: the one in use, and one that looks for the leader.
 */
export class Clients {
  #current: ClientInUse & { readonly end: AbortController }
  #isLooking = false
  #isUsed = false
  #isClosed = false
  #replacedAt = Number.NEGATIVE_INFINITY
  readonly isCluster: boolean

  constructor(private readonly url: string) {
    this.isCluster = isCluster(url)
    // The address's own option comes later, so it counts.
    this.#current = inUse(made(withOptions(url, { before: { gossipTimeout } }), this.isCluster))
  }

  get current(): ClientInUse {
    this.#isUsed = true
    return this.#current
  }

  /** For a request that has no answer yet: changes to the leader that the other nodes name, if it is another one. */
  lookForLeader(slow: ClientInUse): void {
    if (!this.isCluster || this.#isLooking || this.#isClosed || slow !== this.#current) return
    this.#isLooking = true
    void this.#look(slow).finally(() => (this.#isLooking = false))
  }

  /** For a request whose time is over: a new client, which discovers the nodes anew; at most one a second. */
  replace(silent: ClientInUse): void {
    // The client finds a single node again by itself.
    if (!this.isCluster) return
    const now = performance.now()
    if (this.#isClosed || silent !== this.#current || now - this.#replacedAt < slowMs) return
    this.#replacedAt = now
    this.#take(this.#looking())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (!this.#isUsed) return
    // The timer keeps the process alive: the client may wait for an end that never comes, and keeps no process alive.
    const isLeft = new AbortController()
    const late = setTimeout(closeWithinMs, undefined, { signal: isLeft.signal }).catch(() => undefined)
    await Promise.race([left(this.#current.client).finally(() => isLeft.abort()), late])
  }

  async #look(slow: ClientInUse): Promise<void> {
    const candidate = this.#looking()
    try {
      const [found, known] = await Promise.all([targetOf(candidate), targetOf(slow.client)])
      if (found !== known && slow === this.#current && !this.#isClosed) return this.#take(candidate)
    } catch {
      // No node names a leader: the next second asks again.
    }
    void left(candidate)
  }

  #take(client: EventStoreDBClient): void {
    const before = this.#current
    this.#current = inUse(client)
    before.end.abort()
    void Promise.allSettled(before.pending).then(() => left(before.client))
  }

  /** Requests need the leader, whatever node the address prefers. */
  #looking(): EventStoreDBClient {
    return made(
      withOptions(this.url, { before: { gossipTimeout }, after: { nodePreference: 'leader' } }),
      this.isCluster,
    )
  }
}

function inUse(client: EventStoreDBClient) {
  const end = new AbortController()
  // Each request adds a listener, and the number of concurrent requests has no limit.
  setMaxListeners(0, end.signal)
  return { client, pending: new Set<Promise<unknown>>(), end, replaced: end.signal }
}

/**
 * Each append to a cluster is a call of its own. The client (6.2.1) would otherwise share one call among all appends of
 * all its clients: when that ends, it rejects the appends of the others too and fails on their answers
 * (`appendToStream/batchAppend.js`, `promiseBank`), and appends that wait for the network are rejected where nothing
 * can catch it (`utils/backpressuredWrite.js`). This is the only feature that the adapter's calls ask for. A single
 * node has one client for good, and keeps the shared call.
 */
function made(url: string, ofCluster: boolean): EventStoreDBClient {
  const client = EventStoreDBClient.connectionString(url)
  if (ofCluster) innerOf(client).supports = async () => false
  return client
}

const targetOf = async (client: EventStoreDBClient) => (await innerOf(client).getChannel()).getTarget()

/** The client's `dispose` (6.2.1) ends its reads; the connection would stay for grpc-js's half hour. */
async function left(client: EventStoreDBClient): Promise<void> {
  const closing = innerOf(client)
    .getChannel()
    .then((channel) => channel.close())
    .catch(() => undefined)
  await client.dispose()
  await closing
}
