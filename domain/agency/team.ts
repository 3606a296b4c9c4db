/**
 * The rules on an agency's people. A command whose effect already holds appends nothing, for every actor that repeats
 * it; the rights are judged after that.
 */
import { refuse } from '../core/decider.ts'
import { isForAllClients, mayManage, mayResetFactors } from './roles.ts'
import type { TeamCommand } from './team-commands.ts'
import { inviteMember, joinTeam, withdrawInvitation, withdrawnOf, withdrawnWith } from './team-invitations.ts'
import {
  canonical,
  isSameScope,
  refusedScope,
  tooLow,
  type Agency,
  type Command,
  type Decision,
  type TeamContext,
} from './team-rules.ts'
import { memberOf, type Member, type Team } from './team-state.ts'

export function decideTeam({ team, clients }: Agency, command: TeamCommand, context: TeamContext): Decision {
  const acting = memberOf(team, context.userId ?? null)
  switch (command.type) {
    case 'InviteMember':
      return inviteMember(team, clients, command, acting, context)
    case 'WithdrawInvitation':
      return withdrawInvitation(team, command.invitationId, acting)
    case 'JoinTeam':
      return joinTeam(team, command, context)
    case 'ChangeMemberRole':
      return changeRole(team, clients, command, acting)
    case 'RemoveMember':
      return removeMember(team, command, acting, context)
    case 'ResetMemberFactors':
      return resetFactors(team, command, acting, context)
    case 'LeaveTeam':
      return leaveTeam(team, command.memberId, acting, context)
    case 'OfferOwnership':
      return offerOwnership(team, command.memberId, acting)
    case 'AcceptOwnership':
      return acceptOwnership(team, command.memberId, acting, context.ownsAnother ?? false)
    case 'SetSecondFactorPolicy':
      if (command.isRequired === (team.secondFactorSince !== null)) return []
      if (acting?.role !== 'owner') return tooLow(acting)
      return command.isRequired
        ? [{ type: 'SecondFactorRequired', data: { since: context.now } }]
        : [{ type: 'SecondFactorRequirementLifted', data: {} }]
    case 'SetOwnApproval':
      if (command.ownApproval === team.ownApproval) return []
      if (!acting || !isForAllClients(acting.role)) return tooLow(acting)
      return [{ type: 'OwnApprovalSet', data: { ownApproval: command.ownApproval } }]
  }
}

function changeRole(
  team: Team,
  known: Agency['clients'],
  { memberId, role, clients }: Command<'ChangeMemberRole'>,
  acting: Member | null,
): Decision {
  const member = team.members[memberId]
  if (!member) return refuse({ reason: 'member-unknown' })
  const scope = canonical(clients)
  if (member.role === role && isSameScope(member.clients, scope)) return []
  if (member.role === 'owner') return refuse({ reason: 'owner-stays' })
  if (!acting || !mayManage(acting.role, member.role) || !mayManage(acting.role, role)) return tooLow(acting)
  const refused = refusedScope(known, role, scope)
  if (refused) return refused
  return [
    {
      type: 'MemberRoleChanged',
      data: { memberId, userId: member.userId, role, clients: scope === 'all' ? scope : [...scope] },
    },
    ...withdrawnOf(team, memberId, 'inviter-lowered', (invitation) => !mayManage(role, invitation.role)),
  ]
}

function removeMember(
  team: Team,
  { memberId, links }: Command<'RemoveMember'>,
  acting: Member | null,
  { openOfAddress }: TeamContext,
): Decision {
  if (team.former.has(memberId)) return []
  const member = team.members[memberId]
  if (!member) return refuse({ reason: 'member-unknown' })
  if (member.role === 'owner') return refuse({ reason: 'owner-stays' })
  if (!acting || !mayManage(acting.role, member.role)) return tooLow(acting)
  if (acting.id === memberId) return refuse({ reason: 'leave-instead' })
  return [
    { type: 'MemberRemoved', data: { memberId, userId: member.userId, links } },
    ...withdrawnWith(team, memberId, openOfAddress),
  ]
}

/** Of a person of two agencies, no admin of one may weaken what protects the other. */
function resetFactors(
  team: Team,
  { memberId, resetId }: Command<'ResetMemberFactors'>,
  acting: Member | null,
  { worksElsewhere = false, hasFactors = false }: TeamContext,
): Decision {
  const member = team.members[memberId]
  if (!member) return refuse({ reason: 'member-unknown' })
  if (member.resetId === resetId) return []
  if (!acting) return tooLow(acting)
  if (acting.id === memberId) return refuse({ reason: 'own-factors' })
  if (!mayResetFactors(acting.role, member.role)) return refuse({ reason: 'not-below' })
  if (worksElsewhere) return refuse({ reason: 'works-elsewhere' })
  if (!hasFactors) return refuse({ reason: 'no-factors' })
  return [{ type: 'MemberFactorsReset', data: { memberId, userId: member.userId, resetId } }]
}

function leaveTeam(team: Team, memberId: string, acting: Member | null, { openOfAddress }: TeamContext): Decision {
  if (team.former.has(memberId)) return []
  if (!acting || acting.id !== memberId) return refuse({ reason: 'member-unknown' })
  if (acting.role === 'owner') return refuse({ reason: 'owner-stays' })
  return [
    { type: 'MemberLeft', data: { memberId, userId: acting.userId } },
    ...withdrawnWith(team, memberId, openOfAddress),
  ]
}

function offerOwnership(team: Team, memberId: string | null, acting: Member | null): Decision {
  if (team.offeredTo === memberId) return []
  if (memberId !== null && !team.members[memberId]) return refuse({ reason: 'member-unknown' })
  // The member to whom it was offered may decline.
  const mayDecline = memberId === null && acting !== null && acting.id === team.offeredTo
  if (!mayDecline && acting?.role !== 'owner') return tooLow(acting)
  if (memberId !== null && memberId === acting?.id) return refuse({ reason: 'owner-stays' })
  return [{ type: 'OwnershipOffered', data: { memberId } }]
}

function acceptOwnership(team: Team, memberId: string, acting: Member | null, ownsAnother: boolean): Decision {
  if (!acting || acting.id !== memberId) return refuse({ reason: 'member-unknown' })
  if (acting.role === 'owner') return []
  const owner = Object.values(team.members).find(({ role }) => role === 'owner')
  if (team.offeredTo !== memberId || !owner) return refuse({ reason: 'ownership-not-offered' })
  if (ownsAnother) return refuse({ reason: 'owns-another-agency' })
  return [
    {
      type: 'OwnershipTransferred',
      data: { memberId, userId: acting.userId, fromMemberId: owner.id, fromUserId: owner.userId },
    },
  ]
}
