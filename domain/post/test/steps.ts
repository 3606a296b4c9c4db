/** Posts under an approval policy, for tests: its people, its steps, and acts by each of them. */
import { expect } from 'vitest'
import type { ApprovalPolicy, ApprovalStep } from '../../core/approval-policy.ts'
import type { Approvals, Approver } from '../../core/approval-round.ts'
import { specification } from '../../test/specification.ts'
import type { PostCommand } from '../commands.ts'
import { postDecider } from '../decider.ts'
import type { PostEvent } from '../events.ts'
import type { PostContext } from '../rules.ts'
import * as p from './examples.ts'

export const { given, fold } = specification(postDecider)

export const nora: Approver = { memberId: 'member-nora', userId: 'nora', role: 'owner' }
export const ada: Approver = { memberId: 'member-ada', userId: 'ada', role: 'manager' }
export const bob: Approver = { memberId: 'member-bob', userId: 'bob', role: 'manager' }

export const text = { id: 'step-text', name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' } as const
export const everyone = {
  id: 'step-all',
  name: 'All managers',
  who: { kind: 'role', role: 'manager' },
  need: 'all',
} as const
export const last: ApprovalStep = {
  id: 'step-last',
  name: 'Last look',
  who: { kind: 'members', memberIds: [nora.memberId] },
  need: 'any',
}

export const policyOf = (...steps: readonly ApprovalStep[]): ApprovalPolicy => ({
  steps: [...steps],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
})
export const twoSteps = policyOf(text, last)

export interface With extends Partial<Omit<PostContext, 'approvals'>> {
  readonly policy?: ApprovalPolicy | null
  readonly approvers?: readonly Approver[]
  readonly mayApproveOwn?: boolean
}
export function as(
  person: Approver | 'writer',
  { policy = twoSteps, approvers = [nora, ada, bob], mayApproveOwn = true, ...over }: With = {},
): PostContext {
  const approvals: Approvals = { policy, approvers }
  const acting =
    person === 'writer'
      ? { rights: 'write' as const, userId: 'wim', mayApproveOwn }
      : { rights: 'approve' as const, userId: person.userId, mayApproveOwn, maySkip: person.role !== 'manager' }
  return { ...p.context, approvals, acting, ...over }
}

export const by = (userId: string, fact: PostEvent, at = p.now): PostEvent =>
  Object.assign({ ...fact }, { metadata: { at, actor: { type: 'user', id: userId } } })

/** Decides a row of commands, each as it would be stored with its actor. */
export function after(
  past: readonly PostEvent[],
  ...acts: readonly (readonly [PostCommand, PostContext])[]
): PostEvent[] {
  const events = [...past]
  for (const [command, context] of acts) {
    const { events: decided, refused } = given(...events).when(command, context)
    expect(refused).toBeUndefined()
    events.push(...decided.map((fact) => by(context.acting.userId ?? 'a process', fact, context.now)))
  }
  return events
}

export const draft = [by('wim', p.written)]
export const submit: PostCommand = { type: 'SubmitPost' }
export const approve = (stepId: string): PostCommand => ({ type: 'ApprovePost', stepId })
export const skip = (stepId: string): PostCommand => ({ type: 'SkipStep', stepId, reason: 'On leave' })
export const reassign = (stepId: string, ...memberIds: string[]): PostCommand => ({
  type: 'ReassignStep',
  stepId,
  memberIds,
  reason: 'On leave',
})
export const pendingUnder = (policy: ApprovalPolicy, past: readonly PostEvent[] = draft, with_: With = {}) =>
  after(past, [submit, as('writer', { ...with_, policy })])
export const typesOf = (events: readonly PostEvent[]) => events.map(({ type }) => type)
