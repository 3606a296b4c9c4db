/**
 * Detects views that fall behind the log, in a process that doesn't build them: compares their checkpoints with the
 * log.
 */
import type { Position } from '../../domain/core/event.ts'
import { events as catalogue } from '../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import { collectionName, isAfter, type Projection } from '../../projections/core/projection.ts'
import type { ReadStore } from '../../projections/read-store/port.ts'
import { startLoop } from '../core/loop.ts'
import type { StoreHealth } from '../core/store-health.ts'

interface Ports {
  readonly events: Pick<EventStore, 'readAll'>
  readonly store: Pick<ReadStore, 'liveCollections' | 'checkpoints'>
}

interface Options {
  readonly everyMs?: number
  /** How long a view that is behind may stand still: by then, a killed projector has been replaced. */
  readonly stillMs?: number
  /** The limit on log events per poll. */
  readonly maxEvents?: number
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

/** A view's checkpoint, and since when it has stood there although the log has more. */
interface Standing {
  readonly place: string
  readonly reached: Position | null
  readonly isBehind: boolean
  readonly since: number
}

export class ProjectionLagMonitor {
  /** For each projection, the last event that it handles. */
  readonly #newest = new Map<string, Position>()
  readonly #standing = new Map<string, Standing>()
  readonly #handling: ReadonlyMap<string, readonly string[]>
  /** The position up to which the log was read. */
  #seen: Position | null | 'nowhere' = 'nowhere'
  readonly #stillMs: number
  readonly #maxEvents: number
  readonly #elapsed: () => number

  constructor(
    private readonly projections: readonly Projection[],
    private readonly ports: Ports,
    { stillMs = 10_000, maxEvents = 10_000, elapsed = () => performance.now() }: Options = {},
  ) {
    this.#stillMs = stillMs
    this.#maxEvents = maxEvents
    this.#elapsed = elapsed
    const handling = new Map<string, string[]>()
    for (const { name, types } of projections)
      for (const stored of catalogue.namesOf(types)) handling.set(stored, [...(handling.get(stored) ?? []), name])
    this.#handling = handling
  }

  /** Polls the new part of the log, up to a limit, and the checkpoints of views that may be behind it. */
  async look(): Promise<void> {
    try {
      if (this.#seen === 'nowhere') this.#seen = await this.#leastReached()
      await this.#readOn(this.#seen)
      await this.#ask(
        this.projections.filter(({ name }) => this.#isAfter(name, this.#standing.get(name)?.reached ?? null)),
      )
    } catch (error) {
      // While polls fail, whether a view stands still is unknown.
      for (const [name, standing] of this.#standing) this.#standing.set(name, { ...standing, since: this.#elapsed() })
      throw error
    }
  }

  notReady(): readonly string[] {
    const still = [...this.#standing].filter(
      ([, { isBehind, since }]) => isBehind && this.#elapsed() - since > this.#stillMs,
    )
    return still.map(([name]) => `${name} is behind the log and makes no progress`)
  }

  #isAfter(name: string, reached: Position | null): boolean {
    const newest = this.#newest.get(name)
    return newest !== undefined && isAfter(newest, reached)
  }

  async #leastReached(): Promise<Position | null> {
    await this.#ask(this.projections)
    return [...this.#standing.values()].reduce<Position | null>(
      (least, { reached }, at) => (at === 0 || (reached ?? '') < (least ?? '') ? reached : least),
      null,
    )
  }

  async #readOn(after: Position | null): Promise<void> {
    let count = 0
    const onPassed = (position: Position) => void (this.#seen = position)
    for await (const batch of this.ports.events.readAll(after, { names: [...this.#handling.keys()] }, onPassed)) {
      for (const { name, position } of batch)
        for (const projection of this.#handling.get(name) ?? []) this.#newest.set(projection, position)
      this.#seen = batch.at(-1)?.position ?? this.#seen
      count += batch.length
      if (count >= this.#maxEvents) return
    }
  }

  async #ask(projections: readonly Projection[]): Promise<void> {
    if (projections.length === 0) return
    const { store } = this.ports
    const live = await store.liveCollections()
    // A new version is built beside the live one: while it makes progress, the view is healthy.
    const collections = projections.flatMap((projection) => [
      live.get(projection.name) ?? [],
      collectionName(projection),
    ])
    const checkpoints = await store.checkpoints([...new Set(collections.flat())])
    for (const projection of projections) {
      const { name } = projection
      const serving = live.get(name) ?? null
      const built = collectionName(projection)
      const reached = serving === null ? null : (checkpoints.get(serving) ?? null)
      const building = built === serving ? null : (checkpoints.get(built) ?? null)
      const place = JSON.stringify([serving, reached, building])
      const known = this.#standing.get(name)
      const stays = known !== undefined && known.isBehind && known.place === place
      this.#standing.set(name, {
        place,
        reached,
        isBehind: this.#isAfter(name, reached),
        since: stays ? known.since : this.#elapsed(),
      })
    }
  }
}

export function watchViews(
  projections: readonly Projection[],
  ports: Ports,
  { everyMs = 2_000, ...options }: Options = {},
): StoreHealth {
  const keepingUp = new ProjectionLagMonitor(projections, ports, options)
  // The store health checks report the error.
  const loop = startLoop({ everyMs, round: () => keepingUp.look(), onError: () => {} })
  return { notReady: () => keepingUp.notReady(), stop: () => void loop.stop() }
}
