/**
 * The rules on an agency's people. A command whose effect already holds appends nothing, for every actor that repeats
 * it; the rights are judged after that.
 */
import { refuse, type Refused } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { ClientProfile } from './commands.ts'
import {
  isForAllClients,
  maxMembers,
  maxOpenInvitations,
  mayManage,
  mayResetFactors,
  type ClientScope,
  type MemberRole,
} from './roles.ts'
import type { TeamCommand } from './team-commands.ts'
import type { TeamRefusal } from './team-refusals.ts'
import { memberOf, type Invitation, type Member, type Team, type TeamEvent } from './team-state.ts'

/** What a decision knows from outside of the agency's stream; what is absent is false. */
export interface PeopleFacts {
  /** Whether the acting person owns another agency. */
  readonly ownsAnother?: boolean
  /** Whether the person concerned is a member of another agency, too. */
  readonly worksElsewhere?: boolean
  /** Whether the person concerned has a second factor. */
  readonly hasFactors?: boolean
  /** The account of the invited address. */
  readonly invitedUserId?: string | null
  /** The open invitations to the address of the invited, joining or leaving person: addresses are records. */
  readonly openOfAddress?: readonly string[]
}

export interface TeamContext extends PeopleFacts {
  readonly now: Instant
  /** The acting person; absent for a process. */
  readonly userId?: string | null
}

type Decision = readonly TeamEvent[] | Refused<TeamRefusal>
type Command<Type extends TeamCommand['type']> = Extract<TeamCommand, { type: Type }>

interface Agency {
  readonly team: Team
  readonly clients: Readonly<Record<string, ClientProfile>>
}

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

const tooLow = (acting: Member | null) => refuse({ reason: acting ? 'role-too-low' : 'not-a-member' } as const)

/** Each client once, in one order: the same scope is always the same list. */
const canonical = (scope: ClientScope) => (scope === 'all' ? scope : [...new Set(scope)].toSorted())
const isSameScope = (a: ClientScope, b: ClientScope) => (a === 'all' || b === 'all' ? a === b : a.join() === b.join())

function refusedScope(clients: Agency['clients'], role: MemberRole, scope: ClientScope): Refused<TeamRefusal> | null {
  if (scope === 'all') return null
  if (isForAllClients(role)) return refuse({ reason: 'clients-for-role' })
  return scope.every((id) => Object.hasOwn(clients, id)) ? null : refuse({ reason: 'client-unknown' })
}

function inviteMember(
  team: Team,
  known: Agency['clients'],
  { invitationId, role, clients, expiresAt, replaces }: Command<'InviteMember'>,
  acting: Member | null,
  { now, invitedUserId = null, openOfAddress = [] }: TeamContext,
): Decision {
  const before = team.invitations[invitationId]
  const scope = canonical(clients)
  if (before) return before.role === role && isSameScope(before.clients, scope) ? [] : refuse({ reason: 'id-taken' })
  if (team.accepted.has(invitationId)) return refuse({ reason: 'invitation-accepted' })
  if (team.withdrawn.has(invitationId)) return refuse({ reason: 'invitation-over' })
  if (!acting || !mayManage(acting.role, role)) return tooLow(acting)
  if (replaces !== null && !team.invitations[replaces]) return refuse({ reason: whyNotOpen(team, replaces) })
  const replaced = new Set([...(replaces === null ? [] : [replaces]), ...openOfAddress])
  const isReplaced = ([id]: readonly [string, Invitation]) => replaced.has(id)
  const open = Object.entries(team.invitations)
  if (open.some((each) => isReplaced(each) && !mayManage(acting.role, each[1].role))) return tooLow(acting)
  if (memberOf(team, invitedUserId)) return refuse({ reason: 'member-already' })
  const refused = refusedScope(known, role, scope)
  if (refused) return refused
  if (Object.keys(team.members).length >= maxMembers)
    return refuse({ reason: 'member-limit-reached', limit: maxMembers })
  const over = open.filter((each) => !isReplaced(each) && each[1].expiresAt <= now)
  const ended = [
    ...open.filter(isReplaced).map(([id]) => withdrawn(id, 'replaced')),
    ...over.map(([id]) => withdrawn(id, 'expired')),
  ]
  if (open.length - ended.length >= maxOpenInvitations)
    return refuse({ reason: 'invitation-limit-reached', limit: maxOpenInvitations })
  const data = { invitationId, role, clients: scope === 'all' ? scope : [...scope], expiresAt, invitedBy: acting.id }
  return [...ended, { type: 'MemberInvited', data }]
}

