/** Runs a set of projections, and reports when they contain a command's events. */
import { BeingBuilt, type EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../read-store/port.ts'
import { BuildTurns } from './build-turns.ts'
import { LiveFeeds } from './live-feeds.ts'
import type { Projection } from './projection.ts'
import { servingCollection } from './serving.ts'
import { Runner, type RunnerHealth } from './runner.ts'
import type { LiveCollections } from './views.ts'
import type { Awaited as AwaitedEvent } from './waiters.ts'

export interface ProjectorPorts {
  readonly events: EventStore
  readonly store: ReadStore
  readonly onError: (view: string, error: unknown) => void
}

export class Projector {
  /** By view: the collection that its name points at. */
  readonly #live = new Map<string, string>()
  readonly #projections: ReadonlyMap<string, Projection>
  readonly #runners: readonly Runner[]
  readonly #byType = new Map<string, readonly Runner[]>()

  constructor(projections: readonly Projection[], { events, store, onError }: ProjectorPorts) {
    this.#projections = new Map(projections.map((projection) => [projection.name, projection]))
    const onSwitch = (view: string, collection: string) => void this.#live.set(view, collection)
    const live = new LiveFeeds({ events, store })
    const turns = store.blocksWhileIndexing ? new BuildTurns() : undefined
    const ports = { events, store, live, turns, onSwitch, onError }
    this.#runners = projections.map((projection) => new Runner(projection, ports))
  }

  readonly live: LiveCollections = {
    of: (view) => {
      const projection = this.#projections.get(view)
      const collection = projection ? servingCollection(projection, (name) => this.#live.get(name) ?? null) : null
      if (collection === null) throw new BeingBuilt(`The view ${view} is not there yet`)
      return collection
    },
  }

  /** Resolves when every projection follows live, or has failed once: see `health`. */
  async start(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.start()))
  }

  /**
   * Waits at most `timeoutMs` until the views that handle these events contain them.
   * Returns false on timeout: the caller then reports the lag.
   */
  async waitFor(landed: readonly (AwaitedEvent & { readonly type: string })[], timeoutMs: number): Promise<boolean> {
    const waits = landed.flatMap((event) =>
      this.#handling(event.type).map((runner) => runner.waitFor(event, timeoutMs)),
    )
    return (await Promise.all(waits)).every(Boolean)
  }

  get health(): readonly RunnerHealth[] {
    return this.#runners.map((runner) => runner.health)
  }

  /** @throws Error for an unknown projection name */
  runner(name: string): Runner {
    const found = this.#runners.find(({ projection }) => projection.name === name)
    if (!found) throw new Error(`There is no projection named ${name}`)
    return found
  }

  async stop(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()))
  }

  #handling(type: string): readonly Runner[] {
    const known = this.#byType.get(type)
    if (known) return known
    const handling = this.#runners.filter((runner) => runner.handles(type))
    this.#byType.set(type, handling)
    return handling
  }
}
