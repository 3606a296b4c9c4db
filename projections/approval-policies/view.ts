import { z } from 'zod'
import { storedPolicySchema } from '../../domain/core/approval-policy.ts'

/** The approval policy of a client that has steps; its id is the client's. */
export const approvalPolicyView = storedPolicySchema.extend({ id: z.string(), agencyId: z.string() })
export type ApprovalPolicyView = z.infer<typeof approvalPolicyView>
