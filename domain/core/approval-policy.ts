/** A client's approval policy: the steps that its posts take before they are approved. Browser-safe. */
import { z } from 'zod'
import {
  approverRoles,
  maxApprovalSteps,
  maxBoundMinutes,
  maxReassigned,
  maxReminderHours,
  maxReminders,
  maxSkipReason,
  maxStepMembers,
} from './approval-limits.ts'
import { notBlank } from './documented.ts'
import { hasVisible } from './visible.ts'
import { idSchema, isStorable } from './values.ts'

export * from './approval-limits.ts'

export const stepNeeds = ['any', 'all'] as const
/** `refused` is stricter than an agency that allows own approvals; a policy never allows what the agency refuses. */
export const policyOwnApprovals = ['agency', 'refused'] as const

const chooseMembers = 'Choose at least one person'

/** As the API takes it and events store it. Further kinds of approvers join the union. */
const whoSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.literal('members'),
      memberIds: z
        .array(idSchema)
        .min(1, chooseMembers)
        .max(maxStepMembers, `Choose at most ${maxStepMembers} people`)
        .transform((ids) => [...new Set(ids)]),
    }),
    /** The people who have exactly this role. */
    z.strictObject({ kind: z.literal('role'), role: z.enum(approverRoles) }),
    /** The client's people, by a review link: the approval of one is enough. */
    z.strictObject({ kind: z.literal('client') }),
  ],
  { error: 'Choose people, a role or the client' },
)

const stepSchema = z
  .strictObject({
    id: idSchema,
    name: z
      .string()
      .trim()
      .refine(hasVisible, 'Required')
      .max(80, 'A step has a name of at most 80 characters')
      .refine(isStorable, "The name has an invisible character that can't be stored")
      .meta({ ...notBlank, examples: ['Legal'] }),
    who: whoSchema,
    need: z.enum(stepNeeds),
  })
  // The approval of one of the client's people is enough: who they all are is not known.
  .transform((step) => (step.who.kind === 'client' ? { ...step, need: 'any' as const } : step))

const wholeMinutes = `Choose 0 to ${maxBoundMinutes.toLocaleString('en-US')} minutes`

/** `bound`: an approval is for the post's time, give or take these minutes. */
const timePartSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('free') }),
    z.strictObject({
      kind: z.literal('bound'),
      minutes: z.int(wholeMinutes).min(0, wholeMinutes).max(maxBoundMinutes, wholeMinutes),
    }),
  ],
  { error: 'Choose free or bound' },
)

const wholeHours = `Choose 1 to ${maxReminderHours} hours`
const laterEach = `Choose up to ${maxReminders} times, each later than the one before`

/** Hours after a step opens, at which its people get a letter. */
const remindAfterHoursSchema = z
  .array(z.int(wholeHours).min(1, wholeHours).max(maxReminderHours, wholeHours))
  .max(maxReminders, laterEach)
  .refine((hours) => hours.every((hour, index) => index === 0 || hour > (hours[index - 1] ?? 0)), laterEach)

/** `escalate`: at the last of these hours, the people with the role may approve the step too. */
const ifSilentSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('wait') }),
    z.strictObject({ kind: z.literal('escalate'), to: z.enum(approverRoles) }),
  ],
  { error: 'Choose to wait or to escalate' },
)

export const approvalPolicySchema = z
  .strictObject({
    steps: z.array(stepSchema).max(maxApprovalSteps, `A policy has at most ${maxApprovalSteps} steps`),
    ownApproval: z.enum(policyOwnApprovals),
    timePart: timePartSchema,
    remindAfterHours: remindAfterHoursSchema.default([]),
    ifSilent: ifSilentSchema.default({ kind: 'wait' }),
  })
  .refine(({ remindAfterHours, ifSilent }) => ifSilent.kind === 'wait' || remindAfterHours.length > 0, {
    path: ['ifSilent'],
    error: 'Choose when to remind first',
  })
  // Without a step the other choices have no effect, so they are not stored.
  .transform((policy): ApprovalPolicy => (policy.steps.length === 0 ? noApprovalPolicy : storedAs(policy)))
export type ApprovalPolicy = z.infer<typeof storedPolicySchema>
export type ApprovalStep = ApprovalPolicy['steps'][number]

/** As events store it: later limits must not make an earlier event unreadable. */
export const storedPolicySchema = z.strictObject({
  steps: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      who: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('members'), memberIds: z.array(z.string()) }),
        z.strictObject({ kind: z.literal('role'), role: z.enum(approverRoles) }),
        z.strictObject({ kind: z.literal('client') }),
      ]),
      need: z.enum(stepNeeds),
    }),
  ),
  ownApproval: z.enum(policyOwnApprovals),
  timePart: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('free') }),
    z.strictObject({ kind: z.literal('bound'), minutes: z.int() }),
  ]),
  /** Absent: no reminders, as in every earlier event. */
  remindAfterHours: z.array(z.int()).optional(),
  /** Absent: the step waits. */
  ifSilent: ifSilentSchema.optional(),
})

/** As the API answers it. */
export const answeredPolicySchema = storedPolicySchema.required({ remindAfterHours: true, ifSilent: true })
export type AnsweredPolicy = z.infer<typeof answeredPolicySchema>

const waiting = { kind: 'wait' } as const

export const answeredPolicy = (policy: ApprovalPolicy): AnsweredPolicy => ({
  ...policy,
  remindAfterHours: policy.remindAfterHours ?? [],
  ifSilent: policy.ifSilent ?? waiting,
})

/** Without what has no effect: a policy without reminders is stored as it ever was. */
const storedAs = ({ remindAfterHours, ifSilent, ...policy }: AnsweredPolicy): ApprovalPolicy => ({
  ...policy,
  ...(remindAfterHours.length > 0 && { remindAfterHours }),
  ...(ifSilent.kind === 'escalate' && { ifSilent }),
})

export const noApprovalPolicy: ApprovalPolicy = { steps: [], ownApproval: 'agency', timePart: { kind: 'free' } }

/** Two policies without steps are the same: none. */
export const isSamePolicy = (a: ApprovalPolicy, b: ApprovalPolicy): boolean =>
  a.steps.length + b.steps.length === 0 || canonical(a) === canonical(b)

const peopleOf = (who: ApprovalStep['who']) =>
  who.kind === 'members' ? who.memberIds : who.kind === 'role' ? who.role : 'client'

const canonical = ({ steps, ownApproval, timePart, remindAfterHours = [], ifSilent }: ApprovalPolicy): string =>
  JSON.stringify([
    steps.map(({ id, name, who, need }) => [id, name, peopleOf(who), need]),
    ownApproval,
    timePart.kind === 'bound' ? timePart.minutes : null,
    remindAfterHours,
    ifSilent?.kind === 'escalate' ? ifSilent.to : null,
  ])

export const skipReasonSchema = z
  .string()
  .trim()
  .refine(hasVisible, 'Required')
  .max(maxSkipReason, `A reason has at most ${maxSkipReason} characters`)
  .refine(isStorable, "The reason has an invisible character that can't be stored")
  .meta({ ...notBlank, examples: ['Nora is on leave; Sam agreed by phone.'] })

/** The people of one post's open step, in place of the policy's. */
export const reassignedSchema = z
  .array(idSchema)
  .min(1, chooseMembers)
  .max(maxReassigned, `Choose at most ${maxReassigned} people`)
  .transform((ids) => [...new Set(ids)])
