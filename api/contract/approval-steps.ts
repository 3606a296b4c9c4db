/** The approval steps of a post, as the reader sees them. */
import { z } from 'zod'
import { approverRoles, stepNeeds } from '../../domain/core/approval-policy.ts'

export const postStep = z.object({
  id: z.string(),
  name: z.string(),
  who: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('members'), memberIds: z.array(z.string()) }),
    z.object({ kind: z.literal('role'), role: z.enum(approverRoles) }),
    z.object({ kind: z.literal('client') }),
  ]),
  need: z.enum(stepNeeds),
  /** `waiting`: another step is open, or the post isn't pending any more. */
  state: z.enum(['approved', 'skipped', 'open', 'waiting']),
  /** The members who approved it; former ones, and the client's people, are omitted. */
  approvedBy: z.array(z.string()),
  /** Of the open step: the members who may approve it now. Empty: no approver is left, or it is the client's. */
  waitsFor: z.array(z.string()),
  /** Of the open step: how often its people were reminded, by letters to confirmed addresses. Null: not yet. */
  reminded: z.object({ times: z.int(), lastAt: z.string() }).nullable(),
  /** The role whose people may approve it too, or were told of the client's silence. */
  escalatedTo: z.enum(approverRoles).nullable(),
  /** Its people were replaced for this post; `who` names the new ones. */
  reassigned: z.boolean(),
})
/** Null for a post that needs one approval only. */
export const postSteps = z.array(postStep).nullable()
export type PostStep = z.infer<typeof postStep>
export type PostSteps = PostStep[]
