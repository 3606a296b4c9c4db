/** The commands of the projections' command line, on open stores. Each returns an exit code. */
import { events as catalogue } from '../domain/event-store/catalogue.ts'
import type { EventStore } from '../domain/event-store/port.ts'
import type { Projection } from './core/projection.ts'
import { Progress, type Screen } from './progress.ts'
import type { ReadStore } from './read-store/port.ts'
import { rebuildProjection } from './rebuild.ts'
import { projections as registered } from './registry.ts'
import { prune as pruneAll, statusOf } from './upkeep.ts'
import { NothingToVerify, verifyProjection, type Difference } from './verify.ts'

export const exitCodes = { ok: 0, differs: 1, usage: 2, unavailable: 3, failed: 4, interrupted: 130 } as const

export interface Stores {
  readonly events: EventStore
  readonly store: ReadStore
}

export interface Surroundings {
  readonly screen: Screen
  readonly signal?: AbortSignal
  /** Default: all projections of the product. */
  readonly projections?: readonly Projection[]
  /** A running server rebuilds its own projections; default: rebuild directly in the stores. */
  readonly rebuild?: typeof rebuildProjection
}

/** An unknown projection name; the message lists the known ones. */
export class UnknownProjection extends Error {
  override readonly name = 'UnknownProjection'
}

const maxListed = 20

export function commands({
  screen,
  signal,
  projections = registered,
  rebuild: rebuildOne = rebuildProjection,
}: Surroundings) {
  const say = (line: string) => void screen.write(`${line}\n`)
  const named = (names: readonly string[]) =>
    names.map((name) => {
      const found = projections.find((projection) => projection.name === name)
      if (found) return found
      throw new UnknownProjection(
        `There is no projection named ${name}. There are: ${projections.map((known) => known.name).join(', ')}.`,
      )
    })
  const progressOf = async ({ name, types }: Projection, { events }: Stores) =>
    new Progress(name, await events.count(null, { names: catalogue.namesOf(types) }), screen)

  return {
    async status({ events, store }: Stores): Promise<number> {
      const rows = await statusOf(projections, events, store)
      const cells = rows.map(({ name, version, live, isOfVersion, position, lag, documents }) => [
        name,
        `v${version}`,
        live === null ? '-' : isOfVersion ? live : `${live} (older)`,
        position ?? '-',
        String(lag),
        String(documents),
      ])
      const table = [['PROJECTION', 'VERSION', 'LIVE', 'POSITION', 'LAG', 'DOCUMENTS'], ...cells]
      const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
      for (const row of table)
        say(
          row
            .map((cell, column) => cell.padEnd(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
        )
      return exitCodes.ok
    },

    async rebuild(stores: Stores, names: readonly string[], all: boolean): Promise<number> {
      if (all === names.length > 0) throw new UnknownProjection('Name the projections to rebuild, or use --all.')
      for (const projection of all ? projections : named([...new Set(names)])) {
        const progress = await progressOf(projection, stores)
        await rebuildOne(projection, stores.events, stores.store, { signal, onBatch: (events) => progress.add(events) })
        progress.end('rebuilt')
      }
      return exitCodes.ok
    },

    async verify(stores: Stores, names: readonly string[]): Promise<number> {
      let code: number = exitCodes.ok
      for (const projection of names.length === 0 ? projections : named([...new Set(names)])) {
        const progress = await progressOf(projection, stores)
        try {
          const passing = { signal, onBatch: (events: number) => progress.add(events) }
          const differences = await verifyProjection(projection, stores.events, stores.store, passing)
          progress.end(differences.length === 0 ? 'matches the log' : `${differences.length} documents differ`)
          if (differences.length > 0) code = exitCodes.differs
          list(differences)
        } catch (error) {
          if (!(error instanceof NothingToVerify)) throw error
          say(`${projection.name}: ${error.message}`)
        }
      }
      return code
    },

    async prune({ store }: Stores): Promise<number> {
      const { dropped, tombstones } = await pruneAll(projections, store)
      say(dropped.length === 0 ? 'No collection to drop' : `Dropped ${dropped.join(', ')}`)
      say(`Deleted ${tombstones} tombstones`)
      return exitCodes.ok
    },
  }

  function list(differences: readonly Difference[]): void {
    const listed = screen.isTTY ? differences.slice(0, maxListed) : differences
    for (const { id, problem } of listed) say(`  ${problem}: ${id}`)
    if (listed.length < differences.length)
      say(`  … and ${differences.length - listed.length} more; redirect the output to list all of them`)
  }
}
