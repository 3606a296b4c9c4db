import { z } from 'zod'
import { storedPolicySchema } from '../core/approval-policy.ts'
import type { ContentGenerated } from '../core/generation.ts'
import type { FactOf } from '../core/history.ts'
import { platformSchema, storedInstant } from '../core/values.ts'
import { frequencies, preferredTimeSchema } from './commands.ts'

const rules = {
  frequency: z.enum(frequencies),
  postsPerWeek: z.int(),
  preferredTimes: z.array(preferredTimeSchema),
  contentTopics: z.array(z.string()),
}
const account = { accountId: z.string(), platform: platformSchema }
const schedule = { scheduleId: z.string(), accountId: z.string() }
const slot = { scheduleId: z.string(), revision: z.int(), slot: storedInstant }

export const clientEvents = {
  SocialAccountAdded: z.strictObject({ ...account, accountName: z.string(), accountUrl: z.string().nullable() }),
  SocialAccountRenamed: z.strictObject({ ...account, accountName: z.string(), accountUrl: z.string().nullable() }),
  SocialAccountRemoved: z.strictObject(account),
  SocialAccountConnected: z.strictObject({
    ...account,
    remoteId: z.string(),
    network: z.enum(['sandbox', 'live']),
    endsAt: storedInstant.nullable().optional(),
  }),
  SocialAccountConnectionRenewed: z.strictObject({ ...account, endsAt: storedInstant.nullable() }),
  SocialAccountConnectionLost: z.strictObject({ ...account, cause: z.string() }),
  SocialAccountPaused: z.strictObject({ ...account, until: storedInstant, cause: z.string() }),
  SocialAccountDisconnected: z.strictObject({ ...account, because: z.enum(['asked', 'client-removed']) }),
  PostingScheduleAdded: z.strictObject({ ...schedule, ...rules }),
  PostingScheduleRevised: z.strictObject({ ...schedule, ...rules }),
  PostingSchedulePaused: z.strictObject(schedule),
  PostingScheduleResumed: z.strictObject(schedule),
  PostingScheduleRemoved: z.strictObject(schedule),
  PostPlanningFailed: z.strictObject({ ...slot, cause: z.string() }),
  PostPlanningRetried: z.strictObject(slot),
  /** For posts that are submitted from now on: each keeps a copy of the policy. */
  ApprovalPolicySet: storedPolicySchema,
  /** A person of the client who may be asked for review; names and addresses are records. */
  ClientContactAdded: z.strictObject({ contactId: z.string() }),
  ClientContactRemoved: z.strictObject({ contactId: z.string() }),
} as const

/** What a client's stream may have: `ContentGenerated` only in older logs, where it is read for ever. */
export type ClientEvent = FactOf<typeof clientEvents> | ContentGenerated