type Because = Extract<TeamEvent, { type: 'InvitationWithdrawn' }>['data']['because']
const withdrawn = (invitationId: string, because: Because): TeamEvent => ({
  type: 'InvitationWithdrawn',
  data: { invitationId, because },
})

function whyNotOpen(team: Team, invitationId: string) {
  if (team.accepted.has(invitationId)) return 'invitation-accepted'
  return team.withdrawn.has(invitationId) ? 'invitation-over' : 'invitation-unknown'
}

/** The open invitations of a member, those that fit, end with an event each. */
const withdrawnOf = (team: Team, memberId: string, because: Because, fits: (invitation: Invitation) => boolean) =>
  Object.entries(team.invitations)
    .filter(([, invitation]) => invitation.invitedBy === memberId && fits(invitation))
    .map(([id]) => withdrawn(id, because))

function withdrawInvitation(team: Team, invitationId: string, acting: Member | null): Decision {
  if (team.withdrawn.has(invitationId)) return []
  if (team.accepted.has(invitationId)) return refuse({ reason: 'invitation-accepted' })
  const invitation = team.invitations[invitationId]
  if (!invitation) return refuse({ reason: 'invitation-unknown' })
  if (!acting || !mayManage(acting.role, invitation.role)) return tooLow(acting)
  return [withdrawn(invitationId, 'asked')]
}

/** What is open of a person who left or was removed: their own invitations, and the ways back in. */
const withdrawnWith = (team: Team, memberId: string, openOfAddress: readonly string[] = []) => {
  const sent = withdrawnOf(team, memberId, 'inviter-left', () => true)
  const rest = openOfAddress.filter((id) => team.invitations[id] && team.invitations[id].invitedBy !== memberId)
  return [...sent, ...rest.map((id) => withdrawn(id, 'person-left'))]
}

function joinTeam(
  team: Team,
  { invitationId, memberId }: Command<'JoinTeam'>,
  { now, userId, openOfAddress = [] }: TeamContext,
): Decision {
  if (userId === undefined || userId === null) return refuse({ reason: 'not-a-member' })
  const before = memberOf(team, userId)
  if (before) return before.invitationId === invitationId ? [] : refuse({ reason: 'member-already' })
  const invitation = team.invitations[invitationId]
  if (!invitation)
    return refuse({
      reason:
        team.withdrawn.has(invitationId) || team.accepted.has(invitationId) ? 'invitation-over' : 'invitation-unknown',
    })
  if (invitation.expiresAt <= now) return refuse({ reason: 'invitation-over' })
  if (team.members[memberId] || team.former.has(memberId)) return refuse({ reason: 'id-taken' })
  if (Object.keys(team.members).length >= maxMembers)
    return refuse({ reason: 'member-limit-reached', limit: maxMembers })
  const { role, clients } = invitation
  return [
    {
      type: 'MemberJoined',
      data: {
        memberId,
        userId,
        role,
        clients: clients === 'all' ? clients : [...clients],
        invitationId,
        joinedAt: now,
      },
    },
    // One of them would let the person back in after a removal.
    ...openOfAddress
      .filter((id) => id !== invitationId && team.invitations[id])
      .map((id) => withdrawn(id, 'person-joined')),
  ]
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
