/** Which due posts may be sent now. */
import type { DuePostView } from '../../../projections/due-posts/view.ts'

/** An account's posts sent in a row before its look-ups get a turn. */
export const postsInARow = 20

/** Enough posts for one poll: more than can be in flight over all accounts. */
const enough = 400
/** Rows that one poll reads at most. */
const deepest = 64_000

/**
 * The posts that may be sent now, by account. Posts of a paused or very busy account must not hide those of other
 * accounts, so the read limit grows until enough posts are found.
 */
export async function startable(
  read: (limit: number) => Promise<readonly DuePostView[]>,
  isFree: (due: DuePostView) => boolean,
  lookAhead: number,
): Promise<ReadonlyMap<string, readonly DuePostView[]>> {
  for (let limit = lookAhead; ; limit *= 4) {
    const due = await read(limit)
    const byAccount = new Map<string, DuePostView[]>()
    for (const post of due) {
      if (!isFree(post)) continue
      const waiting = byAccount.get(post.accountId)
      if (waiting) waiting.push(post)
      else byAccount.set(post.accountId, [post])
    }
    const found = [...byAccount.values()].reduce((sum, posts) => sum + Math.min(posts.length, postsInARow), 0)
    if (due.length < limit || found >= enough || limit >= deepest) return byAccount
  }
}

/** Compares instants or ids; null comes first. */
export const compareTimes = (a: string | null, b: string | null): number =>
  (a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0
