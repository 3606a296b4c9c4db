/** The policy as the form holds it. */
import {
  maxReminderHours,
  maxReminders,
  type AnsweredPolicy,
  type ApprovalStep,
  type ApproverRole,
} from '../../../../api/contract/index.ts'
import { words } from './words.ts'

export type StepSource = ApproverRole | 'people' | 'client'

export interface StepDraft {
  readonly id: string
  readonly name: string
  readonly by: StepSource
  /** Kept while a role is chosen. */
  readonly memberIds: readonly string[]
  readonly need: ApprovalStep['need']
}

export interface PolicyDraft {
  readonly steps: readonly StepDraft[]
  readonly refusesOwn: boolean
  readonly isBound: boolean
  readonly minutes: string
  /** After how many hours each reminder goes out, as typed; an empty one is none. */
  readonly hours: readonly string[]
  /** The role that is asked too once the last reminder had no effect. */
  readonly ifSilent: 'wait' | ApproverRole
}

const maxMinutes = 10_080

export const draftOf = ({ steps, ownApproval, timePart, remindAfterHours, ifSilent }: AnsweredPolicy): PolicyDraft => ({
  steps: steps.map(({ id, name, who, need }) => ({
    id,
    name,
    need,
    by: who.kind === 'role' ? who.role : who.kind === 'client' ? 'client' : 'people',
    memberIds: who.kind === 'members' ? who.memberIds : [],
  })),
  refusesOwn: ownApproval === 'refused',
  isBound: timePart.kind === 'bound',
  minutes: timePart.kind === 'bound' ? String(timePart.minutes) : '60',
  hours: Array.from({ length: maxReminders }, (_, at) => String(remindAfterHours[at] ?? '')),
  ifSilent: ifSilent.kind === 'escalate' ? ifSilent.to : 'wait',
})

export const newStep = (): StepDraft => ({
  id: crypto.randomUUID(),
  name: '',
  by: 'manager',
  memberIds: [],
  need: 'any',
})

/** Without steps the other choices have no effect, so they aren't sent. */
export const policyOf = ({ steps, refusesOwn, isBound, minutes, hours, ifSilent }: PolicyDraft): AnsweredPolicy => ({
  steps: steps.map(({ id, name, by, memberIds, need }) => ({
    id,
    name: name.trim(),
    who: whoOf(by, memberIds),
    need: by === 'client' ? 'any' : need,
  })),
  ownApproval: steps.length > 0 && refusesOwn ? 'refused' : 'agency',
  timePart: steps.length > 0 && isBound ? { kind: 'bound', minutes: Number(minutes) } : { kind: 'free' },
  remindAfterHours: steps.length > 0 ? hours.filter(isTyped).map(Number) : [],
  ifSilent: steps.length > 0 && ifSilent !== 'wait' ? { kind: 'escalate', to: ifSilent } : { kind: 'wait' },
})

const isTyped = (hours: string) => hours.trim() !== ''

function whoOf(by: StepSource, memberIds: readonly string[]): ApprovalStep['who'] {
  if (by === 'client') return { kind: 'client' }
  return by === 'people' ? { kind: 'members', memberIds: [...memberIds] } : { kind: 'role', role: by }
}

export const nameError = ({ name }: StepDraft): string | undefined =>
  name.trim() === '' ? words.nameMissing : undefined
export const peopleError = ({ by, memberIds }: StepDraft): string | undefined =>
  by === 'people' && memberIds.length === 0 ? words.peopleMissing : undefined
export const minutesError = ({ steps, isBound, minutes }: PolicyDraft): string | undefined =>
  steps.length === 0 || !isBound || (/^\d{1,5}$/.test(minutes) && Number(minutes) <= maxMinutes)
    ? undefined
    : words.minutesWrong

/** Of each field: whole hours, each later than the one before. */
export function hoursErrors({ steps, hours }: PolicyDraft): readonly (string | undefined)[] {
  if (steps.length === 0) return []
  let before = 0
  return hours.map((typed) => {
    if (!isTyped(typed)) return undefined
    const number = Number(typed)
    if (!Number.isInteger(number) || number < 1 || number > maxReminderHours) return words.hoursWrong(maxReminderHours)
    if (number <= before) return words.hoursEarlier
    before = number
    return undefined
  })
}
export const silentError = ({ steps, hours, ifSilent }: PolicyDraft): string | undefined =>
  steps.length > 0 && ifSilent !== 'wait' && !hours.some(isTyped) ? words.remindFirst : undefined

export const isComplete = (draft: PolicyDraft): boolean =>
  minutesError(draft) === undefined &&
  silentError(draft) === undefined &&
  hoursErrors(draft).every((error) => error === undefined) &&
  draft.steps.every((step) => !nameError(step) && !peopleError(step))
