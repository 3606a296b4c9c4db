/** Keeps one projection running: catch up, switch to a new version, follow live, rebuild beside the live one. */
import type { Position } from '../../domain/core/event.ts'
import { BacklogWatch, type Backlog } from './backlog.ts'
import { buildBeside } from './beside.ts'
import type { BuildTurns } from './build-turns.ts'
import { Feed, type FeedPorts, type Passing } from './feed.ts'
import { LiveFeeds } from './live-feeds.ts'
import { pause } from './pause.ts'
import { collectionName, isOfVersion, type Projection } from './projection.ts'
import { Waiters, type Awaited as AwaitedEvent } from './waiters.ts'

export interface RunnerHealth {
  readonly name: string
  readonly state: 'catching-up' | 'live' | 'failing' | 'stopped'
  readonly checkpoint: Position | null
  readonly error: string | null
  /** Null until it has caught up, or failed, for the first time: counting starts then. */
  readonly backlog: Backlog | null
}

export interface RunnerPorts extends FeedPorts {
  /** Shared by the projections of a process. Absent: this one follows the log alone. */
  readonly live?: LiveFeeds
  /** Absent: this one builds its collection at once. */
  readonly turns?: BuildTurns | undefined
  /** Called when a view's reads move to another collection. */
  readonly onSwitch: (view: string, collection: string) => void
  readonly onError: (view: string, error: unknown) => void
}

const firstPauseMs = 100
const longestPauseMs = 10_000
/** A rebuild this few events behind may pause the live feed to catch up with the rest. */
const almostThere = 500

export class Runner {
  readonly #waiters = new Waiters()
  readonly #live: LiveFeeds
  /** The feed in progress; reads go to it, unless it is a new version that has not caught up yet. */
  #feed: Feed | null = null
  #state: RunnerHealth['state'] = 'stopped'
  #error: string | null = null
  readonly #watch = new BacklogWatch(() => this.#feed?.checkpoint ?? null)
  #watching: Promise<void> | null = null
  /** Stops everything for good; `#following` stops only the current round. */
  readonly #end = new AbortController()
  #following = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #rebuilding: Promise<void> = Promise.resolve()

  constructor(
    readonly projection: Projection,
    readonly ports: RunnerPorts,
  ) {
    this.#live = ports.live ?? new LiveFeeds(ports)
  }

  handles(type: string): boolean {
    return this.projection.types.includes(type)
  }

