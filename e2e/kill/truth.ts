/** The invariants of the log, the read models and the feed after any crash. Each problem is a sentence. */
import type { Post } from '../../api/contract/index.ts'
import type { StoredEvent } from '../../domain/core/event.ts'
import { flawIn } from '../../domain/event-store/chain.ts'
import type { EventStore } from '../../domain/event-store/port.ts'
import type { ReadStore } from '../../projections/read-store/port.ts'
import { projections } from '../../projections/registry.ts'
import { NothingToVerify, verifyProjection } from '../../projections/verify.ts'
import type { Remembered } from './people.ts'

/** Every hash chain holds, and each read model equals a fresh rebuild. */
export async function flaws(events: EventStore, store: ReadStore): Promise<string[]> {
  const problems: string[] = []
  const streams = new Map<string, StoredEvent[]>()
  for await (const batch of events.readAll(null)) {
    for (const event of batch) {
      const stream = streams.get(event.stream)
      if (stream) stream.push(event)
      else streams.set(event.stream, [event])
    }
  }
  for (const [stream, recorded] of streams) {
    const flaw = flawIn(stream, recorded)
    if (flaw) problems.push(`${stream} is ${flaw.problem} at revision ${flaw.revision}`)
  }
  for (const projection of projections) {
    for (const { id, problem } of await differencesOf(projection, events, store)) {
      problems.push(`${projection.name}: the document ${id} is ${problem}, compared with a rebuild`)
    }
  }
  return problems
}

/** A process that was killed in its first moments has no read models yet. */
const differencesOf: typeof verifyProjection = (projection, events, store) =>
  verifyProjection(projection, events, store).catch((error: unknown) => {
    if (error instanceof NothingToVerify) return []
    throw error
  })

export function twice(feed: readonly string[]): string[] {
  const seen = new Set<string>()
  return feed.flatMap((content) => {
    if (seen.has(content)) return [`${content} is on the feed twice`]
    seen.add(content)
    return []
  })
}

/** Each entry of the feed is a published, unknown or deleted post; each published post is on the feed. */
export function unaccounted(
  onFeed: readonly string[],
  posts: readonly Post[],
  remembered: ReadonlyMap<string, Remembered>,
): string[] {
  const feed = new Set(onFeed)
  const byContent = new Map(posts.map((post) => [post.content, post]))
  const deleted = new Set(
    [...remembered.values()].filter(({ events }) => events.has('PostDeleted')).map(({ content }) => content),
  )
  const problems: string[] = []
  for (const content of feed) {
    const post = byContent.get(content)
    const known = post?.status === 'published' || post?.delivery === 'unknown'
    if (!known && (post !== undefined || !deleted.has(content)))
      problems.push(`${content} is on the feed, but shown as ${post?.status ?? 'gone'}`)
  }
  for (const { content, status } of posts) {
    if (status === 'published' && !feed.has(content))
      problems.push(`${content} is shown as published, but is not on the feed`)
  }
  return problems
}
