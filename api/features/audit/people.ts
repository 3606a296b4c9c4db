/** The people by whom the audit can be searched: members, and those who left. By today's names, which are records. */
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { MemberView } from '../../../projections/members/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { AuditPerson } from '../../contract/audit.ts'
import { nameOf } from '../auth/names.ts'
import type { Users } from '../auth/users.ts'

export interface AuditPeoplePorts {
  readonly views: Pick<Views, 'members'>
  readonly users: Pick<Users, 'get'>
}

/** Of those who left; members are fifty at most. */
const maxFormer = 200

/** Members first, each by name. Of a person who came back, the membership of today stands for all. */
export async function auditPeople({ views, users }: AuditPeoplePorts, agencyId: string): Promise<AuditPerson[]> {
  const found = await Promise.all([
    views.members.all({ where: { agencyId, isMember: true } }),
    views.members.find({ where: { agencyId, isMember: false }, limit: maxFormer }),
  ]).catch((error: unknown) => {
    if (error instanceof BeingBuilt) return []
    throw error
  })
  const people = new Map<string, MemberView>()
  for (const member of found.flat()) {
    const known = people.get(member.userId)
    if (!known || (!known.isMember && known.joinedAt < member.joinedAt)) people.set(member.userId, member)
  }
  const named = await Promise.all(
    [...people.values()].map(async ({ memberId: id, userId, isMember }): Promise<AuditPerson> => {
      const user = await users.get(userId)
      return { id, name: user && nameOf(user), isFormer: !isMember }
    }),
  )
  return named.toSorted(
    (a, b) =>
      Number(a.isFormer) - Number(b.isFormer) ||
      Number(a.name === null) - Number(b.name === null) ||
      (a.name ?? '').localeCompare(b.name ?? '', 'en'),
  )
}