  get health(): RunnerHealth {
    const { name } = this.projection
    const backlog = this.#watching ? this.#watch.backlog : null
    return { name, state: this.#state, checkpoint: this.#feed?.checkpoint ?? null, error: this.#error, backlog }
  }

  /**
   * Resolves when the view has caught up and serves reads, or when its first attempt failed:
   * it then retries in the background, and other projections need not wait.
   */
  async start(): Promise<void> {
    this.#state = 'catching-up'
    const firstRound = new Promise<void>((resolve) => this.#run(resolve))
    await firstRound
  }

  /** True once the view contains the event; false on timeout, and at once while the view is built at first. */
  waitFor(event: AwaitedEvent, timeoutMs: number): Promise<boolean> {
    if (this.#isThere(event)) return Promise.resolve(true)
    // While a first build goes on, nothing that comes now can show in the view soon.
    const isBuilding = this.#state === 'catching-up' && this.#feed?.isRead === false
    if (this.#end.signal.aborted || isBuilding) return Promise.resolve(false)
    return this.#waiters.wait(event, timeoutMs)
  }

  /** @param live the collection that reads go to */
  isReplacedBy(live: string | undefined): boolean {
    return this.#feed?.isRead === true && live !== undefined && live !== this.#feed.collection
  }

  /**
   * Builds a fresh collection beside the live one, then switches; reads and the live feed continue meanwhile.
   * @throws RebuildUnderWay, FailedEvent; also when the signal aborts or the runner is stopped
   */
  async rebuild({ signal, onBatch }: Omit<Passing, 'until'> = {}): Promise<void> {
    const live = this.#feed
    if (!live?.isRead || this.#end.signal.aborted)
      throw new Error(
        `The projection ${this.projection.name} is not running${this.#error === null ? '' : `: ${this.#error}`}`,
      )
    const either = signal ? AbortSignal.any([signal, this.#end.signal]) : this.#end.signal
    const passing: Passing = { signal: either, onBatch }
    const rebuilding = buildBeside(this.projection, this.ports, passing, (fresh) => this.#replace(live, fresh, passing))
    this.#rebuilding = Promise.all([this.#rebuilding, rebuilding]).then(nothing, nothing)
    await rebuilding
  }

  /** Stops everything; resolves when no store is touched any more. */
  async stop(): Promise<void> {
    this.#end.abort()
    this.#following.abort()
    await this.#rebuilding
    await this.#running
    await this.#watching
    this.#state = 'stopped'
    this.#waiters.close()
  }

  async #replace(live: Feed, fresh: Feed, passing: Passing): Promise<void> {
    // Shortens the pause: the events that arrived during the build are handled before the live feed stops.
    while ((await fresh.catchUp(passing)) > almostThere);
    this.#following.abort()
    await this.#running
    try {
      await fresh.catchUp(passing)
      passing.signal?.throwIfAborted()
      await this.#serve(fresh)
    } finally {
      this.#run(nothing)
    }
    await this.ports.store.retire(live.collection)
  }

  /** Switches reads to a collection that has caught up. */
  async #serve(feed: Feed): Promise<void> {
    const { name } = this.projection
    await this.ports.store.swap(name, feed.collection)
    feed.isRead = true
    this.#feed = feed
    this.ports.onSwitch(name, feed.collection)
    this.#waiters.wake((event) => feed.has(event))
  }

  #isThere(event: AwaitedEvent): boolean {
    return this.#feed !== null && this.#feed.isRead && this.#feed.has(event)
  }

  /** Starts a round of following; `settled` is called once it has caught up, failed, or was stopped. */
  #run(settled: () => void): void {
    if (this.#end.signal.aborted) return settled()
    this.#following = new AbortController()
    this.#running = this.#keepUp(this.#following.signal, settled).finally(settled)
  }

  async #keepUp(signal: AbortSignal, settled: () => void): Promise<void> {
    let pauseMs = firstPauseMs
    while (!signal.aborted) {
      try {
        this.#feed ??= await this.#open()
        const feed = this.#feed
        await this.#catchUp(feed, signal)
        if (signal.aborted) return
        this.#caughtUp(feed)
        settled()
        await this.#live.follow(feed, signal, () => {
          pauseMs = firstPauseMs
          this.#caughtUp(feed)
        })
      } catch (error) {
        if (signal.aborted) return
        this.#state = 'failing'
        this.#count()
        this.#error = error instanceof Error ? error.message : String(error)
        this.ports.onError(this.projection.name, error)
        settled()
        await pause(pauseMs, signal)
        if (await this.#isReplaced()) this.#feed = null
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }

  async #catchUp(feed: Feed, signal: AbortSignal): Promise<void> {
    if (feed.isRead) return void (await feed.catchUp({ signal }))
    const build = async () => {
      await feed.catchUp({ signal })
      await feed.index()
      if (!signal.aborted) await this.#serve(feed)
    }
    await (this.ports.turns ? this.ports.turns.run(build) : build())
  }

  async #open(): Promise<Feed> {
    const { name } = this.projection
    const live = await this.ports.store.live(name)
    // An older version serves reads until the new one has caught up.
    if (live !== null) this.ports.onSwitch(name, live)
    const isRead = live !== null && isOfVersion(this.projection, live)
    const collection = isRead ? live : collectionName(this.projection)
    return new Feed(this.projection, collection, this.ports, isRead).open()
  }

  /** Whether another process has switched reads to another collection, or dropped this one before it was built. */
  async #isReplaced(): Promise<boolean> {
    const feed = this.#feed
    if (!feed) return false
    const { store } = this.ports
    try {
      if (feed.isRead) return (await store.live(this.projection.name)) !== feed.collection
      return !(await store.checkpoints([feed.collection])).has(feed.collection)
    } catch {
      return false
    }
  }

  /** Starts only now: the events of the catch-up are read anyway and need no counting. */
  #count(): void {
    if (!this.#feed || this.#end.signal.aborted) return
    this.#watching ??= this.#watch.follow(this.ports.events, this.#feed.filter, this.#end.signal)
  }

  #caughtUp(feed: Feed): void {
    this.#count()
    this.#state = 'live'
    this.#error = null
    this.#waiters.wake((event) => feed.has(event))
  }
}

function nothing(): void {}
