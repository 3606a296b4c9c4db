/** The commands of an agency. The API, its documentation and the forms share these schemas. */
import { z } from 'zod'
import { notBlank, twoOrMore } from '../core/documented.ts'
import { hasVisible } from '../core/visible.ts'
import { webUrlOrNothingSchema } from '../core/values.ts'
import type { TeamCommand } from './team-commands.ts'

export { clientLimit } from './client-limit.ts'
export { memberRoleSchema, ownApprovalSchema } from './roles.ts'
export const trialDays = 7
export const defaultBrandColor = '#3b82f6'

export const agencyNameSchema = z
  .string()
  .trim()
  .refine((name) => name.length >= 2 && hasVisible(name), 'Agency name must be at least 2 characters')
  .max(120, 'Agency name must be 120 characters or fewer')
  .meta({ ...twoOrMore, examples: ['North Star'] })

const optionalText = (max: number, example: string) =>
  z
    .string()
    .trim()
    .max(max, `Use ${max} characters or fewer`)
    .meta({ examples: [example] })
    .nullish()
    .transform((text) => text || null)

export const brandColorSchema = z
  .string()
  .trim()
  .regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour like #3b82f6')
  .meta({ examples: [defaultBrandColor] })

/** Examples for the API description. */
const examples = {
  description: 'Blue Cup roasts its own beans.',
  industry: 'Café',
  targetAudience: 'People who work nearby',
  toneOfVoice: 'Friendly and plain',
} as const

/** A client's profile as the form sends it: only the name is required. */
export const clientProfileSchema = z.object({
  name: z
    .string()
    .trim()
    .refine(hasVisible, 'Required')
    .max(120, 'Name must be 120 characters or fewer')
    .meta({ ...notBlank, examples: ['Blue Cup'] }),
  description: optionalText(2000, examples.description),
  industry: optionalText(120, examples.industry),
  targetAudience: optionalText(500, examples.targetAudience),
  toneOfVoice: optionalText(200, examples.toneOfVoice),
  brandColor: z
    .union([brandColorSchema, z.literal('')])
    .nullish()
    .transform((color) => color || defaultBrandColor),
  logoUrl: webUrlOrNothingSchema.optional().transform((url) => url ?? null),
})
export type ClientProfile = z.output<typeof clientProfileSchema>

/** For updates: every field is optional, and an absent field stays unchanged. */
export const clientChangesSchema = z.object({
  name: clientProfileSchema.shape.name.optional(),
  description: z
    .string()
    .trim()
    .max(2000, 'Use 2000 characters or fewer')
    .meta({ examples: [examples.description] })
    .nullable()
    .optional(),
  industry: z
    .string()
    .trim()
    .max(120, 'Use 120 characters or fewer')
    .meta({ examples: [examples.industry] })
    .nullable()
    .optional(),
  targetAudience: z
    .string()
    .trim()
    .max(500, 'Use 500 characters or fewer')
    .meta({ examples: [examples.targetAudience] })
    .nullable()
    .optional(),
  toneOfVoice: z
    .string()
    .trim()
    .max(200, 'Use 200 characters or fewer')
    .meta({ examples: [examples.toneOfVoice] })
    .nullable()
    .optional(),
  brandColor: brandColorSchema.optional(),
  logoUrl: webUrlOrNothingSchema.optional(),
})
export type ClientChanges = z.output<typeof clientChangesSchema>

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'unpaid', 'canceled', 'expired'] as const
export const subscriptionStatusSchema = z.enum(subscriptionStatuses)
export type SubscriptionStatus = z.infer<typeof subscriptionStatusSchema>

/** A subscription's status in the payment provider's terms. `incomplete`: the first payment was never made. */
export const providerStatuses = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled'] as const
export type ProviderStatus = (typeof providerStatuses)[number]

/** The payment provider's data of a subscription at an instant. */
export interface SubscriptionFacts {
  readonly subscriptionId: string
  readonly customerId: string
  readonly status: ProviderStatus
  /** The end of the paid period. */
  readonly currentPeriodEnd: string | null
  /** The subscription was canceled and ends with the period. */
  readonly endsWithPeriod: boolean
  /** When it was created. */
  readonly begunAt: string
  /** The provider's timestamp of this update: an update older than the stored state is ignored. */
  readonly asOf: string
}

/** What the agency's clients see at the head of a review. */
export interface AgencyBrand {
  /** Of an image stored by us. */
  readonly logoHash: string | null
  /** In lower case. */
  readonly color: string | null
}

export type AgencyCommand =
  | {
      readonly type: 'OpenAgency'
      readonly agencyId: string
      readonly ownerId: string
      readonly name: string
      readonly timeZone: string
    }
  | { readonly type: 'ChangeTimeZone'; readonly timeZone: string }
  | ({ readonly type: 'SetBrand' } & AgencyBrand)
  | { readonly type: 'AddClient'; readonly clientId: string; readonly profile: ClientProfile }
  | { readonly type: 'ReviseClientProfile'; readonly clientId: string; readonly changes: ClientChanges }
  | { readonly type: 'RemoveClient'; readonly clientId: string }
  | { readonly type: 'ExpireTrial' }
  /** `told`: from the provider's webhook; `asked`: from our own request. */
  | ({ readonly type: 'RecordSubscription'; readonly heard: 'told' | 'asked' } & SubscriptionFacts)
  | TeamCommand
