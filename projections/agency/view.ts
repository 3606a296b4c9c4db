import { z } from 'zod'
import { subscriptionStatusSchema } from '../../domain/agency/commands.ts'

export const agencyView = z.object({
  id: z.string(),
  ownerId: z.string(),
  name: z.string(),
  timeZone: z.string(),
  subscriptionStatus: subscriptionStatusSchema,
  trialEndsAt: z.string().nullable(),
  currentPeriodEnd: z.string().nullable(),
  /** It was canceled and only lasts until the period's end. */
  endsWithPeriod: z.boolean(),
  stripeCustomerId: z.string().nullable(),
  stripeSubscriptionId: z.string().nullable(),
  /** All that it ever had: the one it lives by is shown above. */
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
  createdAt: z.string(),
})
export type AgencyView = z.infer<typeof agencyView>
