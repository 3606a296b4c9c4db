/** The commands of a client: for its social accounts and posting schedules. */
import { z } from 'zod'
import type { ApprovalPolicy } from '../core/approval-policy.ts'
import { notBlank } from '../core/documented.ts'
import { hasVisible } from '../core/visible.ts'
import { platformSchema, webUrlOrNothingSchema, type Platform } from '../core/values.ts'

export const accountLimit = 50
export const contactLimit = 20
export const maxContactName = 80

export const newAccountSchema = z.object({
  platform: platformSchema,
  accountName: z
    .string()
    .trim()
    .refine(hasVisible, 'Required')
    .max(120, 'Account name must be 120 characters or fewer')
    .meta({ ...notBlank, examples: ['bluecup'] }),
  accountUrl: webUrlOrNothingSchema.optional().transform((url) => url ?? null),
})

/** The same without the network, which an account keeps. */
export const accountChangesSchema = newAccountSchema.omit({ platform: true })

export const frequencies = ['daily', 'weekly', 'custom'] as const
export const defaultPostsPerWeek = 3

const whichDay = 'Choose a day from 0 (Sunday) to 6, or every'

/** Wall clock time in the agency's time zone; Sunday is day 0. */
export const preferredTimeSchema = z.object({
  day: z.union([z.int(whichDay).min(0, whichDay).max(6, whichDay), z.literal('every')], whichDay),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time like 09:00')
    .meta({ examples: ['09:00'] }),
})
export type PreferredTime = z.infer<typeof preferredTimeSchema>

const rules = {
  frequency: z.enum(frequencies),
  postsPerWeek: z.int().min(1, 'Choose at least one post a week').max(50, 'Choose at most 50 posts a week'),
  preferredTimes: z
    .array(preferredTimeSchema)
    .min(1, 'Add at least one time')
    .max(50, 'A schedule has at most 50 times'),
  contentTopics: z
    .array(
      z
        .string()
        .trim()
        .refine(hasVisible, 'Required')
        .max(200, 'A topic has at most 200 characters')
        .meta({ ...notBlank, examples: ['Autumn breads'] }),
    )
    .max(50, 'A schedule has at most 50 topics'),
}
export const scheduleRulesSchema = z.object({
  ...rules,
  postsPerWeek: rules.postsPerWeek.default(defaultPostsPerWeek),
  contentTopics: rules.contentTopics.default([]),
})
/** An absent field stays unchanged. */
export const scheduleChangesSchema = z.object({ ...rules, isActive: z.boolean() }).partial()
export type ScheduleRules = z.output<typeof scheduleRulesSchema>

interface SeenSchedule {
  readonly scheduleId: string
  /** The expected revision of the rules; absent: any. */
  readonly ifRevision?: number
}

export type ClientCommand =
  | {
      readonly type: 'AddSocialAccount'
      readonly accountId: string
      readonly platform: Platform
      readonly accountName: string
      readonly accountUrl: string | null
    }
  | {
      readonly type: 'RenameSocialAccount'
      readonly accountId: string
      readonly accountName: string
      readonly accountUrl: string | null
    }
  /** `isNamed`: whether a post names the account. */
  | { readonly type: 'RemoveSocialAccount'; readonly accountId: string; readonly isNamed: boolean }
  | {
      readonly type: 'ConnectSocialAccount'
      readonly accountId: string
      /** The network's own id of the profile or page; an approval is bound to it. */
      readonly remoteId: string
      readonly network: 'sandbox' | 'live'
      /** The latest time by which a user has to connect it again; null: unknown. */
      readonly endsAt: string | null
    }
  | { readonly type: 'RecordConnectionRenewed'; readonly accountId: string; readonly endsAt: string | null }
  | {
      readonly type: 'RecordConnectionLost'
      readonly accountId: string
      readonly remoteId: string
      readonly cause: string
    }
  /** The network asked for a pause: the account's posts wait until then. */
  | { readonly type: 'PauseSocialAccount'; readonly accountId: string; readonly until: string; readonly cause: string }
  | {
      readonly type: 'DisconnectSocialAccount'
      readonly accountId: string
      readonly because: 'asked' | 'client-removed'
    }
  | ({ readonly type: 'AddPostingSchedule'; readonly scheduleId: string; readonly accountId: string } & ScheduleRules)
  | ({ readonly type: 'RevisePostingSchedule' } & SeenSchedule & ScheduleRules)
  | ({ readonly type: 'PausePostingSchedule' } & SeenSchedule)
  | ({ readonly type: 'ResumePostingSchedule' } & SeenSchedule)
  | { readonly type: 'RemovePostingSchedule'; readonly scheduleId: string }
  /** The post of a slot could not be written. */
  | {
      readonly type: 'RecordPlanningFailed'
      readonly scheduleId: string
      readonly revision: number
      readonly slot: string
      readonly cause: string
    }
  | { readonly type: 'RetryPlanning'; readonly scheduleId: string; readonly slot: string }
  /** A policy without steps: posts are approved at once. */
  | { readonly type: 'SetApprovalPolicy'; readonly policy: ApprovalPolicy }
  | { readonly type: 'AddClientContact'; readonly contactId: string }
  | { readonly type: 'RemoveClientContact'; readonly contactId: string }
