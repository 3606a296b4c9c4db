/** The acting person of a decision on posts, from the agency's people. */
import { includesClient, isAtLeast, type MemberRole } from '../../../domain/agency/roles.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { Actor } from '../../../domain/core/event.ts'
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
    userId: actor.id,
    mayApproveOwn: team.ownApproval === 'allowed',
  }
}

/** Whether a member works for a client, so that its posts may be assigned to them. */
export function isAssignable({ team }: Pick<Agency, 'team'>, memberId: string | null, clientId: string): boolean {
  const member = memberId === null ? undefined : team.members[memberId]
  return member !== undefined && includesClient(member.clients, clientId)
}
