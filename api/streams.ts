/** Loads an aggregate: its state folded from the log, and where its stream ends. */
import type { Decider, Refusal } from '../domain/core/decider.ts'
import type { Fact, Instant, Position, Recorded } from '../domain/core/event.ts'
import { recorded } from '../domain/event-store/catalogue.ts'
import type { ChainHead } from '../domain/event-store/chain.ts'
import { StoreUnavailable, type EventStore } from '../domain/event-store/port.ts'
import { settledWithin } from './processes/loop.ts'

export interface StreamHead extends ChainHead {
  /** When the last event was; null for a stream that doesn't exist yet. */
  readonly at: Instant | null
  readonly position: Position | null
  /** The last event's type. */
  readonly type: string | null
}

export interface Loaded<State> {
  readonly state: State
  readonly head: StreamHead
}

const nothing: StreamHead = { revision: -1, hash: null, at: null, position: null, type: null }
const streamsInMemory = 2_000
/** So long a reader waits for the log where it has an earlier state to show. */
const recallWithinMs = 1_000

/** Folded states, kept so that a load reads only what came since. A stream only grows, so a kept state can't be wrong. */
export class Streams {
  readonly #kept = new Map<string, Loaded<unknown>>()
  constructor(readonly store: EventStore) {}

  async load<State, C, E extends Fact, R extends Refusal, G>(
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
    this.#keep(stream, loaded)
    return loaded
  }

  /** For showing, never for deciding: as the log has it or, while the log is away, as it was last seen here. */
  async recall<State, C, E extends Fact, R extends Refusal, G>(
    stream: string,
    decider: Decider<State, C, E, R, G>,
  ): Promise<Loaded<State>> {
    const kept = this.#kept.get(stream) as Loaded<State> | undefined
    const loading = this.load(stream, decider)
    if (!kept) return loading
    if (!(await settledWithin(loading, recallWithinMs))) return kept
    return loading.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return kept
      throw error
    })
  }

  #keep(stream: string, loaded: Loaded<unknown>): void {
    this.#kept.delete(stream)
    if (loaded.head.revision < 0) return
    this.#kept.set(stream, loaded)
    if (this.#kept.size > streamsInMemory) {
      const oldest = this.#kept.keys().next()
      if (!oldest.done) this.#kept.delete(oldest.value)
    }
  }
}

const headOf = ({ revision, metadata, position, type }: Recorded): StreamHead => ({
  revision,
  hash: metadata.hash,
  at: metadata.at,
  position,
  type,
})

/** Every event of a stream, in order. */
export async function history(store: EventStore, stream: string): Promise<Recorded[]> {
  const found: Recorded[] = []
  for await (const batch of store.read(stream)) for (const stored of batch) found.push(recorded(stored))
  return found
}
