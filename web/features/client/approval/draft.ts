/** The policy as the form holds it. */
import type { ApprovalPolicy, ApprovalStep, ApproverRole } from '../../../../api/contract/index.ts'
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
}

const maxMinutes = 10_080

export const draftOf = ({ steps, ownApproval, timePart }: ApprovalPolicy): PolicyDraft => ({
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
})

export const newStep = (): StepDraft => ({
  id: crypto.randomUUID(),
  name: '',
  by: 'manager',
  memberIds: [],
  need: 'any',
})

/** Without steps the other choices have no effect, so they aren't sent. */
export const policyOf = ({ steps, refusesOwn, isBound, minutes }: PolicyDraft): ApprovalPolicy => ({
  steps: steps.map(({ id, name, by, memberIds, need }) => ({
    id,
    name: name.trim(),
    who: whoOf(by, memberIds),
    need: by === 'client' ? 'any' : need,
  })),
  ownApproval: steps.length > 0 && refusesOwn ? 'refused' : 'agency',
  timePart: steps.length > 0 && isBound ? { kind: 'bound', minutes: Number(minutes) } : { kind: 'free' },
})

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

export const isComplete = (draft: PolicyDraft): boolean =>
  minutesError(draft) === undefined && draft.steps.every((step) => !nameError(step) && !peopleError(step))
