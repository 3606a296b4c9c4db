/** Compares what is served with what the log says, document by document. */
import canonicalize from 'canonicalize'
import type { Position } from '../domain/core/event.ts'
import type { EventStore } from '../domain/event-store/port.ts'
import { buildBeside } from './core/beside.ts'
import type { Feed, Passing } from './core/feed.ts'
import { isOfVersion, type Projection } from './core/projection.ts'
import type { Kept, ReadStore } from './read-store/port.ts'

export interface Difference {
  readonly id: string
  readonly problem: 'changed' | 'missing' | 'not-in-the-log'
}

/** There are no documents of this version to compare with. */
export class NothingToVerify extends Error {
  override readonly name = 'NothingToVerify'
}

/**
 * Folds the log afresh in the side, up to where the live documents are, and answers every document that differs
 * (as canonical JSON, its position included), by id. The live documents are only read, and may go on changing.
 * @throws NothingToVerify, RebuildUnderWay, FailedEvent
 */
export async function verifyProjection(
  projection: Projection,
  events: EventStore,
  store: ReadStore,
  passing: Omit<Passing, 'until'> = {},
): Promise<Difference[]> {
  const live = await store.live(projection.name)
  if (live === null || !isOfVersion(projection, live)) {
    throw new NothingToVerify(`There are no documents of ${projection.name}, version ${projection.version}, yet`)
  }
  let differences: Difference[] = []
  const until = (await store.checkpoint(live)) ?? undefined
  // Without a checkpoint there is nothing in the collection, and nothing to fold.
  const upTo = { ...passing, until: until ?? beforeEverything }
  await buildBeside(projection, { events, store }, upTo, async (fresh) => {
    differences = await compareAtRest(live, fresh, store, until ?? null)
  })
  return differences
}

const beforeEverything: Position = ''

/** What was found is looked at again as long as the live documents moved on meanwhile. */
async function compareAtRest(live: string, fresh: Feed, store: ReadStore, at: Position | null): Promise<Difference[]> {
  let position = at
  for (;;) {
    const differences = await compare(live, fresh.collection, store)
    const now = await store.checkpoint(live)
    if (differences.length === 0 || now === position) return differences
    if (now !== null) await fresh.catchUp({ until: now })
    position = now
  }
}

async function compare(live: string, fresh: string, store: ReadStore): Promise<Difference[]> {
  const found = new Map<string, Difference>()
  for (const collection of [live, fresh]) {
    for await (const ids of pagesOfIds(collection, store)) {
      const [served, folded] = await Promise.all([store.getMany(live, ids), store.getMany(fresh, ids)])
      for (const id of ids) {
        const problem = problemOf(served.get(id), folded.get(id))
        if (problem) found.set(id, { id, problem })
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

function problemOf(served: Kept | undefined, folded: Kept | undefined): Difference['problem'] | null {
  if (canonicalize(served?.doc ? served : null) === canonicalize(folded?.doc ? folded : null)) return null
  if (!served?.doc) return 'missing'
  return folded?.doc ? 'changed' : 'not-in-the-log'
}

async function* pagesOfIds(collection: string, store: ReadStore): AsyncIterable<string[]> {
  let cursor: string | undefined
  do {
    const page = await store.find(collection, cursor === undefined ? {} : { cursor })
    yield page.items.map(({ id }) => String(id))
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
}
