/** The order of the roles of an agency's people. Without schemas, because every screen loads it. */

/** From the most rights to the fewest. */
export const memberRoles = ['owner', 'admin', 'manager', 'writer', 'viewer'] as const
export type MemberRole = (typeof memberRoles)[number]

/** Whether a role has the rights of another one, or more. */
export const isAtLeast = (role: MemberRole, least: MemberRole): boolean =>
  memberRoles.indexOf(role) <= memberRoles.indexOf(least)

/** The roles that only work for all clients. */
export const isForAllClients = (role: MemberRole): boolean => isAtLeast(role, 'admin')

/** Whether a role removes the second factors of another one, which is below it. */
export const mayResetFactors = (role: MemberRole, other: MemberRole): boolean =>
  isAtLeast(role, 'admin') && !isAtLeast(other, role)

/** Whether a role invites, changes and removes people of another one: never above its own. */
export const mayManage = (role: MemberRole, other: MemberRole): boolean =>
  isAtLeast(role, 'admin') && other !== 'owner' && isAtLeast(role, other)
