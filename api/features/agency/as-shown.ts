/**
 * An agency's roster, people and standing from its views: for display while the event store is down. No command is
 * decided on it.
 */
import type { Agency } from '../../../domain/agency/state.ts'
import { foundedBy, noTeam, type Member, type Team } from '../../../domain/agency/team-state.ts'
import { UsedIds } from '../../../domain/core/used-ids.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { MemberView } from '../../../projections/members/view.ts'
import type { Views } from '../../../projections/registry.ts'

export const agencyAsShown =
  (views: () => Pick<Views, 'agency' | 'clients' | 'members'>) =>
  async (agencyId: string): Promise<Agency | null> => {
    const { agency, clients, members } = views()
    const [found, roster, people] = await Promise.all([
      agency.get(agencyId),
      clients.all({ where: { agencyId } }),
      members.all({ where: { agencyId, isMember: true } }).catch((error: unknown) => {
        if (error instanceof BeingBuilt) return []
        throw error
      }),
    ])
    if (!found) return null
    const {
      ownerId,
      name,
      timeZone,
      subscriptionStatus: status,
      trialEndsAt,
      subscriptions,
      ownApproval,
      secondFactorSince,
    } = found
    const profiles = roster.map(({ id, agencyId: _, createdAt: __, ...profile }) => [id, profile] as const)
    return {
      ownerId,
      name,
      timeZone,
      status,
      trialEndsAt,
      subscriptions,
      clients: Object.fromEntries(profiles),
      removed: UsedIds.none,
      team: { ...teamOf(ownerId, people, new Set(roster.map(({ id }) => id))), ownApproval, secondFactorSince },
    }
  }

/** A view that is still being built shows the owner alone. */
function teamOf(ownerId: string, people: readonly MemberView[], roster: ReadonlySet<string>): Team {
  if (people.length === 0) return foundedBy(noTeam, ownerId)
  const members = people.map(({ memberId: id, userId, role, clients: scope, invitationId, joinedAt }): Member => {
    const clients = scope === 'all' ? scope : scope.filter((clientId) => roster.has(clientId))
    return { id, userId, role, clients, invitationId, joinedAt }
  })
  return { ...noTeam, members: Object.fromEntries(members.map((member) => [member.id, member])) }
}
