/** Which posts need a person: the conditions of each kind, that do not overlap. */
import { holdReasons } from '../../../domain/post/commands.ts'
import type { Where } from '../../../projections/read-store/port.ts'
import type { AttentionKind } from '../../contract/attention.ts'
import { later } from '../../core/clock.ts'

const soonMs = 2 * 24 * 3_600_000

export function whereOf(of: Where, kind: AttentionKind, now: string): Where {
  if (kind === 'pending') return { ...of, status: 'pending' }
  // A post under delivery has one of two statuses; the index that is sorted by time names both fields.
  if (kind !== 'draft') return { ...of, delivery: kind, status: { in: ['approved', 'scheduled'] } }
  return { ...of, status: 'draft', scheduledFor: { gte: now, lt: later(now, soonMs) } }
}

interface Shown {
  /** Those that were not removed. */
  readonly clients: readonly string[]
  /** Accounts that are not shown with the posts on hold for their connection. */
  readonly others: readonly string[]
}

/** Without the posts of removed clients, and without those on hold for a connection that is shown itself. */
export function shownWheres(where: Where, kind: AttentionKind, { clients, others }: Shown): readonly Where[] {
  const known = { ...where, clientId: { in: clients } }
  if (kind !== 'held') return [known]
  const reasons = [...holdReasons.filter((reason) => reason !== 'not-connected'), null]
  return [
    { ...known, heldBecause: { in: reasons } },
    { ...known, heldBecause: 'not-connected', socialAccountId: { in: others } },
  ]
}
