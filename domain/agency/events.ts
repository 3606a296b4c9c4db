import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { storedInstant } from '../core/values.ts'
import { teamEvents } from './team-events.ts'

const profile = z.strictObject({
  name: z.string(),
  description: z.string().nullable(),
  industry: z.string().nullable(),
  targetAudience: z.string().nullable(),
  toneOfVoice: z.string().nullable(),
  brandColor: z.string(),
  logoUrl: z.string().nullable(),
})

/** The subscription, and the payment provider's own timestamp of the update. */
const subscriptionFields = { subscriptionId: z.string().optional(), asOf: storedInstant.optional() }

export const agencyEvents = {
  AgencyOpened: z.strictObject({ ownerId: z.string(), name: z.string(), timeZone: z.string() }),
  TrialStarted: z.strictObject({ endsAt: storedInstant }),
  TrialExpired: z.strictObject({ endedAt: storedInstant }),
  TimeZoneChanged: z.strictObject({ timeZone: z.string(), from: z.string() }),
  ClientAdded: z.strictObject({ clientId: z.string(), profile }),
  /** The whole profile after the change, so that a projection needs no earlier event. */
  ClientProfileRevised: z.strictObject({ clientId: z.string(), profile }),
  ClientRemoved: z.strictObject({ clientId: z.string(), name: z.string() }),
  SubscriptionActivated: z.strictObject({
    ...subscriptionFields,
    subscriptionId: z.string(),
    customerId: z.string(),
    currentPeriodEnd: storedInstant.nullable(),
    endsWithPeriod: z.boolean().optional(),
    /** Creation time at the provider: of two live subscriptions the later one counts. */
    begunAt: storedInstant.optional(),
  }),
  /** The provider confirmed the known state. */
  SubscriptionConfirmed: z.strictObject({ ...subscriptionFields, asOf: storedInstant }),
  PaymentFellOverdue: z.strictObject(subscriptionFields),
  SubscriptionLeftUnpaid: z.strictObject(subscriptionFields),
  SubscriptionCanceled: z.strictObject(subscriptionFields),
  /** What the agency's clients see at the head of a review: an image stored by us, and a colour like #3b82f6. */
  AgencyBrandSet: z.strictObject({ logoHash: z.string().nullable(), color: z.string().nullable() }),
  ...teamEvents,
} as const

export type AgencyEvent = FactOf<typeof agencyEvents>
