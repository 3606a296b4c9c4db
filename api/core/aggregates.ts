/** Loads an aggregate: its state, folded from the log, and the head of its stream. */
import type { Decider, Refusal } from '../../domain/core/decider.ts'
import type { Fact, Instant, Position, Recorded } from '../../domain/core/event.ts'
import { recorded } from '../../domain/event-store/catalogue.ts'
import type { ChainHead } from '../../domain/event-store/chain.ts'
import { StoreUnavailable, type EventStore } from '../../domain/event-store/port.ts'
import { settledWithin } from './loop.ts'
import { StateCache } from './state-cache.ts'

export interface StreamHead extends ChainHead {
  /** When the last event was; null for a stream that doesn't exist yet. */
  readonly at: Instant | null
  readonly position: Position | null
  /** The last event's type. */
  readonly type: string | null
  /** The stream's owner, as its last event names it; null for a stream that doesn't exist yet. */
  readonly agencyId: string | null
  /** Null also for a stream that is about no client. */
  readonly clientId: string | null
}

export interface Loaded<State> {
  readonly state: State
  readonly head: StreamHead
}

const nothing: StreamHead = {
  revision: -1,
  hash: null,
  at: null,
  position: null,
  type: null,
  agencyId: null,
  clientId: null,
}
/**
 * The limit on all cached states together; a post's state has its text twice. Small, so that a busy server's memory
 * stops growing within minutes.
 */
const defaultBytes = 24_000_000
/** Timeout of a read that can fall back to the views. */
const recallWithinMs = 1_000
/** After a read timeout or failure, reads are served from the views for this long. */
const awayForMs = 2_000

interface Load {
  hasBegun: boolean
  readonly loaded: Promise<Loaded<unknown>>
}

/**
 * Caches folded states, so that a load reads only newer events. A stream only grows, so a cached state can't be wrong.
 */
export class AggregateLoader {
  readonly #kept: StateCache<Loaded<unknown>>
  /** The last load of each stream that is being loaded. */
  readonly #loads = new Map<string, Load>()
  #awayUntil = 0
  constructor(
    readonly store: EventStore,
    maxBytes = defaultBytes,
  ) {
    this.#kept = new StateCache(maxBytes)
  }

  /**
   * Loads of one stream at the same time are one load: at most one reads, and all later ones share the next. They don't
   * share the one that reads already: an event appended since may be behind it.
   */
  load<State, C, E extends Fact, R extends Refusal, G>(
    stream: string,
    decider: Decider<State, C, E, R, G>,
  ): Promise<Loaded<State>> {
    const last = this.#loads.get(stream)
    if (last && !last.hasBegun) return last.loaded as Promise<Loaded<State>>
    const begin = async () => {
      // If the one before fails, so does this: its callers don't wait a second time for a store that is away.
      await last?.loaded
      load.hasBegun = true
      return this.#read(stream, decider)
    }
    const loaded = begin().finally(() => {
      if (this.#loads.get(stream) === load) this.#loads.delete(stream)
    })
    const load: Load = { hasBegun: false, loaded }
    this.#loads.set(stream, load)
    return loaded
  }

  async #read<State, C, E extends Fact, R extends Refusal, G>(
    stream: string,
    decider: Decider<State, C, E, R, G>,
  ): Promise<Loaded<State>> {
    const kept = this.#kept.get(stream) as Loaded<State> | undefined
    let state = kept?.state ?? decider.initial
    let head = kept?.head ?? nothing
    for await (const batch of this.store.read(stream, head.revision + 1)) {
      for (const stored of batch) {
        const event = recorded(stored)
        state = decider.evolve(state, event as Fact as E)
        head = headOf(event)
      }
    }
    const loaded = { state, head }
    if (head.revision >= 0) this.#kept.set(stream, loaded)
    return loaded
  }

  /**
   * The state for display, never for decisions: from the log or, while the event store is down, from `instead`. After a
   * failure, the next reads use `instead` at once.
   */
  async recall<State, C, E extends Fact, R extends Refusal, G>(
    stream: string,
    decider: Decider<State, C, E, R, G>,
    instead: () => Promise<State | null>,
  ): Promise<State> {
    const atOnce = performance.now() < this.#awayUntil ? await instead() : null
    if (atOnce !== null) return atOnce
    const loading = this.load(stream, decider).then(({ state }) => state)
    const isSettled = await settledWithin(loading, recallWithinMs)
    const isAway =
      !isSettled ||
      (await loading.then(
        () => false,
        (error: unknown) => error instanceof StoreUnavailable,
      ))
    if (!isAway) return loading
    this.#awayUntil = performance.now() + awayForMs
    return (await instead()) ?? loading
  }

  /** The number of cached states, and about their bytes. */
  get kept(): { readonly streams: number; readonly bytes: number } {
    return { streams: this.#kept.size, bytes: this.#kept.bytes }
  }
}

/**
 * The aggregates that one request works on. Reads each stream once, however many parts of the request ask for it, and
 * hands a command's own result on. Lives as long as its request.
 */
export class AggregateScope {
  readonly #loaded = new Map<string, Promise<Loaded<unknown>>>()
  constructor(private readonly loader: AggregateLoader) {}

  load<State, C, E extends Fact, R extends Refusal, G>(
    stream: string,
    decider: Decider<State, C, E, R, G>,
  ): Promise<Loaded<State>> {
    const known = this.#loaded.get(stream) as Promise<Loaded<State>> | undefined
    if (known) return known
    const loading = this.loader.load(stream, decider)
    this.#loaded.set(stream, loading)
    // A failed read is not remembered: the next one asks the store again.
    loading.catch(() => this.#loaded.delete(stream))
    return loading
  }

  /** Keeps the state after an append, so that it isn't read back. */
  keep(stream: string, loaded: Loaded<unknown>): void {
    this.#loaded.set(stream, Promise.resolve(loaded))
  }

  /** After a conflict: everything is read again. */
  forget(): void {
    this.#loaded.clear()
  }
}

const headOf = ({ revision, metadata, position, type }: Recorded): StreamHead => ({
  revision,
  hash: metadata.hash,
  at: metadata.at,
  position,
  type,
  agencyId: metadata.agencyId,
  clientId: metadata.clientId ?? null,
})

/** A stream's events in order, one by one, so that memory stays bounded. */
export async function* eventsIn(store: EventStore, stream: string): AsyncGenerator<Recorded> {
  for await (const batch of store.read(stream)) for (const stored of batch) yield recorded(stored)
}

/** All of a stream's events at once, for tests and for short streams. */
export async function history(store: EventStore, stream: string): Promise<Recorded[]> {
  const found: Recorded[] = []
  for await (const event of eventsIn(store, stream)) found.push(event)
  return found
}

/** The last matching event of a stream; null without one. */
export async function lastIn(
  store: EventStore,
  stream: string,
  fits: (event: Recorded) => boolean,
): Promise<Recorded | null> {
  let last: Recorded | null = null
  for await (const event of eventsIn(store, stream)) if (fits(event)) last = event
  return last
}
