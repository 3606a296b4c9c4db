/** Watches views built by other processes: which collections are live, and when they contain a command's events. */
import type { ReadStore } from '../read-store/port.ts'
import type { Position } from '../../domain/core/event.ts'
import { StoreUnavailable, type EventStore } from '../../domain/event-store/port.ts'
import { isAfter, type Projection } from './projection.ts'
import type { LiveCollections } from './views.ts'
import { Waiters, type Awaited as AwaitedEvent } from './waiters.ts'

type Landed = AwaitedEvent & { readonly type: string }

interface Ports {
  readonly events: Pick<EventStore, 'read'>
  readonly store: ReadStore
  readonly onError: (view: string, error: unknown) => void
}

export interface RemoteProjectionWatcherOptions {
  /** Poll interval for a switch of a view to another collection. */
  readonly lookEveryMs?: number
  /** Poll intervals for a checkpoint while a caller is waiting. */
  readonly firstPauseMs?: number
  readonly longestPauseMs?: number
}

export class RemoteProjectionWatcher {
  readonly #views: ReadonlyMap<string, Follower>
  readonly #lookEveryMs: number
  #looking: NodeJS.Timeout | null = null

  constructor(
    private readonly projections: readonly Projection[],
    private readonly ports: Ports,
    options: RemoteProjectionWatcherOptions = {},
  ) {
    this.#views = new Map(projections.map(({ name }) => [name, new Follower(name, ports, options)]))
    this.#lookEveryMs = options.lookEveryMs ?? 1_000
  }

  readonly live: LiveCollections = {
    of: (view) => {
      const collection = this.#views.get(view)?.collection ?? null
      if (collection === null) throw new StoreUnavailable(`The view ${view} is not there yet`)
      return collection
    },
    refresh: async (view) => void (await this.#views.get(view)?.look()),
  }

  /** Looks up the live collections once, then at intervals. */
  async start(): Promise<void> {
    const look = () => Promise.all([...this.#views.values()].map((view) => view.look()))
    await look()
    this.#looking = setInterval(() => void look(), this.#lookEveryMs)
    this.#looking.unref()
  }

  /**
   * Waits at most `timeoutMs` until the views that handle these events contain them.
   * Returns false on timeout: the caller then reports the lag.
   */
  async waitFor(landed: readonly Landed[], timeoutMs: number): Promise<boolean> {
    const until = performance.now() + timeoutMs
    const own = new Map<Landed, Promise<Position>>()
    const waits = this.projections.flatMap(({ name, types }) =>
      [...lastOfEach(landed.filter(({ type }) => types.includes(type)))].map(async (last) => {
        const position = own.get(last) ?? this.#positionOf(last, landed)
        own.set(last, position)
        return (
          (await this.#views.get(name)?.waitFor({ ...last, position: await position }, until - performance.now())) ??
          true
        )
      }),
    )
    return (await Promise.all(waits)).every(Boolean)
  }

  /**
   * All events of a command carry the position of its last event. A view that handles only an earlier one never reaches
   * that.
   */
  async #positionOf(event: Landed, landed: readonly Landed[]): Promise<Position> {
    if (landed.every(({ stream, revision }) => stream !== event.stream || revision <= event.revision))
      return event.position
    for await (const batch of this.ports.events.read(event.stream, event.revision))
      return batch[0]?.position ?? event.position
    return event.position
  }

  /** A sentence for each view that can't be read. */
  notReady(): readonly string[] {
    return [...this.#views.values()].flatMap(({ name, collection, error }) =>
      error !== null ? [`${name}: ${error}`] : collection === null ? [`${name} is not there yet`] : [],
    )
  }

  stop(): void {
    if (this.#looking) clearInterval(this.#looking)
    for (const view of this.#views.values()) view.stop()
  }
}

/** The last event of each stream. */
const lastOfEach = (landed: readonly Landed[]) => new Map(landed.map((event) => [event.stream, event])).values()

/** One view: its live collection, and one checkpoint read at a time for all waiters. */
class Follower {
  collection: string | null = null
  error: string | null = null
  readonly #waiters = new Waiters()
  #checkpoint: string | null = null
  #polling = false
  #stopped = false
  /** The latest deadline of all waiters. */
  #until = 0
  #pauseMs = 0
  readonly #firstPauseMs: number
  readonly #longestPauseMs: number

  constructor(
    readonly name: string,
    private readonly ports: Pick<Ports, 'store' | 'onError'>,
    { firstPauseMs = 2, longestPauseMs = 100 }: RemoteProjectionWatcherOptions,
  ) {
    this.#firstPauseMs = firstPauseMs
    this.#longestPauseMs = longestPauseMs
  }

  async look(): Promise<void> {
    try {
      const live = await this.ports.store.live(this.name)
      if (live !== this.collection) this.#checkpoint = null
      this.collection = live
      this.error = null
    } catch (error) {
      if (this.error === null && !this.#stopped) this.ports.onError(this.name, error)
      this.error = error instanceof Error ? error.message : String(error)
    }
  }

  waitFor(event: AwaitedEvent, timeoutMs: number): Promise<boolean> {
    if (this.#has(event)) return Promise.resolve(true)
    if (this.#stopped) return Promise.resolve(false)
    const waiting = this.#waiters.wait(event, timeoutMs)
    void this.#poll(performance.now() + timeoutMs)
    return waiting
  }

  stop(): void {
    this.#stopped = true
    this.#waiters.close()
  }

  #has({ position }: AwaitedEvent): boolean {
    return this.#checkpoint !== null && !isAfter(position, this.#checkpoint)
  }

  async #poll(until: number): Promise<void> {
    this.#until = Math.max(this.#until, until)
    if (this.#polling) return void (this.#pauseMs = this.#firstPauseMs)
    this.#polling = true
    this.#pauseMs = this.#firstPauseMs
    try {
      while (!this.#stopped && this.#waiters.any && performance.now() < this.#until) {
        await this.#readCheckpoint()
        this.#waiters.wake((event) => this.#has(event))
        if (!this.#waiters.any) break
        await new Promise((resolve) => setTimeout(resolve, this.#pauseMs))
        this.#pauseMs = Math.min(this.#pauseMs * 1.5, this.#longestPauseMs)
      }
    } finally {
      this.#polling = false
    }
  }

  /** An unavailable store decides nothing: waiters time out at their own deadline. */
  async #readCheckpoint(): Promise<void> {
    try {
      const found = this.collection === null ? null : await this.ports.store.checkpoint(this.collection)
      // Null: the view was switched, and the collection read before is gone.
      if (found === null) await this.look()
      else this.#checkpoint = found
    } catch {
      await this.look()
    }
  }
}
