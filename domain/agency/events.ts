import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { storedInstant } from '../core/values.ts'

const profile = z.strictObject({
  name: z.string(),
  description: z.string().nullable(),
  industry: z.string().nullable(),
  targetAudience: z.string().nullable(),
  toneOfVoice: z.string().nullable(),
  brandColor: z.string(),
  logoUrl: z.string().nullable(),
})

export const agencyEvents = {
  AgencyOpened: z.strictObject({ ownerId: z.string(), name: z.string(), timeZone: z.string() }),
  TrialStarted: z.strictObject({ endsAt: storedInstant }),
  TrialExpired: z.strictObject({ endedAt: storedInstant }),
  TimeZoneChanged: z.strictObject({ timeZone: z.string(), from: z.string() }),
  ClientAdded: z.strictObject({ clientId: z.string(), profile }),
  /** The whole profile after the change, so that no reader needs the one before. */
  ClientProfileRevised: z.strictObject({ clientId: z.string(), profile }),
  ClientRemoved: z.strictObject({ clientId: z.string(), name: z.string() }),
  SubscriptionActivated: z.strictObject({
    subscriptionId: z.string(),
    customerId: z.string(),
    currentPeriodEnd: storedInstant.nullable(),
  }),
  PaymentFellOverdue: z.strictObject({}),
  SubscriptionLeftUnpaid: z.strictObject({}),
  SubscriptionCanceled: z.strictObject({}),
} as const

export type AgencyEvent = FactOf<typeof agencyEvents>
