/** How a social account's connection stands, and which posts that endangers. */
import type { SocialAccountView } from '../../projections/social-accounts/view.ts'
import type { Views } from '../../projections/registry.ts'
import { later, type Clock } from '../clock.ts'
import type { SocialAccount } from '../contract/index.ts'

/** So long before its end a connection asks for a person. */
const endingWithinMs = 14 * 24 * 3_600_000

export function accountHealth({ views, clock }: { readonly views: Views; readonly clock: Clock }) {
  /** Posts on their way that are due from an instant on. */
  const waiting = (accountId: string, from: string | null) =>
    views.duePosts.count({ accountId, waiting: true, ...(from === null ? {} : { dueAt: { gte: from } }) })

  return async ({ agencyId: _, pausedUntil, pausedBecause, ...account }: SocialAccountView): Promise<SocialAccount> => {
    const now = clock.now()
    const { id, isConnected, endsAt, lostBecause } = account
    const isEnding = isConnected && endsAt !== null && endsAt <= later(now, endingWithinMs)
    const state = lostBecause !== null ? 'broken' : isEnding ? 'ending' : isConnected ? 'connected' : 'none'
    const endangeredPosts = state === 'broken' ? await waiting(id, null) : isEnding ? await waiting(id, endsAt) : 0
    const isPaused = isConnected && pausedUntil !== null && pausedUntil > now
    return { ...account, state, endangeredPosts, pause: isPaused ? { until: pausedUntil, because: pausedBecause ?? '' } : null }
  }
}
