/** The people of an agency, and whose it is. */
import { z } from 'zod'
import { memberRoles, ownApprovalSchema } from '../../domain/agency/roles.ts'
import { idSchema } from '../../domain/core/values.ts'
import { busy } from './auth.ts'
import { passwordProof, tooMany, wrongPassword } from './factors.ts'
import { invitationReply, roleAndClients, shownScope } from './invitations.ts'
import { route } from './route.ts'

const memberParams = z.object({ id: idSchema })

/** What the signed-in member may do with another. */
const memberActs = ['change', 'remove', 'offer-ownership', 'reset-factors'] as const

const memberReply = z.object({
  id: z.string(),
  /** Today's name, or the beginning of the address; "Former member" once the person is erased. */
  name: z.string(),
  /** For owners and admins, and one's own; else null. */
  email: z.string().nullable(),
  role: z.enum(memberRoles),
  clients: shownScope,
  joinedAt: z.string(),
  /** The last use of a session, to the hour; null when it is unknown, or not for the signed-in member to see. */
  lastSeenAt: z.string().nullable(),
  isMe: z.boolean(),
  can: z.array(z.enum(memberActs)),
})
export type TeamMember = z.infer<typeof memberReply>

export const teamReply = z.object({
  members: z.array(memberReply),
  /** For owners and admins; else empty. */
  invitations: z.array(invitationReply),
  ownApproval: ownApprovalSchema,
  /** The member to whom the ownership is offered. */
  ownershipOfferedTo: z.string().nullable(),
  /** Whether this server sends invitations by mail. */
  mails: z.boolean(),
  maxMembers: z.int(),
})
export type Team = z.infer<typeof teamReply>

export const memberChangesBody = z.object(roleAndClients)
export const removeMemberBody = z.object({ links: z.enum(['kept', 'revoked']) })
export const teamChangesBody = z.object({ ownApproval: ownApprovalSchema })
export const ownershipBody = z.object({ memberId: idSchema })

/** What the removal of a member ends. */
const removalReply = z.object({
  /** Their open invitations, which are withdrawn. */
  invitations: z.int(),
  /** Posts assigned to them, which are unassigned. */
  posts: z.int(),
  /** The open auditors' links that they issued: kept or revoked, as chosen. */
  links: z.array(z.object({ id: z.string(), label: z.string() })),
})
export type MemberRemoval = z.infer<typeof removalReply>

export const teamRoutes = {
  getTeam: route({
    method: 'GET',
    path: '/api/team',
    access: 'agency',
    needs: 'viewer',
    client: 'agency',
    summary: 'The people of the agency, and its open invitations',
    reply: teamReply,
    status: 200,
  }),
  changeTeam: route({
    method: 'PATCH',
    path: '/api/team',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Whether people may approve posts whose text or image they wrote',
    body: teamChangesBody,
    reply: teamReply,
    status: 200,
  }),
  changeMember: route({
    method: 'PATCH',
    path: '/api/team/members/{id}',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Change a member's role and clients",
    params: memberParams,
    body: memberChangesBody,
    reply: memberReply,
    status: 200,
    errors: { 403: 'The member, or the role, is above the own one', 409: 'The owner stays the owner' },
  }),
  resetMemberFactors: route({
    method: 'POST',
    path: '/api/team/members/{id}/reset-factors',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Remove a member's passkeys, authenticator app and recovery codes, and sign them out everywhere",
    params: memberParams,
    body: passwordProof,
    reply: null,
    status: 204,
    errors: {
      403: `The role is not below the own one. ${wrongPassword}`,
      409: 'A member of another agency too, or no second factor',
      429: tooMany,
      503: busy,
    },
  }),
  getMemberRemoval: route({
    method: 'GET',
    path: '/api/team/members/{id}/removal',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'What the removal of a member would end',
    params: memberParams,
    reply: removalReply,
    status: 200,
  }),
  removeMember: route({
    method: 'POST',
    path: '/api/team/members/{id}/remove',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Remove a member: posts are unassigned, their open invitations withdrawn, their sessions here ended',
    params: memberParams,
    body: removeMemberBody,
    reply: removalReply,
    status: 200,
    errors: { 403: 'The member is above the own role', 409: 'The owner, or oneself' },
  }),
  leaveTeam: route({
    method: 'POST',
    path: '/api/team/leave',
    access: 'agency',
    needs: 'viewer',
    client: 'agency',
    beforeFactor: true,
    summary: 'Leave the agency',
    reply: null,
    status: 204,
    errors: { 409: 'The owner can only leave after a transfer' },
  }),
  offerOwnership: route({
    method: 'POST',
    path: '/api/team/ownership',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Offer the ownership to a member; nothing moves until they accept',
    body: ownershipBody,
    reply: teamReply,
    status: 200,
    errors: { 404: 'No such member' },
  }),
  acceptOwnership: route({
    method: 'POST',
    path: '/api/team/ownership/accept',
    access: 'agency',
    needs: 'viewer',
    client: 'agency',
    summary: 'Accept the ownership; the former owner becomes an admin',
    reply: teamReply,
    status: 200,
    errors: { 409: 'Not offered, or the member owns another agency' },
  }),
  declineOwnership: route({
    method: 'DELETE',
    path: '/api/team/ownership',
    access: 'agency',
    needs: 'viewer',
    client: 'agency',
    summary: 'Take back the offer of the ownership, or decline it',
    reply: null,
    status: 204,
  }),
}
