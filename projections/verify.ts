/** Compares the live documents with the log, document by document. */
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

/** This version has no documents to compare yet. */
export class NothingToVerify extends Error {
  override readonly name = 'NothingToVerify'
}

/**
 * Folds the log afresh in a separate collection, up to the live documents' checkpoint, and returns every document that
 * differs (as canonical JSON, position included), by id. The live documents are only read, and may change meanwhile.
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
    throw new NothingToVerify(`${projection.name}, version ${projection.version}, has not been built yet`)
  }
  let differences: Difference[] = []
  const until = (await store.checkpoint(live)) ?? undefined
  // Without a checkpoint the collection is empty: fold nothing.
  const upTo = { ...passing, until: until ?? beforeEverything }
  await buildBeside(projection, { events, store }, upTo, async (fresh) => {
    differences = await compareAtRest(live, fresh, store, until ?? null)
  })
  return differences
}

const beforeEverything: Position = ''
const beyondEverything: Position = '\uffff'
/** Looks at documents that changed meanwhile. Those of a busy view may change before each of them. */
const maxRounds = 5

/** Documents that changed meanwhile are compared again, once the fresh ones have caught up with them. */
async function compareAtRest(live: string, fresh: Feed, store: ReadStore, at: Position | null): Promise<Difference[]> {
  const differences: Difference[] = []
  let { found, ahead } = await compare(live, fresh.collection, store, at, pagesOfIds)
  differences.push(...found)
  for (let position = at, round = 0; ahead.length > 0; round++) {
    if (round === maxRounds) {
      differences.push(...(await compareAsRead(live, fresh, store, ahead)))
      break
    }
    const now = await store.checkpoint(live)
    // If the view has not moved, a document ahead of it was never in the log.
    const upTo = now === position ? beyondEverything : now
    if (now !== null) await fresh.catchUp({ until: now })
    const ids = ahead
    const again = await compare(live, fresh.collection, store, upTo, () => pagesOf(ids))
    differences.push(...again.found)
    ahead = again.ahead
    position = now
  }
  return [...new Map(differences.map((difference) => [difference.id, difference])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

/** Compares each document as it is read once, with the log folded up to its own position. */
async function compareAsRead(
  live: string,
  fresh: Feed,
  store: ReadStore,
  ids: readonly string[],
): Promise<readonly Difference[]> {
  const differences: Difference[] = []
  const served = [...(await store.getMany(live, ids))].sort(([, a], [, b]) => (a.position < b.position ? -1 : 1))
  for (const [id, kept] of served) {
    await fresh.catchUp({ until: kept.position })
    const problem = problemOf(kept, (await store.getMany(fresh.collection, [id])).get(id))
    if (problem) differences.push({ id, problem })
  }
  return differences
}

interface Compared {
  readonly found: readonly Difference[]
  /** Changed after the position up to which the fresh documents were folded. */
  readonly ahead: readonly string[]
}

async function compare(
  live: string,
  fresh: string,
  store: ReadStore,
  upTo: Position | null,
  pages: (collection: string, store: ReadStore) => AsyncIterable<readonly string[]>,
): Promise<Compared> {
  const found = new Map<string, Difference>()
  const ahead = new Set<string>()
  for (const collection of [live, fresh]) {
    for await (const ids of pages(collection, store)) {
      const [served, folded] = await Promise.all([store.getMany(live, ids), store.getMany(fresh, ids)])
      for (const id of ids) {
        const position = served.get(id)?.position
        if (position !== undefined && (upTo === null || position > upTo)) ahead.add(id)
        else {
          const problem = problemOf(served.get(id), folded.get(id))
          if (problem) found.set(id, { id, problem })
        }
      }
    }
  }
  // Documents that changed while the pages were read are compared again later.
  return { found: [...found.values()].filter(({ id }) => !ahead.has(id)), ahead: [...ahead] }
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

const idsAPage = 500

async function* pagesOf(ids: readonly string[]): AsyncIterable<readonly string[]> {
  for (let start = 0; start < ids.length; start += idsAPage) yield ids.slice(start, start + idsAPage)
}
