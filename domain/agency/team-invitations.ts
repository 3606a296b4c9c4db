/** The rules on invitations: one open for each address, which ends with the person or the inviter. */
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import { invitationDays, maxInvitationsAnHour, maxMembers, maxOpenInvitations, mayManage } from './roles.ts'
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
import { memberOf, type Invitation, type Member, type Team, type TeamEvent } from './team-state.ts'

export function inviteMember(
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
  const waitMs = waitToInvite(team, now)
  if (waitMs > 0) return refuse({ reason: 'invited-often', limit: maxInvitationsAnHour, waitMs })
  const data = { invitationId, role, clients: scope === 'all' ? scope : [...scope], expiresAt, invitedBy: acting.id }
  return [...ended, { type: 'MemberInvited', data }]
}

const hourMs = 3_600_000
/** What another process's clock may be ahead. A time further ahead was noted by a wrong clock, and counts as past. */
const aheadMs = 5 * 60_000

function waitToInvite({ lastInvited }: Team, now: Instant): number {
  const ages = lastInvited.map((end) => Date.parse(now) - (Date.parse(end) - invitationDays * 24 * hourMs))
  const recent = ages.filter((age) => age < hourMs && age > -aheadMs)
  return recent.length < maxInvitationsAnHour ? 0 : hourMs - Math.max(...recent)
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
export const withdrawnOf = (
  team: Team,
  memberId: string,
  because: Because,
  fits: (invitation: Invitation) => boolean,
) =>
  Object.entries(team.invitations)
    .filter(([, invitation]) => invitation.invitedBy === memberId && fits(invitation))
    .map(([id]) => withdrawn(id, because))

export function withdrawInvitation(team: Team, invitationId: string, acting: Member | null): Decision {
  if (team.withdrawn.has(invitationId)) return []
  if (team.accepted.has(invitationId)) return refuse({ reason: 'invitation-accepted' })
  const invitation = team.invitations[invitationId]
  if (!invitation) return refuse({ reason: 'invitation-unknown' })
  if (!acting || !mayManage(acting.role, invitation.role)) return tooLow(acting)
  return [withdrawn(invitationId, 'asked')]
}

/** What is open of a person who left or was removed: their own invitations, and the ways back in. */
export const withdrawnWith = (team: Team, memberId: string, openOfAddress: readonly string[] = []) => {
  const sent = withdrawnOf(team, memberId, 'inviter-left', () => true)
  const rest = openOfAddress.filter((id) => team.invitations[id] && team.invitations[id].invitedBy !== memberId)
  return [...sent, ...rest.map((id) => withdrawn(id, 'person-left'))]
}

export function joinTeam(
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
