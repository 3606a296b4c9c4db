/** The acting person of a decision on posts, and the people who approve them, from the agency's people. */
import { approversIn } from '../../../domain/agency/approvers.ts'
import { includesClient, isAtLeast, isForAllClients, type MemberRole } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { Actor } from '../../../domain/core/event.ts'
import type { ApprovalPolicy } from '../../../domain/core/approval-policy.ts'
import type { Approvals } from '../../../domain/core/approval-round.ts'
import { everyRight, type Acting, type Rights } from '../../../domain/post/rights.ts'

const rightsOf = (role: MemberRole): Rights =>
  isAtLeast(role, 'manager') ? 'approve' : isAtLeast(role, 'writer') ? 'write' : 'read'

/** @param clientId of the post; null: whichever client, of a list that has those of the person alone */
export function actingIn({ team }: Pick<Agency, 'team'>, actor: Actor, clientId: string | null): Acting {
  if (actor.type === 'process') return everyRight
  const member = actor.type === 'user' ? memberOf(team, actor.id) : null
  const isTheirs = member !== null && (clientId === null || includesClient(member.clients, clientId))
  return {
    rights: isTheirs ? rightsOf(member.role) : 'read',
    userId: actor.type === 'user' ? actor.id : null,
    mayApproveOwn: team.ownApproval === 'allowed',
    ...(isTheirs && isForAllClients(member.role) && { maySkip: true }),
  }
}

export const approvalsIn = (
  agency: Pick<Agency, 'team'>,
  clientId: string | null,
  policy: ApprovalPolicy | null | undefined,
): Approvals => ({
  policy: policy ?? null,
  approvers: clientId === null ? [] : approversIn(agency, clientId),
})

/** Whether a member works for a client, so that its posts may be assigned to them. */
export function isAssignable({ team }: Pick<Agency, 'team'>, memberId: string | null, clientId: string): boolean {
  const member = memberId === null ? undefined : team.members[memberId]
  return member !== undefined && includesClient(member.clients, clientId)
}
