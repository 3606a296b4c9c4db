import { z } from 'zod'
import { memberRoleSchema } from '../../domain/agency/commands.ts'

/** A person in an agency, now or formerly. */
export const memberView = z.object({
  /** Of agency and member: a person who opens a second agency has the same member id in both. */
  id: z.string(),
  memberId: z.string(),
  agencyId: z.string(),
  userId: z.string(),
  role: memberRoleSchema,
  /** May name clients that were removed since. */
  clients: z.union([z.literal('all'), z.array(z.string())]),
  /** Null for the person who opened the agency. */
  invitationId: z.string().nullable(),
  /** Each role with its beginning, oldest first: the newest hundred. */
  roles: z.array(z.object({ from: z.string(), role: memberRoleSchema })),
  joinedAt: z.string(),
  /** False for a former member, whose last role stays. */
  isMember: z.boolean(),
  endedAt: z.string().nullable(),
})
export type MemberView = z.infer<typeof memberView>
