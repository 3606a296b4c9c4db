/** The people of an agency, their invitations, and the agencies of a person. */
import { z } from 'zod'
import { clientScopeSchema, givenRoleSchema, memberRoles, ownApprovalSchema } from '../../domain/agency/roles.ts'
import { idSchema } from '../../domain/core/values.ts'
import { busy, email, newPassword, registerBody, userReply } from './auth.ts'
import { route } from './route.ts'

const memberParams = z.object({ id: idSchema })
const clients = z.union([z.literal('all'), z.array(z.string())])
/** For owners and admins `clients` is always `all`. */
const roleAndClients = { role: givenRoleSchema, clients: clientScopeSchema }

/** What the signed-in member may do with another. */
const memberActs = ['change', 'remove', 'offer-ownership'] as const

const memberReply = z.object({
  id: z.string(),
  /** Today's name, or the beginning of the address; "Former member" once the person is erased. */
  name: z.string(),
  /** For owners and admins, and one's own; else null. */
  email: z.string().nullable(),
  role: z.enum(memberRoles),
  clients,
  joinedAt: z.string(),
  /** The last use of a session, to the hour; null when it is unknown, or not for the signed-in member to see. */
  lastSeenAt: z.string().nullable(),
  isMe: z.boolean(),
  can: z.array(z.enum(memberActs)),
})
export type TeamMember = z.infer<typeof memberReply>

const invitationReply = z.object({
  id: z.string(),
  email: z.string(),
  role: givenRoleSchema,
  clients,
  expiresAt: z.string(),
  isOver: z.boolean(),
  /** The name of the inviting member. */
  invitedBy: z.string(),
})
export type TeamInvitation = z.infer<typeof invitationReply>

/** Answered to the invitation and its repetition alone: only a digest of it is kept. */
const invitedReply = invitationReply.extend({
  /** To copy: an account that is made with it has an unconfirmed address. */
  link: z.string(),
  /** Whether a letter goes out, too. */
  mailed: z.boolean(),
})
export type InvitedMember = z.infer<typeof invitedReply>

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

export const inviteBody = z.object({ email, ...roleAndClients })
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

const invitationToken = z
  .string()
  .regex(/^[\w-]{43}$/, 'This link is incomplete')
  .meta({ examples: ['p3Zb0TkXn5mQ8sVt2Lr9WcYd4FgHjK6eUaIoN1xSvBE'] })
const tokenBody = z.object({ token: invitationToken })

/** One answer for an invitation that was withdrawn, used, replaced, is over, or never was. */
const over = 'The invitation is over: one answer for all reasons (`invitation-over`)'

const invitationSeen = z.object({
  agencyName: z.string(),
  email: z.string(),
  role: givenRoleSchema,
  invitedBy: z.string(),
  expiresAt: z.string(),
  /** Whether the address has an account; null for a copied link, which proves nothing about the address. */
  hasAccount: z.boolean().nullable(),
  /** `you`: signed in with this address; `another`: signed in with another, so accepting is refused. */
  signedInAs: z.enum(['nobody', 'you', 'another']),
})
export type InvitationSeen = z.infer<typeof invitationSeen>

const membershipReply = z.object({
  agencyId: z.string(),
  name: z.string(),
  role: z.enum(memberRoles),
  /** The agency that the session works in. */
  isCurrent: z.boolean(),
})
export type AgencyMembership = z.infer<typeof membershipReply>

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
  inviteMember: route({
    method: 'POST',
    path: '/api/team/invitations',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Invite a person; an earlier invitation of the same address ends',
    body: inviteBody,
    reply: invitedReply,
    status: 201,
    errors: {
      402: 'The subscription has ended',
      404: 'No such client',
      409: 'A member already, 50 members, 50 open invitations, or clients for a role that has all',
      429: 'More than 20 invitations an hour',
    },
  }),
  resendInvitation: route({
    method: 'POST',
    path: '/api/team/invitations/{id}/resend',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Send an invitation again, with a new link: the earlier link ends',
    params: memberParams,
    reply: invitedReply,
    status: 201,
    errors: { 402: 'The subscription has ended', 409: 'Accepted already', 429: 'More than 20 invitations an hour' },
  }),
  withdrawInvitation: route({
    method: 'DELETE',
    path: '/api/team/invitations/{id}',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Withdraw an invitation',
    params: memberParams,
    reply: null,
    status: 204,
    errors: { 409: 'Accepted already' },
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
  lookAtInvitation: route({
    method: 'POST',
    path: '/api/invitations/look',
    access: 'public',
    summary: 'What an invitation offers; its token is after the # of the link',
    body: tokenBody,
    reply: invitationSeen,
    status: 200,
    errors: { 404: over },
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/api/invitations/accept',
    access: 'user',
    summary: 'Accept an invitation, signed in with its address; the session moves to the agency',
    body: tokenBody,
    reply: membershipReply,
    status: 200,
    errors: {
      403: 'The invitation is for another address than the signed-in one (`invitation-for-another`)',
      404: over,
      409: 'A member already, or 50 members',
    },
  }),
  registerByInvitation: route({
    method: 'POST',
    path: '/api/invitations/register',
    access: 'public',
    summary: 'Create an account with the address of an invitation, sign in and accept',
    body: registerBody.omit({ email: true }).extend({ token: invitationToken, password: newPassword }),
    reply: userReply,
    status: 201,
    errors: {
      404: over,
      409: 'The address has an account already: sign in and accept',
      429: 'Too many attempts',
      503: busy,
    },
  }),
  listAgencies: route({
    method: 'GET',
    path: '/api/auth/agencies',
    access: 'user',
    beforeFactor: true,
    summary: 'The agencies of the signed-in person',
    reply: z.array(membershipReply),
    status: 200,
  }),
  chooseAgency: route({
    method: 'POST',
    path: '/api/auth/agency',
    access: 'user',
    beforeFactor: true,
    summary: 'Work in another agency with this session',
    body: z.object({ agencyId: idSchema }),
    reply: membershipReply,
    status: 200,
    errors: { 404: 'The person is no member of such an agency' },
  }),
}
