/** Which role a person had in an agency at an instant, from the view of its people, former ones included. */
import type { MemberRole } from '../../../domain/agency/roles.ts'
import type { Instant } from '../../../domain/core/event.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { MemberView } from '../../../projections/members/view.ts'
import type { Views } from '../../../projections/registry.ts'

export type RoleAt = (userId: string, at: Instant) => Promise<MemberRole | null>

/** Of one request: reads the agency's people once. Null: not a member then, or the view is still being built. */
export function rolesAt(views: Pick<Views, 'members'>, agencyId: string): RoleAt {
  let people: Promise<readonly MemberView[]> | undefined
  return async (userId, at) => {
    people ??= views.members.all({ where: { agencyId } }).catch((error: unknown) => {
      if (error instanceof BeingBuilt) return []
      throw error
    })
    const then = (await people).filter(
      (member) =>
        member.userId === userId && member.joinedAt <= at && (member.endedAt === null || at <= member.endedAt),
    )
    return then.flatMap(({ roles }) => roles.findLast(({ from }) => from <= at) ?? []).at(-1)?.role ?? null
  }
}
