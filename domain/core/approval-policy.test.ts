import { describe, expect, it } from 'vitest'
import { policy } from '../client/test/examples.ts'
import {
  answeredPolicy,
  approvalPolicySchema,
  isSamePolicy,
  noApprovalPolicy,
  skipReasonSchema,
} from './approval-policy.ts'

const [first, second] = policy.steps
if (!first || !second) throw new Error('The example has two steps')
const laterEach = 'Choose up to 3 times, each later than the one before'
const sentenceOf = (input: unknown) => approvalPolicySchema.safeParse(input).error?.issues[0]?.message

describe('An approval policy', () => {
  it('is taken as it is stored, also without steps', () => {
    expect(approvalPolicySchema.parse(policy)).toEqual(policy)
    expect(approvalPolicySchema.parse({ ...policy, steps: [] })).toEqual(noApprovalPolicy)
  })

  it.each<readonly [string, unknown, string]>([
    ['six steps', { ...policy, steps: Array.from({ length: 6 }, () => first) }, 'A policy has at most 5 steps'],
    ['a blank name', { ...policy, steps: [{ ...first, name: ' ' }] }, 'Required'],
    [
      'a NUL in a name',
      { ...policy, steps: [{ ...first, name: 'a\0' }] },
      "The name has an invisible character that can't be stored",
    ],
    [
      'nobody',
      { ...policy, steps: [{ ...first, who: { kind: 'members', memberIds: [] } }] },
      'Choose at least one person',
    ],
    [
      'another kind of approver',
      { ...policy, steps: [{ ...first, who: { kind: 'client-link' } }] },
      'Choose people, a role or the client',
    ],
    ['a part of a minute', { ...policy, timePart: { kind: 'bound', minutes: 0.5 } }, 'Choose 0 to 10,080 minutes'],
    ['four reminders', { ...policy, remindAfterHours: [1, 2, 3, 4] }, laterEach],
    ['a reminder before another', { ...policy, remindAfterHours: [24, 24] }, laterEach],
    ['a reminder at once', { ...policy, remindAfterHours: [0] }, 'Choose 1 to 720 hours'],
    ['a reminder after a part of an hour', { ...policy, remindAfterHours: [1.5] }, 'Choose 1 to 720 hours'],
    ['another silence', { ...policy, ifSilent: { kind: 'publish' } }, 'Choose to wait or to escalate'],
    [
      'an escalation without a reminder',
      { ...policy, ifSilent: { kind: 'escalate', to: 'admin' } },
      'Choose when to remind first',
    ],
    ['more than a week', { ...policy, timePart: { kind: 'bound', minutes: 10_081 } }, 'Choose 0 to 10,080 minutes'],
  ])('is refused with %s', (_, input, sentence) => {
    expect(sentenceOf(input)).toBe(sentence)
  })

  it('has reminders where they were chosen; without them it is stored as ever', () => {
    const escalating = { ...policy, remindAfterHours: [24, 72], ifSilent: { kind: 'escalate', to: 'admin' } }
    expect(approvalPolicySchema.parse(escalating)).toEqual(escalating)
    const silent = { ...policy, remindAfterHours: [], ifSilent: { kind: 'wait' } }
    expect(JSON.stringify(approvalPolicySchema.parse(silent))).toBe(JSON.stringify(approvalPolicySchema.parse(policy)))
    expect(approvalPolicySchema.parse(silent)).toEqual(policy)
    expect(isSamePolicy(policy, answeredPolicy(policy))).toBe(true)
    expect(isSamePolicy(policy, { ...policy, remindAfterHours: [24] })).toBe(false)
    expect(approvalPolicySchema.parse({ ...escalating, steps: [] })).toEqual(noApprovalPolicy)
  })

  it('is skipped with a reason only', () => {
    expect(skipReasonSchema.safeParse('  ').success).toBe(false)
    expect(skipReasonSchema.safeParse('x'.repeat(501)).success).toBe(false)
  })
})
