/**
 * Follows the log once for all projections of a process. A batch is folded by each of them, and what it changes is
 * written together: one request for each collection, and one for all checkpoints.
 */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import { yieldToEventLoop } from '../../domain/event-store/yield-to-event-loop.ts'
import type { Feed, FeedPorts } from './feed.ts'
import { isAfter } from './projection.ts'

/** Larger batches are handled in parts, so that requests are served in between. */
const maxEventsAtOnce = 500
/** Beyond this, one projection folds after the other: their work would block the event loop together. */
const fewEvents = 50

interface Member {
  readonly feed: Feed
  readonly onBatch: () => void
  /** Takes it out: the others go on. */
  readonly fail: (error: unknown) => void
}

export class LiveFeeds {
  readonly #members = new Set<Member>()
  #isRunning = false
  /** Ends the current subscription. A new one begins for those who are members by then. */
  #round = new AbortController()
  /** What the current subscription delivers, and how far it has. */
  #names: ReadonlySet<string> = new Set()
  #reached: Position | null = null
  /** The batch in progress. */
  #handling: Promise<void> = Promise.resolve()

  constructor(private readonly ports: FeedPorts) {}

  /**
   * Follows the log from where the feed has caught up to until the signal aborts, and then resolves when nothing of the
   * feed is being written any more.
   * @param onBatch called when its collection has more events
   * @throws FailedEvent for an event that the projection can't handle; the stores' errors
   */
  async follow(feed: Feed, signal: AbortSignal, onBatch: () => void): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', aborted)
        this.#members.delete(member)
        if (this.#members.size === 0) this.#round.abort()
      }
      const aborted = () => {
        leave()
        void this.#handling.then(resolve)
      }
      const fail = (error: unknown) => {
        leave()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
      const member: Member = { feed, onBatch, fail }
      signal.addEventListener('abort', aborted, { once: true })
      this.#members.add(member)
      this.#join(feed)
    })
  }

  #join(feed: Feed): void {
    if (!this.#isRunning) void this.#run()
    else if (isAfter(this.#reached ?? '', feed.reached ?? '') || feed.names.some((name) => !this.#names.has(name)))
      // It lacks events that the subscription has delivered already, or never does.
      this.#round.abort()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    // Those who begin at the same moment share the first subscription.
    await yieldToEventLoop()
    while (this.#members.size > 0) {
      this.#round = new AbortController()
      const { signal } = this.#round
      const feeds = [...this.#members].map(({ feed }) => feed)
      this.#names = new Set(feeds.flatMap(({ names }) => names))
      this.#reached = leastOf(feeds)
      const onPassed = (position: Position) => this.#handle(() => this.#pass(position))
      const maxEvents = Math.min(maxEventsAtOnce, this.ports.store.maxWritesAtOnce)
      try {
        const filter = { names: [...this.#names] }
        for await (const batch of this.ports.events.subscribe(this.#reached, filter, signal, onPassed))
          for (let start = 0; start < batch.length && !signal.aborted; start += maxEvents) {
            await this.#handle(() => this.#take(batch.slice(start, start + maxEvents)))
            if (start + maxEvents < batch.length) await yieldToEventLoop()
          }
      } catch (error) {
        if (!signal.aborted) for (const { fail } of this.#members) fail(error)
      }
    }
    this.#isRunning = false
  }

  #handle(work: () => Promise<void>): Promise<void> {
    const handling = work()
    this.#handling = handling.catch(() => {})
    return handling
  }

  async #take(batch: readonly StoredEvent[]): Promise<void> {
    const members = [...this.#members]
    const last = batch.at(-1)?.position ?? null
    // Set first: one that joins while this batch is handled lacks it.
    this.#reached = last ?? this.#reached
    const fold = ({ feed }: Member) => feed.fold(batch).catch((error: unknown) => error)
    const failures: unknown[] = []
    if (batch.length <= fewEvents) failures.push(...(await Promise.all(members.map(fold))))
    else
      for (const member of members) {
        failures.push(await fold(member))
        await yieldToEventLoop()
      }
    await this.#write(members.flatMap((member) => ({ member, part: member.feed.takeWrites() })))
    for (const [at, member] of members.entries()) {
      const failure = failures[at] ?? null
      if (failure !== null) member.fail(failure)
      // One that has failed, or left, reads on from its checkpoint.
      else if (last !== null && this.#members.has(member)) member.feed.searchedTo(last)
    }
  }

  /** The server has searched a part of the log without a match: it isn't searched again after a restart. */
  async #pass(position: Position): Promise<void> {
    if (isAfter(position, this.#reached)) this.#reached = position
    const behind = [...this.#members].filter(({ feed }) => isAfter(position, feed.checkpoint))
    await this.#write(
      behind.map((member) => ({
        member,
        part: { collection: member.feed.collection, writes: [], checkpoint: position },
      })),
    )
  }

  async #write(
    all: readonly { readonly member: Member; readonly part: ReturnType<Feed['takeWrites']> }[],
  ): Promise<void> {
    const changed = all.flatMap(({ member, part }) => (part ? [{ member, part }] : []))
    if (changed.length === 0) return
    const parts = changed.map(({ part }) => part)
    const outcomes = await this.ports.store
      .writeTogether(parts)
      .catch((reason: unknown) => parts.map(() => ({ status: 'rejected', reason }) as const))
    for (const [at, { member, part }] of changed.entries()) {
      const outcome = outcomes[at]
      if (outcome?.status === 'rejected') {
        member.feed.lost()
        member.fail(outcome.reason)
      } else {
        member.feed.written(part.checkpoint)
        if (this.#members.has(member)) member.onBatch()
      }
    }
  }
}

/** Null, the log's beginning, if one of them is there. */
function leastOf(feeds: readonly Feed[]): Position | null {
  const reached = feeds.map((feed) => feed.reached)
  return reached.includes(null) ? null : (reached.toSorted()[0] ?? null)
}
