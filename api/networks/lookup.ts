/** Finds the post of an unknown outcome in its network's feed: same text, not older than the attempt. */
import type { Instant } from '../../domain/core/event.ts'
import { normalForm } from '../../domain/core/normal-form.ts'
import { behindMs } from './http.ts'
import { NetworkError, type Candidate, type LookUp } from './port.ts'

export interface Seen extends Candidate {
  readonly text: string
  /** Unix milliseconds. */
  readonly at: number
  /** For a feed ordered by time of change. Unix milliseconds. */
  readonly changedAt?: number
}

export interface FeedPage {
  readonly posts: readonly Seen[]
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null
  readonly headers: Headers
}

/** Pages read before the answer is undecided. */
const maxPages = 50
/** The network's clock may be behind: the search starts this much earlier, and uses the network's own `Date`. */
const marginMs = 10 * 60_000

/**
 * Reads a feed back to the attempt.
 * @param page reads one page; `from` is a little before the attempt
 */
export async function searchFeed(
  name: string,
  wanted: { readonly content: string; readonly since: Instant },
  page: (cursor: string | null, from: Date) => Promise<FeedPage>,
): Promise<LookUp> {
  const since = Date.parse(wanted.since)
  const from = new Date(since - marginMs)
  const seen: Seen[] = []
  let behind = 0
  return undecidedOnError(async () => {
    let cursor: string | null = null
    for (let pages = 0; ; pages++) {
      if (pages >= maxPages) return { kind: 'undecided', cause: `${name} has too many posts to look through.` }
      const { posts, next, headers } = await page(cursor, from)
      seen.push(...posts)
      behind = Math.max(behind, behindMs(headers))
      const isPast = posts.length > 0 && posts.every(({ at, changedAt }) => (changedAt ?? at) < from.getTime())
      if (next === null || isPast) break
      cursor = next
    }
    // Networks truncate times to whole seconds.
    const earliest = Math.floor((since - Math.min(behind, marginMs)) / 1000)
    const candidates = seen.filter(
      ({ at, text }) => Math.floor(at / 1000) >= earliest && sameText(text, wanted.content),
    )
    return { kind: 'found', candidates: candidates.map(({ remoteId, url }) => ({ remoteId, url })) }
  })
}

export async function undecidedOnError(find: () => Promise<LookUp>): Promise<LookUp> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof NetworkError) return { kind: 'undecided', cause: error.message }
    throw error
  }
}

/** Networks trim and collapse spaces and complete links; a live post must not be overlooked because of that. */
export const sameText = (one: string, other: string): boolean => essence(one) === essence(other)

const essence = (text: string): string =>
  normalForm('NFC', text)
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/https?:\/\//g, '')
    .replace(/\/(?= |$)/g, '')
