/** The state of a social account's connection, and the posts it endangers. */
import { plausibleEnd } from '../../../domain/core/waits.ts'
import type { SocialAccountView } from '../../../projections/social-accounts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { ClientsWhere } from '../../core/member-scope.ts'
import { later, type Clock } from '../../core/clock.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import type { AttentionConnection, DashboardFigures, SocialAccount } from '../../contract/index.ts'

/** A connection needs attention from this long before its end. */
const endingWithinMs = 14 * 24 * 3_600_000

/** The agency's connections that need attention, broken ones first. */
export function connectionWarnings(ports: Ports) {
  const healthOf = accountHealth(ports)
  return async (of: ClientsWhere, clients: Agency['clients']): Promise<DashboardFigures['connectionWarnings']> => {
    const accounts = await ports.views.socialAccounts.all({ where: { ...of } })
    const troubled = accounts.filter(
      ({ clientId, lostBecause, endsAt }) => clientId in clients && (lostBecause !== null || endsAt !== null),
    )
    const healths = await Promise.all(troubled.map(healthOf))
    return healths
      .flatMap(({ id: accountId, accountName, platform, clientId, state, endangeredPosts: posts }) => {
        const clientName = clients[clientId]?.name ?? ''
        return state === 'broken' || state === 'ending'
          ? [{ accountId, accountName, platform, clientId, clientName, state, posts }]
          : []
      })
      .toSorted(
        (a, b) =>
          Number(b.state === 'broken') - Number(a.state === 'broken') || a.accountName.localeCompare(b.accountName),
      )
  }
}

/** Accounts without a connection stand for the posts on hold for that reason, which are counted with them. */
export interface AttentionConnections {
  readonly connections: readonly AttentionConnection[]
  /** The other accounts: a post that is on hold for its connection is to be shown by itself. */
  readonly others: readonly string[]
}

/**
 * The same with accounts that are not connected while posts wait for them: no connection was lost, so the accounts
 * themselves say nothing.
 */
export function attentionConnections(ports: Ports) {
  const warningsOf = connectionWarnings(ports)
  const heldFor = (agencyId: string, accountId: string) =>
    ports.views.duePosts.count({ agencyId, heldBecause: 'not-connected', accountId })

  return async (of: ClientsWhere, clients: Agency['clients']): Promise<AttentionConnections> => {
    const { agencyId } = of
    const [warnings, accounts] = await Promise.all([
      warningsOf(of, clients),
      ports.views.socialAccounts.all({ where: { ...of } }),
    ])
    const lost = warnings.map(async (warning) =>
      warning.state === 'broken'
        ? { ...warning, posts: warning.posts + (await heldFor(agencyId, warning.accountId)) }
        : warning,
    )
    const apart = accounts
      .filter(({ clientId, isConnected, lostBecause }) => clientId in clients && !isConnected && lostBecause === null)
      .map(async ({ id: accountId, accountName, platform, clientId }) => {
        const [waiting, held] = await Promise.all([
          ports.views.duePosts.count({ accountId, waiting: true }),
          heldFor(agencyId, accountId),
        ])
        const clientName = clients[clientId]?.name ?? ''
        return { accountId, accountName, platform, clientId, clientName, state: 'none' as const, posts: waiting + held }
      })
    const listed = await Promise.all([...lost, ...apart])
    const connections = listed.filter(({ state, posts }) => state !== 'none' || posts > 0)
    // A connection that only ends soon works: a post on hold on it needs an act of its own.
    const standIns = new Set(connections.filter(({ state }) => state !== 'ending').map(({ accountId }) => accountId))
    return { connections, others: accounts.flatMap(({ id }) => (standIns.has(id) ? [] : [id])) }
  }
}

/**
 * Networks whose connections do not end while the token refresher renews them:
 * https://developers.facebook.com/docs/instagram-platform/reference/refresh_access_token
 */
const renewsItself: Readonly<Record<SocialAccountView['platform'], boolean>> = {
  facebook: false,
  instagram: true,
  twitter: false,
  linkedin: false,
}

interface Ports {
  readonly views: Pick<Views, 'duePosts' | 'socialAccounts'>
  readonly clock: Clock
}

export function accountHealth({ views, clock }: Ports) {
  /** Counts the waiting posts that are due from an instant on. */
  const waiting = (accountId: string, from: string | null) =>
    views.duePosts.count({ accountId, waiting: true, ...(from === null ? {} : { dueAt: { gte: from } }) })

  return async ({
    agencyId: _,
    pausedUntil: end,
    pausedBecause,
    ...account
  }: SocialAccountView): Promise<SocialAccount> => {
    const now = clock.now()
    const pausedUntil = plausibleEnd(end, now)
    const { id, isConnected, endsAt, lostBecause } = account
    const isEnding = isConnected && endsAt !== null && endsAt <= later(now, endingWithinMs)
    const state = lostBecause !== null ? 'broken' : isEnding ? 'ending' : isConnected ? 'connected' : 'none'
    const endangeredPosts = state === 'broken' ? await waiting(id, null) : isEnding ? await waiting(id, endsAt) : 0
    // An end that moves with each renewal is not shown until a renewal fails.
    const tells = !(renewsItself[account.platform] && state === 'connected')
    const isPaused = isConnected && pausedUntil !== null && pausedUntil > now
    return {
      ...account,
      endsAt: tells ? endsAt : null,
      state,
      endangeredPosts,
      pause: isPaused ? { until: pausedUntil, because: pausedBecause ?? '' } : null,
    }
  }
}
