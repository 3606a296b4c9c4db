/** A link that lets an auditor read the history of an agency or one client: issued, used, revoked or expired. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { AuditorLinkCommand, Scope } from './commands.ts'
import type { AuditorLinkEvent } from './events.ts'

export interface AuditorLink {
  readonly issued: { readonly label: string; readonly scope: Scope; readonly expiresAt: Instant } | null
  readonly isRevoked: boolean
  readonly lastUsedAt: Instant | null
}

export interface AuditorLinkContext {
  readonly now: Instant
  /** Whether the agency has the link's client; true for a whole agency. */
  readonly scopeExists: boolean
}

export type AuditorLinkRefusal =
  | { readonly reason: 'link-unknown' }
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'expiry-out-of-bounds'; readonly maxDays: number }
  | { readonly reason: 'link-revoked' }
  | { readonly reason: 'link-expired'; readonly expiresAt: Instant }

export const longestLinkDays = 366
const day = 86_400_000
const usesApart = 3_600_000

type Decision = ReturnType<
  Decider<AuditorLink, AuditorLinkCommand, AuditorLinkEvent, AuditorLinkRefusal, AuditorLinkContext>['decide']
>

function decide(link: AuditorLink, command: AuditorLinkCommand, { now, scopeExists }: AuditorLinkContext): Decision {
  if (command.type === 'IssueAuditorLink') {
    const { label, scope, expiresAt } = command
    if (link.issued)
      return JSON.stringify(link.issued) === JSON.stringify({ label, scope, expiresAt })
        ? []
        : refuse({ reason: 'id-taken' })
    if (!scopeExists) return refuse({ reason: 'client-unknown' })
    const ahead = Date.parse(expiresAt) - Date.parse(now)
    if (ahead <= 0 || ahead > longestLinkDays * day)
      return refuse({ reason: 'expiry-out-of-bounds', maxDays: longestLinkDays })
    return [{ type: 'AuditorLinkIssued', data: { label, scope, expiresAt } }]
  }
  if (!link.issued) return refuse({ reason: 'link-unknown' })
  if (command.type === 'RevokeAuditorLink') return link.isRevoked ? [] : [{ type: 'AuditorLinkRevoked', data: {} }]
  const over = whyOver(link, now)
  if (over) return refuse(over)
  // Often enough to show when it was used; seldom enough that reading doesn't fill the log.
  const isRecent = link.lastUsedAt !== null && Date.parse(now) - Date.parse(link.lastUsedAt) < usesApart
  return isRecent ? [] : [{ type: 'AuditorLinkUsed', data: { usedAt: now } }]
}

/** Why the link grants no access any more; null while it does. */
export function whyOver(
  { issued, isRevoked }: AuditorLink,
  now: Instant,
): Extract<AuditorLinkRefusal, { reason: 'link-unknown' | 'link-revoked' | 'link-expired' }> | null {
  if (!issued) return { reason: 'link-unknown' }
  if (isRevoked) return { reason: 'link-revoked' }
  return issued.expiresAt <= now ? { reason: 'link-expired', expiresAt: issued.expiresAt } : null
}

function evolve(link: AuditorLink, event: AuditorLinkEvent): AuditorLink {
  switch (event.type) {
    case 'AuditorLinkIssued':
      return { ...link, issued: event.data }
    case 'AuditorLinkRevoked':
      return { ...link, isRevoked: true }
    case 'AuditorLinkUsed':
      return { ...link, lastUsedAt: event.data.usedAt }
  }
}

export const auditorLinkDecider: Decider<
  AuditorLink,
  AuditorLinkCommand,
  AuditorLinkEvent,
  AuditorLinkRefusal,
  AuditorLinkContext
> = {
  initial: { issued: null, isRevoked: false, lastUsedAt: null },
  decide,
  evolve,
}
