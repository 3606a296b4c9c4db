import { z } from 'zod'
import { storedPolicySchema } from '../../domain/core/approval-policy.ts'

/** An agency's clients whose posts need approval, each with its policy; the id is the agency's. */
export const approvalPoliciesView = z.object({ id: z.string(), policies: z.record(z.string(), storedPolicySchema) })
export type ApprovalPoliciesView = z.infer<typeof approvalPoliciesView>
