import { describe, expect, it } from 'vitest'
import { policy } from '../client/test/examples.ts'
import { approvalPolicySchema, noApprovalPolicy, skipReasonSchema } from './approval-policy.ts'

const [first, second] = policy.steps
if (!first || !second) throw new Error('The example has two steps')
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
    ['more than a week', { ...policy, timePart: { kind: 'bound', minutes: 10_081 } }, 'Choose 0 to 10,080 minutes'],
  ])('is refused with %s', (_, input, sentence) => {
    expect(sentenceOf(input)).toBe(sentence)
  })

  it('is skipped with a reason only', () => {
    expect(skipReasonSchema.safeParse('  ').success).toBe(false)
    expect(skipReasonSchema.safeParse('x'.repeat(501)).success).toBe(false)
  })
})
