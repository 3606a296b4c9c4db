import { describe, expect, it } from 'vitest'
import * as p from './test/examples.ts'
import {
  ada,
  after,
  approve,
  as,
  bob,
  by,
  everyone,
  fold,
  given,
  last,
  nora,
  pendingUnder,
  policyOf,
  reassign,
  submit,
  text,
  twoSteps,
  typesOf,
} from './test/steps.ts'

const client = { id: 'step-client', name: 'Client', who: { kind: 'client' }, need: 'any' } as const
const allManagers = policyOf(everyone)

describe('A step with other people', () => {
  it('is approved by them alone, for this post only', () => {
    const given_ = given(...pendingUnder(twoSteps)).when(reassign(text.id, nora.memberId), as(nora))
    expect(given_.events).toEqual([
      { type: 'PostStepReassigned', data: { stepId: text.id, memberIds: [nora.memberId], reason: 'On leave' } },
    ])
    expect(given_.again()).toEqual([])
    const reassigned = after(pendingUnder(twoSteps), [reassign(text.id, nora.memberId), as(nora)])
    expect(given(...reassigned).when(approve(text.id), as(ada)).reason).toBe('not-your-step')
    expect(typesOf(given(...reassigned).when(approve(text.id), as(nora)).events)).toEqual(['PostStepApproved'])
    const returned = after(reassigned, [{ type: 'ReturnPostToDraft' }, as(nora)], [submit, as('writer')])
    expect(given(...returned).when(approve(text.id), as(ada)).reason).toBeUndefined()
  })

  it('keeps the approvals of those who stay, where it needs all', () => {
    const first = after(pendingUnder(allManagers), [approve(everyone.id), as(ada, { policy: allManagers })])
    const { events } = given(...first).when(reassign(everyone.id, ada.memberId, nora.memberId), as(nora))
    expect(events).toMatchObject([{ data: { counted: ['nora', 'ada'] } }])
    const changed = after(first, [reassign(everyone.id, ada.memberId, nora.memberId), as(nora)])
    expect(given(...changed).when(approve(everyone.id), as(bob)).reason).toBe('not-your-step')
    expect(typesOf(given(...changed).when(approve(everyone.id), as(nora)).events)).toEqual([
      'PostStepApproved',
      'PostApproved',
    ])
  })

  it('that needed all with no one left is approved by the new person', () => {
    const pending = pendingUnder(allManagers)
    const left = { policy: allManagers, approvers: [nora] }
    expect(given(...pending).when(approve(everyone.id), as(nora, left)).reason).toBe('not-your-step')
    const changed = after(pending, [reassign(everyone.id, nora.memberId), as(nora, left)])
    expect(fold(after(changed, [approve(everyone.id), as(nora, left)])).status).toBe('approved')
  })

  it('loses one of them who is removed, and is reassigned once more', () => {
    const changed = after(pendingUnder(twoSteps), [reassign(text.id, bob.memberId), as(nora)])
    const left = { approvers: [nora, ada] }
    expect(given(...changed).when(reassign(text.id, bob.memberId, ada.memberId), as(nora, left)).reason).toBe(
      'approver-unfit',
    )
    const again = after(changed, [reassign(text.id, ada.memberId), as(nora, left)])
    expect(fold(again).round?.reassigned).toEqual([{ stepId: text.id, memberIds: [ada.memberId] }])
    expect(typesOf(given(...again).when(approve(text.id), as(ada, left)).events)).toEqual(['PostStepApproved'])
  })

  it('is refused to a manager, for another step, for people who may not approve it, and without a subscription', () => {
    const pending = pendingUnder(twoSteps)
    const wanted = reassign(text.id, bob.memberId)
    expect(given(...pending).when(wanted, as(ada)).reason).toBe('right-missing')
    expect(given(...pending).when(reassign(last.id, bob.memberId), as(nora)).reason).toBe('step-over')
    expect(given(...pending).when(reassign(text.id, 'member-unknown'), as(nora)).reason).toBe('approver-unfit')
    expect(given(...pending).when(wanted, as(nora, { standing: 'canceled' })).reason).toBe('subscription-needed')
    expect(given(...p.pasts.pending).when(wanted, as(nora)).reason).toBe('wrong-state')
  })

  it('is refused to the author, and for an author, where own approvals are refused', () => {
    const strict = { mayApproveOwn: false }
    const byNora = pendingUnder(twoSteps, [by('nora', p.written)], strict)
    expect(given(...byNora).when(reassign(text.id, bob.memberId), as(nora, strict)).reason).toBe('own-post')
    const byBob = pendingUnder(twoSteps, [by('bob', p.written)], strict)
    expect(given(...byBob).when(reassign(text.id, bob.memberId), as(nora, strict)).reason).toBe('approver-is-author')
  })

  it("is never the client's", () => {
    const pending = pendingUnder(policyOf(client))
    expect(given(...pending).when(reassign(client.id, bob.memberId), as(nora)).reason).toBe('step-of-client')
  })
})
