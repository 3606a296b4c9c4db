import { z } from 'zod'
import { storedInstant } from '../core/values.ts'
import { givenRoleSchema, ownApprovalSchema } from './roles.ts'

const clients = z.union([z.literal('all'), z.array(z.string())])
/** Members by their own and their user's id; names and addresses are records. */
const member = { memberId: z.string(), userId: z.string() }
const given = { role: givenRoleSchema, clients }

export const teamEvents = {
  MemberInvited: z.strictObject({
    invitationId: z.string(),
    ...given,
    expiresAt: storedInstant,
    /** The inviting member. */
    invitedBy: z.string(),
  }),
  InvitationWithdrawn: z.strictObject({
    invitationId: z.string(),
    because: z.enum([
      'asked',
      'replaced',
      'expired',
      'inviter-left',
      'inviter-lowered',
      'person-joined',
      'person-left',
    ]),
  }),
  MemberJoined: z.strictObject({
    ...member,
    ...given,
    invitationId: z.string(),
    /** Absent before an agency could require a second factor. */
    joinedAt: storedInstant.optional(),
  }),
  MemberRoleChanged: z.strictObject({ ...member, ...given }),
  MemberRemoved: z.strictObject({ ...member, links: z.enum(['kept', 'revoked']) }),
  MemberLeft: z.strictObject(member),
  /** The person's second factors were removed, which are records. */
  MemberFactorsReset: z.strictObject({ ...member, resetId: z.string() }),
  /** Null: the offer was taken back or declined. */
  OwnershipOffered: z.strictObject({ memberId: z.string().nullable() }),
  /** Accepted: the former owner becomes an admin. */
  OwnershipTransferred: z.strictObject({ ...member, fromMemberId: z.string(), fromUserId: z.string() }),
  SecondFactorRequired: z.strictObject({ since: storedInstant }),
  SecondFactorRequirementLifted: z.strictObject({}),
  OwnApprovalSet: z.strictObject({ ownApproval: ownApprovalSchema }),
} as const
