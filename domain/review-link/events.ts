import { z } from 'zod'
import type { FactOf } from '../core/history.ts'
import { storedInstant } from '../core/values.ts'
import { reviewAbilities, reviewLocks, reviewScopeSchema } from './commands.ts'

export const reviewLinkEvents = {
  ReviewLinkIssued: z.strictObject({
    clientId: z.string(),
    /** Their names and addresses are records. */
    contacts: z.array(z.string()),
    anyone: z.boolean(),
    scope: reviewScopeSchema,
    may: z.array(z.enum(reviewAbilities)),
    lock: z.enum(reviewLocks),
    expiresAt: storedInstant,
  }),
  ReviewLinkRevoked: z.strictObject({}),
  ReviewLinkUsed: z.strictObject({ usedAt: storedInstant }),
} as const

export type ReviewLinkEvent = FactOf<typeof reviewLinkEvents>
