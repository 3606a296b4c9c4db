import { describe, expect, it } from 'vitest'
import type { ApprovalPolicy } from '../core/approval-policy.ts'
import type { PostCommand } from './commands.ts'
import { dueReminder } from './reminders.ts'
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
  nora,
  pendingUnder,
  policyOf,
  reassign,
  text,
  twoSteps,
  typesOf,
} from './test/steps.ts'

const hours = (count: number) => new Date(Date.parse(p.now) + count * 3_600_000).toISOString()
const at = (count: number) => ({ ...p.context, now: hours(count) })
const reminding: ApprovalPolicy = { ...twoSteps, remindAfterHours: [24, 72] }
const escalating: ApprovalPolicy = {
  ...policyOf(everyone),
  remindAfterHours: [24],
  ifSilent: { kind: 'escalate', to: 'owner' },
}
const remind = (number: number, opening = 0, stepId: string = text.id): PostCommand => ({
  type: 'RemindOfStep',
  stepId,
  version: 1,
  opening,
  number,
})

describe('A reminder', () => {
  it('is due at each of the hours; of missed ones only the last', () => {
    const pending = fold(pendingUnder(reminding))
    expect(dueReminder(pending, hours(23))).toBeNull()
    expect(dueReminder(pending, hours(24))).toEqual({ stepId: text.id, version: 1, opening: 0, number: 1 })
    expect(dueReminder(pending, hours(100))).toMatchObject({ number: 2 })
    expect(dueReminder(fold(pendingUnder(twoSteps)), hours(100))).toBeNull()
    expect(dueReminder(fold(p.pasts.pending), hours(100))).toBeNull()
  })

  it('is recorded once, and is no act on the post', () => {
    const pending = pendingUnder(reminding)
    const first = given(...pending).when(remind(1), at(24))
    expect(first.events).toEqual([{ type: 'PostStepReminded', data: { stepId: text.id, number: 1 } }])
    expect(first.again()).toEqual([])
    expect(first.state.isTouched).toBe(false)
    const unreached = after(pending, [{ ...remind(1), unreached: true } as PostCommand, at(24)])
    expect(fold(unreached).round?.reminders).toMatchObject({ number: 1, times: 0, lastAt: null })
    const reminded = after(pending, [remind(1), at(24)])
    expect(fold(reminded).round?.reminders).toMatchObject({ number: 1, times: 1, lastAt: hours(24) })
    expect(dueReminder(fold(reminded), hours(71))).toBeNull()
    expect(given(...after(reminded, [remind(2), at(72)])).when(remind(1), at(72)).events).toEqual([])
  })

  it('is refused before its hour, for an earlier opening or submission, and without a subscription', () => {
    const pending = pendingUnder(reminding)
    expect(given(...pending).when(remind(1), at(23)).reason).toBe('not-due')
    expect(given(...pending).when(remind(1, 1), at(24)).reason).toBe('step-over')
    expect(given(...pending).when({ ...remind(1), version: 2 } as PostCommand, at(24)).reason).toBe('step-over')
    expect(given(...pending).when(remind(1), { ...at(24), standing: 'canceled' }).reason).toBe('subscription-needed')
    expect(given(...pending, p.rejected).when(remind(1), at(24)).reason).toBe('step-over')
  })

  it('begins anew with the next step, and with other people', () => {
    const reminded = after(pendingUnder(reminding), [remind(1), at(24)])
    const next = after(reminded, [approve(text.id), as(ada, { now: hours(30) })])
    expect(dueReminder(fold(next), hours(53))).toBeNull()
    expect(dueReminder(fold(next), hours(54))).toMatchObject({ stepId: 'step-last', opening: 1, number: 1 })
    const reassigned = after(reminded, [reassign(text.id, bob.memberId), as(nora, { now: hours(30) })])
    expect(dueReminder(fold(reassigned), hours(54))).toMatchObject({ stepId: text.id, opening: 1, number: 1 })
  })
})

describe('An escalation', () => {
  const escalated = after(pendingUnder(escalating), [remind(1, 0, everyone.id), at(24)])

  it('comes with the last reminder; the approval of one person with the role settles the step', () => {
    expect(typesOf(escalated.slice(-2))).toEqual(['PostStepReminded', 'PostStepEscalated'])
    const { events, state } = given(...escalated).when(approve(everyone.id), as(nora))
    expect(events[0]).toMatchObject({ type: 'PostStepApproved', data: { settles: true } })
    expect(state.status).toBe('approved')
    expect(given(...pendingUnder(escalating)).when(approve(everyone.id), as(nora)).reason).toBe('not-your-step')
  })

  it('leaves the step to its own people too', () => {
    expect(given(...escalated).when(approve(everyone.id), as(ada)).events).toMatchObject([{ data: { settles: false } }])
    const first = after(escalated, [approve(everyone.id), as(ada)])
    expect(fold(after(first, [approve(everyone.id), as(bob)])).status).toBe('approved')
  })

  it('lets no author approve an own post where that is refused', () => {
    const strict = { mayApproveOwn: false }
    const own = after(pendingUnder(escalating, [by('nora', p.written)], strict), [remind(1, 0, everyone.id), at(24)])
    expect(given(...own).when(approve(everyone.id), as(nora, strict)).reason).toBe('own-post')
  })

  it("leaves the client's step to the client", () => {
    const client = { id: 'step-client', name: 'Client', who: { kind: 'client' }, need: 'any' } as const
    const policy = { ...escalating, steps: [client] }
    const told = after(pendingUnder(policy), [remind(1, 0, client.id), at(24)])
    expect(fold(told).round?.escalated).toEqual([{ stepId: client.id, to: 'owner' }])
    expect(given(...told).when(approve(client.id), as(nora)).reason).toBe('not-your-step')
  })

  it('falls when the step is given to other people', () => {
    const reassigned = after(escalated, [reassign(everyone.id, bob.memberId), as(nora, { now: hours(30) })])
    expect(given(...reassigned).when(approve(everyone.id), as(nora)).reason).toBe('not-your-step')
  })
})
