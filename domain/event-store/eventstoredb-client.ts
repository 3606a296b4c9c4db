/** The client that is in use. A new one takes its place where EventStoreDB stays silent. */
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { isCluster, withOptions } from './eventstoredb-address.ts'
import { answersWithin, disposed, hasTarget, madeClient, targetOf } from './eventstoredb-inner.ts'
import { StoreUnavailable } from './port.ts'

/** A request without an answer after this time makes the adapter look for another leader, as often as that. */
export const slowMs = 1_000
/** A hung node is asked for the cluster's members too. Seconds: the client (6.2.1) adds them in `discovery.js`. */
const gossipTimeout = '1'
const closeWithinMs = 2_000
/** Replaced clients that wait for their last appends. */
const maxLeaving = 2

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

/**
 * The client (6.2.1) keeps the connection to a node that hangs, also when another node was elected: it looks for a
 * leader again only where a call ends with UNAVAILABLE or NOT_LEADER (`Client/index.js`, `shouldReconnect`).
 *
 * Four clients exist at most: the one in use, one that looks for the leader, and two that were replaced and wait for
 * the end of their appends. A client that looks for its node itself is never replaced: the next would do the same.
 */
export class Clients {
  #current: InUse
  #isLooking = false
  #isProbing = false
  #isUsed = false
  #isClosed = false
  #leaving = 0
  readonly isCluster: boolean

  constructor(private readonly url: string) {
    this.isCluster = isCluster(url)
    // The address's own option comes later, so it counts.
    this.#current = inUse(madeClient(withOptions(url, { before: { gossipTimeout } }), this.isCluster))
  }

  get current(): ClientInUse {
    this.#isUsed = true
    return this.#current
  }

  /** For a request that has no answer yet: changes to the leader that the other nodes name, if it is another one. */
  lookForLeader(slow: ClientInUse): void {
    if (this.#isLooking || !this.#mayReplace(slow)) return
    this.#isLooking = true
    void this.#look(slow).finally(() => (this.#isLooking = false))
  }

  /**
   * For a request whose time is over. A node that answers others keeps its client: one request was slow. From a silent
   * one, a new client discovers the nodes anew.
   */
  replaceIfSilent(suspect: ClientInUse): void {
    // The client finds a single node again by itself.
    if (this.#isProbing || !this.#mayReplace(suspect)) return
    this.#isProbing = true
    void this.#probe(suspect).finally(() => (this.#isProbing = false))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#isUsed) await this.#leave(this.#current)
  }

  #mayReplace(client: ClientInUse): boolean {
    return this.isCluster && !this.#isClosed && client === this.#current && this.#leaving < maxLeaving
  }

  async #look(slow: ClientInUse): Promise<void> {
    if (!(await hasTarget(slow.client))) return
    const candidate = this.#looking()
    try {
      const [found, known] = await Promise.all([targetOf(candidate), targetOf(slow.client)])
      if (found !== known && this.#mayReplace(slow)) return this.#take(candidate)
    } catch {
      // No node names a leader: the next second asks again.
    }
    void disposed(candidate)
  }

  async #probe(suspect: ClientInUse): Promise<void> {
    if (!(await hasTarget(suspect.client)) || (await answersWithin(suspect.client, slowMs))) return
    if (this.#mayReplace(suspect)) this.#take(this.#looking())
  }

  #take(client: EventStoreDBClient): void {
    const before = this.#current
    this.#current = inUse(client)
    before.end.abort()
    this.#leaving += 1
    void this.#leave(before).finally(() => (this.#leaving -= 1))
  }

  /** An append that waits for the connection to be found would fail in the client, where nothing can catch it. */
  async #leave({ client, pending }: InUse): Promise<void> {
    const leaving = Promise.allSettled(pending).then(() => disposed(client))
    if (!this.#isClosed) await Promise.allSettled(pending)
    // The timer keeps the process alive: the client may wait for an end that never comes, and keeps no process alive.
    const hasLeft = new AbortController()
    const late = setTimeout(closeWithinMs, undefined, { signal: hasLeft.signal }).catch(() => undefined)
    await Promise.race([leaving.finally(() => hasLeft.abort()), late])
  }

  /** Requests need the leader, whatever node the address prefers. */
  #looking(): EventStoreDBClient {
    return madeClient(
      withOptions(this.url, { before: { gossipTimeout }, after: { nodePreference: 'leader' } }),
      this.isCluster,
    )
  }
}

type InUse = ClientInUse & { readonly end: AbortController }

function inUse(client: EventStoreDBClient): InUse {
  const end = new AbortController()
  // Each request adds a listener, and the number of concurrent requests has no limit.
  setMaxListeners(0, end.signal)
  return { client, pending: new Set<Promise<unknown>>(), end, replaced: end.signal }
}
