/** Invitations to an agency: made by its people, and opened by the invited person. */
import { z } from 'zod'
import { clientScopeSchema, givenRoleSchema } from '../../domain/agency/roles.ts'
import { idSchema } from '../../domain/core/values.ts'
import { busy, email, newPassword, registerBody, userReply } from './auth.ts'
import { membershipReply } from './memberships.ts'
import { route } from './route.ts'

const invitationParams = z.object({ id: idSchema })
export const shownScope = z.union([z.literal('all'), z.array(z.string())])
/** For owners and admins `clients` is always `all`. */
export const roleAndClients = { role: givenRoleSchema, clients: clientScopeSchema }

export const invitationReply = z.object({
  id: z.string(),
  email: z.string(),
  role: givenRoleSchema,
  clients: shownScope,
  expiresAt: z.string(),
  isOver: z.boolean(),
  /** The name of the inviting member. */
  invitedBy: z.string(),
  /** What became of its letter; null where none was asked for, or its outcome is no longer known. */
  letter: z.enum(['queued', 'sent', 'failed']).nullable(),
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

export const inviteBody = z.object({ email, ...roleAndClients })

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

export const invitationRoutes = {
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
    params: invitationParams,
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
    params: invitationParams,
    reply: null,
    status: 204,
    errors: { 409: 'Accepted already' },
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
}
