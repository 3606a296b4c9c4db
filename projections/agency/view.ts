import { z } from 'zod'
import { ownApprovalSchema, subscriptionStatusSchema } from '../../domain/agency/commands.ts'

export const agencyView = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  timeZone: z.string(),
  subscriptionStatus: subscriptionStatusSchema,
  trialEndsAt: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  /** The subscription was canceled and ends with the period. */
  endsWithPeriod: z.boolean(),
  stripeCustomerId: z.string().nullable(),
  stripeSubscriptionId: z.string().nullable(),
  /** All subscriptions the agency ever had; the fields above show the current one. */
  subscriptions: z.array(
    z.object({
      id: z.string(),
      customerId: z.string(),
      status: z.enum(['active', 'past_due', 'unpaid', 'canceled']),
      currentPeriodEnd: z.string().nullable(),
      endsWithPeriod: z.boolean(),
      begunAt: z.string().nullable(),
      asOf: z.string().nullable(),
    }),
  ),
  /** Whether a person may approve their own posts. */
  ownApproval: ownApprovalSchema,
  /** Since when each member needs a second factor; null: none does. */
  secondFactorSince: z.string().nullable(),
  createdAt: z.string(),
})
export type AgencyView = z.infer<typeof agencyView>
