/** Keeps one projection running: catch up, switch to a new version, follow live, rebuild beside the live one. */
import type { Position, StoredEvent } from '../../domain/core/event.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { Feed } from './feed.ts'
import { collectionName, isAfter, isOfVersion, type Projection } from './projection.ts'
import { Waiters, type Awaited as AwaitedEvent } from './waiters.ts'

export interface RunnerHealth {
  readonly name: string
  readonly state: 'catching-up' | 'live' | 'failing' | 'stopped'
  readonly checkpoint: Position | null
  readonly error: string | null
}

export interface RunnerPorts {
  readonly events: EventStore
  readonly store: ReadStore
  /** Told when a view's reads move to another collection. */
  readonly onSwitch: (view: string, collection: string) => void
  readonly onError: (view: string, error: unknown) => void
}

const firstPauseMs = 100
const longestPauseMs = 10_000

export class Runner {
  readonly #waiters = new Waiters()
  #feed: Feed | null = null
  #state: RunnerHealth['state'] = 'stopped'
  #error: string | null = null
  #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #rebuilding = false

  constructor(
    readonly projection: Projection,
    readonly ports: RunnerPorts,
  ) {}

  handles(type: string): boolean {
    return this.projection.types.includes(type)
  }

  get health(): RunnerHealth {
    const { name } = this.projection
    return { name, state: this.#state, checkpoint: this.#feed?.checkpoint ?? null, error: this.#error }
  }

  /** Opens the collection and answers when it has caught up with the log and reads go to it. */
  async start(): Promise<void> {
    const { name } = this.projection
    const { store, onSwitch } = this.ports
    const live = await store.live(name)
    // An older version goes on serving reads until the new one has caught up.
    if (live !== null) onSwitch(name, live)
    const collection = live !== null && isOfVersion(this.projection, live) ? live : collectionName(this.projection)
    this.#state = 'catching-up'
    const feed = await this.#open(collection)
    await feed.catchUp(this.#stop.signal)
    if (live !== collection) await store.swap(name, collection)
    onSwitch(name, collection)
    this.#run(feed)
  }

  /** True once an event (given by stream and revision) is in the view; false when the wait ran out. */
  waitFor(event: AwaitedEvent, timeoutMs: number): Promise<boolean> {
    const checkpoint = this.#feed?.checkpoint ?? null
    if (checkpoint !== null && !isAfter(event.position, checkpoint)) return Promise.resolve(true)
    return this.#waiters.wait(event, timeoutMs)
  }

  /** Builds a fresh collection beside the live one, then switches. @throws when another rebuild runs */
  async rebuild(signal?: AbortSignal, onBatch?: (events: number) => void): Promise<void> {
    const live = this.#feed
    if (!live) throw new Error(`The projection ${this.projection.name} is not running`)
    if (this.#rebuilding) throw new Error(`The projection ${this.projection.name} is being rebuilt already`)
    this.#rebuilding = true
    try {
      const { store, onSwitch } = this.ports
      const collection = await freshCollection(this.projection, store)
      const fresh = await this.#open(collection)
      await fresh.catchUp(signal, onBatch)
      await this.#pause()
      await fresh.catchUp(signal, onBatch)
      await store.swap(this.projection.name, collection)
      onSwitch(this.projection.name, collection)
      this.#stop = new AbortController()
      this.#run(fresh)
      this.#waiters.reached(fresh.checkpoint)
      await store.drop(live.collection)
    } catch (error) {
      if (this.#state === 'stopped') {
        this.#stop = new AbortController()
        this.#run(live)
      }
      throw error
    } finally {
      this.#rebuilding = false
    }
  }

  async stop(): Promise<void> {
    await this.#pause()
    this.#waiters.close()
  }

  #open(collection: string): Promise<Feed> {
    return new Feed(this.projection, collection, this.ports.events, this.ports.store).open()
  }

  async #pause(): Promise<void> {
    this.#stop.abort()
    await this.#running
    this.#state = 'stopped'
  }

  #run(feed: Feed): void {
    this.#feed = feed
    this.#state = 'live'
    this.#running = this.#follow(feed, this.#stop.signal)
  }

  async #follow(feed: Feed, signal: AbortSignal): Promise<void> {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      try {
        await feed.follow(signal, (batch: readonly StoredEvent[]) => {
          pauseMs = firstPauseMs
          this.#state = 'live'
          this.#error = null
          this.#waiters.handled(batch)
        })
      } catch (error) {
        if (signal.aborted) return
        this.#state = 'failing'
        this.#error = error instanceof Error ? error.message : String(error)
        this.ports.onError(this.projection.name, error)
        await pause(pauseMs, signal)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }
}

/** The name of a collection that doesn't exist yet; a half-built one of an interrupted rebuild is dropped. */
export async function freshCollection(projection: Projection, store: ReadStore): Promise<string> {
  const live = await store.live(projection.name)
  let generation = 0
  for (const { name } of await store.collections()) {
    if (!isOfVersion(projection, name)) continue
    if (name !== live) await store.drop(name)
    else generation = Number(/_g(\d+)$/.exec(name)?.[1] ?? 0)
  }
  return collectionName(projection, generation + 1)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done() {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
  })
}
