/** An agency's people, folded from its stream. */
import type { Instant } from '../core/event.ts'
import type { FactOf } from '../core/history.ts'
import { UsedIds } from '../core/used-ids.ts'
import { maxInvitationsAnHour, type ClientScope, type GivenRole, type MemberRole, type OwnApproval } from './roles.ts'
import type { teamEvents } from './team-events.ts'

export type TeamEvent = FactOf<typeof teamEvents>

export interface Member {
  readonly id: string
  readonly userId: string
  readonly role: MemberRole
  readonly clients: ClientScope
  /** Null for the person who opened the agency. */
  readonly invitationId: string | null
  /** Null for those who were there before an agency could require a second factor. */
  readonly joinedAt: Instant | null
  /** The newest reset of the person's second factors; absent without one. */
  readonly resetId?: string
}

export interface Invitation {
  readonly role: GivenRole
  readonly clients: ClientScope
  readonly expiresAt: Instant
  /** The inviting member. */
  readonly invitedBy: string
}

export interface Team {
  readonly members: Readonly<Record<string, Member>>
  /** Neither accepted nor withdrawn; a few of them may be over. */
  readonly invitations: Readonly<Record<string, Invitation>>
  /** The ends of the newest invitations, of those that are over too: they tell when each was sent. */
  readonly lastInvited: readonly Instant[]
  /** Ids that are never used again. */
  readonly withdrawn: UsedIds
  readonly accepted: UsedIds
  readonly former: UsedIds
  /** The member to whom the owner offered the agency. */
  readonly offeredTo: string | null
  readonly ownApproval: OwnApproval
  /** Since when each member needs a second factor; null: none does. */
  readonly secondFactorSince: Instant | null
}

export const noTeam: Team = {
  members: {},
  invitations: {},
  lastInvited: [],
  withdrawn: UsedIds.none,
  accepted: UsedIds.none,
  former: UsedIds.none,
  offeredTo: null,
  ownApproval: 'allowed',
  secondFactorSince: null,
}

/** The person who opens an agency is its first member; the member's id is the user's. */
export const foundedBy = (team: Team, ownerId: string): Team => ({
  ...team,
  members: {
    ...team.members,
    [ownerId]: { id: ownerId, userId: ownerId, role: 'owner', clients: 'all', invitationId: null, joinedAt: null },
  },
})

export const memberOf = (team: Team, userId: string | null): Member | null =>
  Object.values(team.members).find((member) => member.userId === userId) ?? null

export function evolveTeam(team: Team, { type, data }: TeamEvent): Team {
  switch (type) {
    case 'MemberInvited': {
      const { invitationId, ...invitation } = data
      const lastInvited = [...team.lastInvited, invitation.expiresAt].slice(-maxInvitationsAnHour)
      return { ...team, invitations: { ...team.invitations, [invitationId]: invitation }, lastInvited }
    }
    case 'InvitationWithdrawn':
      return { ...withoutInvitation(team, data.invitationId), withdrawn: team.withdrawn.with(data.invitationId) }
    case 'MemberJoined': {
      const { memberId: id, invitationId, joinedAt = null, ...given } = data
      const joined = withMember(withoutInvitation(team, invitationId), { id, invitationId, joinedAt, ...given })
      return { ...joined, accepted: team.accepted.with(invitationId) }
    }
    case 'MemberRoleChanged': {
      const member = team.members[data.memberId]
      return member ? withMember(team, { ...member, role: data.role, clients: data.clients }) : team
    }
    case 'MemberRemoved':
    case 'MemberLeft':
      return withoutMember(team, data.memberId)
    case 'MemberFactorsReset': {
      const member = team.members[data.memberId]
      return member ? withMember(team, { ...member, resetId: data.resetId }) : team
    }
    case 'OwnershipOffered':
      return { ...team, offeredTo: data.memberId }
    case 'OwnershipTransferred': {
      const [from, to] = [team.members[data.fromMemberId], team.members[data.memberId]]
      const lowered = from ? withMember(team, { ...from, role: 'admin', clients: 'all' }) : team
      const moved = to ? withMember(lowered, { ...to, role: 'owner', clients: 'all' }) : lowered
      return { ...moved, offeredTo: null }
    }
    case 'SecondFactorRequired':
      return { ...team, secondFactorSince: data.since }
    case 'SecondFactorRequirementLifted':
      return { ...team, secondFactorSince: null }
    case 'OwnApprovalSet':
      return { ...team, ownApproval: data.ownApproval }
  }
}

/** A removed client leaves every scope; a scope that becomes empty stays empty. */
export function withoutClient(team: Team, clientId: string): Team {
  const narrowed = <T extends { readonly clients: ClientScope }>(each: T): T =>
    each.clients === 'all' || !each.clients.includes(clientId)
      ? each
      : { ...each, clients: each.clients.filter((id) => id !== clientId) }
  return { ...team, members: mapped(team.members, narrowed), invitations: mapped(team.invitations, narrowed) }
}

const mapped = <T>(table: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(table).map(([id, value]) => [id, change(value)]))

const withMember = (team: Team, member: Member): Team => ({
  ...team,
  members: { ...team.members, [member.id]: member },
})

function withoutMember(team: Team, memberId: string): Team {
  const { [memberId]: _gone, ...members } = team.members
  const offeredTo = team.offeredTo === memberId ? null : team.offeredTo
  return { ...team, members, offeredTo, former: team.former.with(memberId) }
}

function withoutInvitation(team: Team, invitationId: string): Team {
  const { [invitationId]: _gone, ...invitations } = team.invitations
  return { ...team, invitations }
}
