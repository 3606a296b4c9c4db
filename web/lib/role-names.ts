import type { MemberRole } from '../../api/contract/role-order.ts'

/** As people read them. */
export const roleNames: Readonly<Record<MemberRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  manager: 'Manager',
  writer: 'Writer',
  viewer: 'Viewer',
}
