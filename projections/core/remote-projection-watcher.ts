/** Watches views built by other processes: which collections are live, and when they contain a command's events. */
import type { ReadStore } from '../read-store/port.ts'
import type { Position } from '../../domain/core/event.ts'
import { BeingBuilt, type EventStore } from '../../domain/event-store/port.ts'
import { LookTiming } from './look-timing.ts'
import { pause } from './pause.ts'
import { isAfter, type Projection } from './projection.ts'
import { isReadable, servingCollection } from './serving.ts'
import type { LiveCollections } from './views.ts'
import type { Awaited as AwaitedEvent } from './waiters.ts'

type Landed = AwaitedEvent & { readonly type: string }

interface Ports {
  readonly events: Pick<EventStore, 'read'>
  readonly store: Pick<ReadStore, 'checkpoints' | 'liveCollections'>
  /** Called once for an outage, not for each look. */
  readonly onError: (view: string, error: unknown) => void
}

export interface RemoteProjectionWatcherOptions {
  /** Poll interval for a switch of a view to another collection. */
  readonly lookEveryMs?: number
}

/** A view, as of the last look. */
interface View {
  readonly name: string
  collection: string | null
  checkpoint: Position | null
}

/** A command that waits for its views. */
interface Wait {
  readonly needs: readonly { readonly view: View; readonly position: Position }[]
  readonly since: number
  /** Looks since it began. */
  looks: number
  end(isThere: boolean): void
}

export class RemoteProjectionWatcher {
  readonly #views: ReadonlyMap<string, View>
  readonly #lookEveryMs: number
  readonly #waits = new Set<Wait>()
  readonly #timing = new LookTiming()
  #error: string | null = null
  readonly #end = new AbortController()
  /** The next look at the checkpoints; null while nothing waits, or one is in progress. */
  #next: { readonly timer: NodeJS.Timeout; readonly at: number } | null = null
  #isReading = false

  constructor(
    private readonly projections: readonly Projection[],
    private readonly ports: Ports,
    { lookEveryMs = 1_000 }: RemoteProjectionWatcherOptions = {},
  ) {
    this.#views = new Map(projections.map(({ name }) => [name, { name, collection: null, checkpoint: null }]))
    this.#lookEveryMs = lookEveryMs
  }

  readonly live: LiveCollections = {
    of: (view) => {
      const collection = this.#servingCollection(view)
      if (collection === null) throw new BeingBuilt(`The view ${view} is not there yet`)
      return collection
    },
    refresh: () => this.#look(),
  }

  /** Looks up the live collections once, then at intervals. */
  async start(): Promise<void> {
    await this.#look()
    void this.#lookOn()
  }

