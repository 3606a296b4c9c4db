/** The order of an agency's roles. No schemas: every screen loads it. */
export { isAtLeast, isForAllClients, mayManage, memberRoles, type MemberRole } from '../../domain/agency/role-order.ts'
