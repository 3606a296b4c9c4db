/** The roles of an agency's people, and which clients a member works for. Browser-safe. */
import { z } from 'zod'
import { idSchema } from '../core/values.ts'
import { clientLimit } from './client-limit.ts'
import { memberRoles } from './role-order.ts'

export { isAtLeast, isForAllClients, mayManage, mayResetFactors, memberRoles, type MemberRole } from './role-order.ts'

export const memberRoleSchema = z.enum(memberRoles)

/** An agency has one owner, who gets there by a transfer alone. */
export const givenRoles = ['admin', 'manager', 'writer', 'viewer'] as const
export const givenRoleSchema = z.enum(givenRoles).meta({ examples: ['writer'] })
export type GivenRole = z.infer<typeof givenRoleSchema>

export const maxMembers = 50
export const maxOpenInvitations = 50
/** Shown in the switcher. */
export const maxAgenciesOfUser = 100
export const invitationDays = 7
/** Each is a letter to an address that did not ask for it. */
export const maxInvitationsAnHour = 20

export const ownApprovals = ['allowed', 'refused'] as const
/** Whether a person may approve a post whose current text or image they wrote. */
export const ownApprovalSchema = z.enum(ownApprovals)
export type OwnApproval = z.infer<typeof ownApprovalSchema>

/** Every client, those of later included; or these. */
export type ClientScope = 'all' | readonly string[]

export const clientScopeSchema = z.union([
  z.literal('all'),
  z.array(idSchema).min(1, 'Choose at least one client').max(clientLimit, `Choose at most ${clientLimit} clients`),
])

export const includesClient = (scope: ClientScope, clientId: string): boolean =>
  scope === 'all' || scope.includes(clientId)
