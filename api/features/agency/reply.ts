/** The agency in API answers: its view, completed with data that only this server has. */
import { secondFactorDueAt } from '../../../domain/agency/second-factor.ts'
import type { Member } from '../../../domain/agency/team-state.ts'
import { noBrand, standingOf } from '../../../domain/agency/state.ts'
import { agencyProjection } from '../../../projections/agency/projection.ts'
import type { AgencyView } from '../../../projections/agency/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Users } from '../auth/users.ts'
import type { Clock } from '../../core/clock.ts'
import type { Agency } from '../../contract/index.ts'
import { whereFor } from '../../core/member-scope.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { Commands } from '../../core/commands.ts'
import { notFound } from '../../http/problem.ts'
import type { Images } from '../media/images.ts'
import type { Contacts } from './contacts.ts'

interface Ports {
  readonly commands: Commands
  readonly views: Views
  readonly users: Users
  readonly contacts: Contacts
  readonly newest: Newest
  readonly images: Pick<Images, 'publicUrlOf'>
  readonly clock: Clock
  /** Whether card payments are set up. */
  readonly hasPayments: boolean
  /** Whether a user has a second factor. */
  readonly hasFactor: (userId: string) => Promise<boolean>
}

export type AgencyReplies = (agencyId: string, me: Member, visible: boolean) => Promise<Agency>

/** @param visible whether the view has the newest event; otherwise the log is read @throws Problem 404 */
export const agencyReplies =
  ({ commands, views, users, contacts, newest, images, clock, hasPayments, hasFactor }: Ports): AgencyReplies =>
  async (agencyId, me, visible) => {
    const { id: memberId, userId, role, clients } = me
    const stream = `agency-${agencyId}`
    const agency = await newest({ id: agencyId, view: views.agency, projection: agencyProjection, stream }, visible)
    if (!agency) throw notFound('An agency')
    const { subscriptions, ...shown } = agency
    const state = await commands.recallAgency(agencyId)
    const { logoHash, color } = state.brand ?? noBrand
    const requiredAt = secondFactorDueAt(state.team, me)
    const dueAt = requiredAt !== null && (await hasFactor(userId)) ? null : requiredAt
    return {
      ...shown,
      ...(role !== 'owner' && notForMembers),
      secondFactorDueAt: dueAt,
      isSecondFactorOverdue: dueAt !== null && dueAt <= clock.now(),
      me: {
        memberId,
        role,
        clients: clients === 'all' ? clients : [...clients],
      },
      email: (await contacts.get(agencyId)) ?? (await users.get(shown.ownerId))?.email ?? '',
      brand: { logoUrl: logoHash === null ? null : images.publicUrlOf(logoHash), color },
      standing: standingOf(state, clock.now()),
      payments: hasPayments,
      doublePaid: subscriptions.filter(goesOn).length > 1,
      heldPosts: await views.duePosts.count({ ...whereFor(agencyId, clients), heldBecause: 'subscription-needed' }),
    }
  }

/** Billing is the owner's. */
const notForMembers = { stripeCustomerId: null, stripeSubscriptionId: null } as const

/** A duplicate subscription that is already canceled for the end of its period needs no warning. */
const goesOn = ({ status, endsWithPeriod }: AgencyView['subscriptions'][number]) =>
  (status === 'active' || status === 'past_due') && !endsWithPeriod
