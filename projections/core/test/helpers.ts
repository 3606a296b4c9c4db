/** Real stores in a temporary folder, a log to append events to, and a view simple enough to verify by hand. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { removeFolder, temporaryFolder } from '../../../domain/test/folder.ts'
import type { Fact, Position, Recorded } from '../../../domain/core/event.ts'
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import { chainHashes, type ChainHead } from '../../../domain/event-store/chain.ts'
import { openEmbeddedEventStore } from '../../../domain/event-store/embedded.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { openEmbeddedReadStore } from '../../read-store/embedded.ts'
import type { Kept, ReadStore } from '../../read-store/port.ts'
import { projection, type Projection } from '../projection.ts'

export interface TestStores {
  readonly folder: string
  readonly events: EventStore
  readonly store: ReadStore
  readonly log: Log
  close(): Promise<void>
  /** Closes both and deletes the folder. */
  remove(): Promise<void>
}

export async function temporaryStores(folder?: string): Promise<TestStores> {
  const home = folder ?? (await temporaryFolder('projections'))
  const events = await openEmbeddedEventStore(join(home, 'events.db'))
  const store = await openEmbeddedReadStore(join(home, 'views.db'))
  const close = async () => {
    await store.close()
    await events.close()
  }
  const remove = async () => {
    await close()
    await removeFolder(home)
  }
  return { folder: home, events, store, log: new Log(events), close, remove }
}

export interface Written {
  readonly type: string
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

/** Appends events as a command handler would, one append per call. */
export class Log {
  readonly #heads = new Map<string, ChainHead>()
  /** The time of the next events. */
  at = '2026-03-02T10:00:00.000Z'
  constructor(readonly events: EventStore) {}

  /** Returns the last event, as in a command's result. */
  async write(stream: string, ...facts: readonly Fact[]): Promise<Written> {
    const head = this.#heads.get(stream) ?? { revision: -1, hash: null }
    const by = { actor: { type: 'user', id: 'owner' }, correlationId: 'c', causationId: 'c', schemaVersion: 1 } as const
    const metadata = () => ({
      eventId: randomUUID(),
      at: this.at,
      agencyId: 'agency',
      clientId: 'client',
      ...by,
    })
    const chained = chainHashes(
      stream,
      head,
      facts.map((fact) => ({ ...catalogue.encode(fact), metadata: metadata() })),
    )
    const revision = head.revision + facts.length
    this.#heads.set(stream, { revision, hash: chained.at(-1)?.metadata.hash ?? null })
    const position = await this.events.append(stream, head.revision < 0 ? 'no-stream' : head.revision, chained)
    return { type: facts.at(-1)?.type ?? '', stream, revision, position }
  }
}

const tally = z.object({ id: z.string(), written: z.int(), submitted: z.int() })
export type Tally = z.infer<typeof tally>
type Counted = Extract<PostEvent, { type: 'PostWritten' | 'PostSubmitted' }>

export interface TallyOptions {
  readonly version?: number
  readonly name?: string
  /** Called with each event before it is counted; may throw. */
  readonly before?: (event: Recorded) => void
  /** Absent: one document for all events. */
  readonly keys?: (event: Recorded) => readonly string[]
}

/** Counts posts: an event counted twice, or not at all, shows. */
export function tallyProjection({ version = 1, name = 'tally', before, keys }: TallyOptions = {}): Projection {
  const plus = (doc: Tally | null, event: Recorded, id: string, field: 'written' | 'submitted'): Tally => {
    before?.(event)
    const { written, submitted } = doc ?? { written: 0, submitted: 0 }
    const counts = { written, submitted }
    return { id, ...counts, [field]: counts[field] + version }
  }
  return projection<Counted>()<Tally>({
    name,
    version,
    view: tally,
    indexes: [['written']],
    predecessors: version > 1 ? [{ version: version - 1, convert: (document) => tally.parse(document) }] : [],
    keys: keys ?? (() => ['all']),
    on: {
      PostWritten: (doc, event, id) => plus(doc, event, id, 'written'),
      PostSubmitted: (doc, event, id) => plus(doc, event, id, 'submitted'),
    },
  })
}

/** Every document of a collection with its position, without tombstones: for a byte-exact comparison. */
export async function contents(store: ReadStore, collection: string): Promise<ReadonlyMap<string, Kept>> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await store.find(collection, cursor === undefined ? {} : { cursor })
    ids.push(...page.items.map(({ id }) => String(id)))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  const kept = await store.getMany(collection, ids)
  return new Map(
    ids.sort().flatMap((id) => {
      const found = kept.get(id)
      return found ? [[id, found] as const] : []
    }),
  )
}