  /**
   * Waits at most `timeoutMs` until the views that handle these events contain them. All waits of this process share
   * their looks. Returns false on timeout: the caller then reports the lag.
   */
  async waitFor(landed: readonly Landed[], timeoutMs: number): Promise<boolean> {
    const since = performance.now()
    const all = await this.#needsWithin(timeoutMs, landed)
    if (all === null) return false
    // An earlier version's collection gets no more events.
    const needs = all.filter(({ view }) => !this.#isReadFromPredecessor(view))
    const isComplete = needs.length === all.length
    if (needs.every(isMet)) return isComplete
    if (this.#end.signal.aborted) return false
    return new Promise((resolve) => {
      const wait: Wait = {
        needs,
        since: performance.now(),
        looks: 0,
        end: (isThere) => {
          clearTimeout(timer)
          this.#waits.delete(wait)
          if (this.#waits.size === 0) this.#cancel()
          resolve(isThere && isComplete)
        },
      }
      const timer = setTimeout(() => wait.end(false), Math.max(0, timeoutMs - (wait.since - since)))
      this.#waits.add(wait)
      this.#plan(this.#timing.firstMs)
    })
  }

  /** A sentence for each view that can't be read. */
  notReady(): readonly string[] {
    return [...this.#views.keys()].flatMap((name) =>
      this.#error !== null
        ? [`${name}: ${this.#error}`]
        : this.#servingCollection(name) === null
          ? [`${name} is not there yet`]
          : [],
    )
  }

  #isReadFromPredecessor({ name, collection }: View): boolean {
    const projection = this.projections.find((each) => each.name === name)
    return collection !== null && projection !== undefined && !isReadable(projection, collection)
  }

  #servingCollection(view: string): string | null {
    const projection = this.projections.find(({ name }) => name === view)
    return projection ? servingCollection(projection, (name) => this.#views.get(name)?.collection ?? null) : null
  }

  stop(): void {
    this.#end.abort()
    this.#cancel()
    for (const wait of this.#waits) wait.end(false)
  }

  /** Null on timeout, and while the log is away: the events are appended, so that their command must not fail. */
  async #needsWithin(timeoutMs: number, landed: readonly Landed[]): Promise<Wait['needs'] | null> {
    const known = new AbortController()
    const needs = this.#needsOf(landed).catch(() => null)
    const late = pause(timeoutMs, known.signal).then(() => null)
    return Promise.race([needs, late]).finally(() => known.abort())
  }

  async #needsOf(landed: readonly Landed[]): Promise<Wait['needs']> {
    const own = new Map<Landed, Promise<Position>>()
    return Promise.all(
      this.projections.flatMap(({ name, types }) => {
        const view = this.#views.get(name)
        if (!view) return []
        return [...lastOfEach(landed.filter(({ type }) => types.includes(type)))].map(async (last) => {
          const position = own.get(last) ?? this.#positionOf(last, landed)
          own.set(last, position)
          return { view, position: await position }
        })
      }),
    )
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

  /** One look after the other: while the store is slow, they would otherwise add up. */
  async #lookOn(): Promise<void> {
    const { signal } = this.#end
    for (;;) {
      await pause(this.#lookEveryMs, signal)
      if (signal.aborted) return
      await this.#look()
    }
  }

  /** Looks up which collection each view reads from. */
  async #look(): Promise<void> {
    try {
      const live = await this.ports.store.liveCollections()
      for (const view of this.#views.values()) {
        const collection = live.get(view.name) ?? null
        if (collection !== view.collection) view.checkpoint = null
        view.collection = collection
      }
      this.#error = null
    } catch (error) {
      if (this.#error === null && !this.#end.signal.aborted) this.ports.onError('all', error)
      this.#error = error instanceof Error ? error.message : String(error)
    }
  }

  /** Plans a look at the checkpoints, unless one comes sooner. */
  #plan(ms: number): void {
    const at = performance.now() + ms
    if (this.#isReading || (this.#next && this.#next.at <= at)) return
    this.#cancel()
    this.#next = { timer: setTimeout(() => void this.#readCheckpoints(), ms), at }
  }

  #cancel(): void {
    if (this.#next) clearTimeout(this.#next.timer)
    this.#next = null
  }

  async #readCheckpoints(): Promise<void> {
    this.#next = null
    this.#isReading = true
    const asked = [...this.#waits]
    await this.#read(new Set(asked.flatMap(({ needs }) => needs.map(({ view }) => view))))
    this.#isReading = false
    let isFinished = false
    for (const wait of asked) {
      wait.looks += 1
      if (!this.#waits.has(wait) || !wait.needs.every(isMet)) continue
      isFinished = true
      this.#timing.finished(wait.looks, performance.now() - wait.since)
      wait.end(true)
    }
    if (!isFinished) this.#timing.missed()
    if (this.#waits.size > 0 && !this.#end.signal.aborted) this.#plan(this.#timing.againMs)
  }

  /** An unavailable store decides nothing: each wait has its own deadline. */
  async #read(views: ReadonlySet<View>): Promise<void> {
    const names = [...views].flatMap(({ collection }) => collection ?? [])
    const found = names.length === 0 ? null : await this.ports.store.checkpoints(names).catch(() => null)
    let isComplete = found !== null && names.length === views.size
    for (const view of views) {
      if (view.collection === null || !found) continue
      // Absent: the view was switched, and the collection that it read from is retired.
      if (found.has(view.collection)) view.checkpoint = found.get(view.collection) ?? null
      else isComplete = false
    }
    if (!isComplete) await this.#look()
  }
}

const isMet = ({ view, position }: Wait['needs'][number]) =>
  view.checkpoint !== null && !isAfter(position, view.checkpoint)

/** The last event of each stream. */
const lastOfEach = (landed: readonly Landed[]) => new Map(landed.map((event) => [event.stream, event])).values()
