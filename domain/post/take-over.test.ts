import { describe, expect, it } from 'vitest'
import { specification } from '../test/specification.ts'
import type { ApprovalPolicy } from '../core/approval-policy.ts'
import { postDecider } from './decider.ts'
import type { PostEvent } from './events.ts'
import * as a from './test/examples.ts'

const { given } = specification(postDecider)
const command = { type: 'TakeOverSuggestion', content: 'Better words' } as const
const typesAfter = (...past: readonly PostEvent[]) => given(...past).when(command, a.context)

describe('A suggested text that is taken over', () => {
  it.each([
    ['pending', [a.written, a.submitted], ['PostReturnedToDraft', 'PostContentRevised', 'PostSubmitted'], 'pending'],
    ['rejected', [a.written, a.submitted, a.rejected], ['PostContentRevised', 'PostSubmitted'], 'pending'],
    ['a draft', [a.written], ['PostContentRevised'], 'draft'],
  ])('of a post that is %s revises and submits it in one append', (_, past, types, status) => {
    const result = typesAfter(...past)
    expect(result.events.map(({ type }) => type)).toEqual(types)
    expect(result.state).toMatchObject({ status, content: 'Better words' })
    expect(result.again()).toEqual([])
  })

  it('is refused for a post with an approval, a text too long for its network, and without rights', () => {
    expect(typesAfter(a.written, a.submitted, a.approved).reason).toBe('wrong-state')
    const long = { ...command, content: 'x'.repeat(80_000) }
    expect(given(a.written, a.submitted).when(long, a.context).reason).toBe('content-too-long')
    const reader = { ...a.context, acting: { ...a.context.acting, rights: 'read' } } as const
    expect(given(a.written, a.submitted).when(command, reader).reason).toBe('right-missing')
  })

  it('begins the steps of the policy that the client has now', () => {
    const policy: ApprovalPolicy = {
      steps: [{ id: 'step', name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }],
      ownApproval: 'agency',
      timePart: { kind: 'free' },
    }
    const context = { ...a.context, approvals: { ...a.context.approvals, policy } }
    const { state } = given(a.written, a.submitted).when(command, context)
    expect(state.round).toMatchObject({ policy: { steps: [{ id: 'step' }] } })
  })
})
