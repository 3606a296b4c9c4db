import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxStepMembers, type ApprovalPolicy } from '../core/approval-policy.ts'
import { isRefused } from '../core/decider.ts'
import { events as catalogue } from '../event-store/catalogue.ts'
import { seedOr } from '../test/sample.ts'
import { aroundPostUnderPolicy, clockAt, postCommand, waits } from '../test/arbitraries.ts'
import { approvalHash } from './approval.ts'
import type { PostCommand } from './commands.ts'
import { postDecider } from './decider.ts'
import type { PostEvent } from './events.ts'
import { abilitiesFor } from './rights.ts'
import type { PostContext } from './rules.ts'
import type { Post } from './state.ts'
import * as p from './test/examples.ts'
import {
  ada,
  after,
  approve,
  as,
  bob,
  by,
  draft,
  everyone,
  fold,
  given,
  last,
  nora,
  pendingUnder,
  policyOf,
  reassign,
  skip,
  submit,
  text,
  twoSteps,
  typesOf,
} from './test/steps.ts'

const bound = (minutes: number): ApprovalPolicy => ({ ...policyOf(text), timePart: { kind: 'bound', minutes } })

describe('A submission under a policy', () => {
  it('keeps a copy of the policy, and stays pending', () => {
    const { events, state } = given(...draft).when(submit, as('writer'))
    expect(events).toEqual([{ type: 'PostSubmitted', data: { policy: twoSteps } }])
    expect(state).toMatchObject({ status: 'pending', round: { policy: twoSteps, settled: 0 } })
  })

  it('counts for a step that needs all who is there when it opens', () => {
    const { events } = given(...draft).when(submit, as('writer', { policy: policyOf(everyone) }))
    expect(events).toMatchObject([{ data: { counted: ['ada', 'bob'] } }])
  })

  it('is untouched by a change of the policy, as is a post that was pending before it', () => {
    const changed = as(ada, { policy: policyOf(last) })
    expect(typesOf(given(...pendingUnder(twoSteps)).when(approve(text.id), changed).events)).toEqual([
      'PostStepApproved',
    ])
    expect(typesOf(given(...p.pasts.pending).when({ type: 'ApprovePost' }, as(ada)).events)).toEqual(['PostApproved'])
  })

  it.each<readonly [string, readonly PostEvent[], PostCommand]>([
    ['scheduled', draft, { type: 'SchedulePost', scheduledFor: p.tomorrow }],
    ['published now', draft, { type: 'PublishPostNow' }],
    ['written as scheduled', [], { ...p.write, as: 'scheduled' }],
  ])('is what a draft needs instead of being %s', (_, past, command) => {
    expect(given(...past).when(command, as(nora)).reason).toBe('approval-needed')
    expect(given(...past).when(command, as(nora, { policy: null })).reason).toBeUndefined()
  })

  it('is kept by the planner: a post with a step approved is never withdrawn', () => {
    const plan = { scheduleId: 'schedule-1', revision: 0, slot: p.tomorrow }
    const planned = after([], [{ ...p.write, as: 'pending', plan }, as('writer')])
    const withdraw: PostCommand = { type: 'WithdrawPost', because: 'schedule-changed' }
    expect(typesOf(given(...planned).when(withdraw, p.context).events)).toEqual(['PostDeleted'])
    expect(given(...after(planned, [approve(text.id), as(ada)])).when(withdraw, p.context).events).toEqual([])
  })
})

describe('An approval of a step', () => {
  it('opens the next one; the last one approves the post in the same append', () => {
    const first = given(...pendingUnder(twoSteps)).when(approve(text.id), as(ada))
    const { approvalHash } = p.approved.data as { approvalHash: string }
    expect(first.events).toEqual([{ type: 'PostStepApproved', data: { stepId: text.id, approvalHash, settles: true } }])
    expect(first.state.status).toBe('pending')
    const second = given(...after(pendingUnder(twoSteps), [approve(text.id), as(ada)])).when(approve(last.id), as(nora))
    expect(typesOf(second.events)).toEqual(['PostStepApproved', 'PostApproved'])
    expect(second.events[1]).toEqual(p.approved)
    expect(second.state.status).toBe('approved')
  })

  it('appends nothing when it is repeated, and is refused for a step that is not open', () => {
    expect(
      given(...pendingUnder(twoSteps))
        .when(approve(text.id), as(ada))
        .again(),
    ).toEqual([])
    expect(given(...pendingUnder(twoSteps)).when(approve(last.id), as(nora)).reason).toBe('step-over')
    expect(given(...pendingUnder(twoSteps)).when({ type: 'ApprovePost' }, as(ada)).reason).toBe('step-over')
  })

  it('is refused to people outside the step, to a writer, and to a process', () => {
    expect(given(...pendingUnder(twoSteps)).when(approve(text.id), as(nora)).reason).toBe('not-your-step')
    expect(given(...pendingUnder(twoSteps)).when(approve(text.id), as('writer')).reason).toBe('right-missing')
    const process = { ...as(ada), acting: p.context.acting }
    expect(given(...pendingUnder(twoSteps)).when(approve(text.id), process).reason).toBe('not-your-step')
  })

  it.each<readonly [string, ApprovalPolicy, boolean]>([
    ['the agency', twoSteps, false],
    ['the policy', { ...twoSteps, ownApproval: 'refused' }, true],
  ])('of an own post is refused where %s refuses it', (_, policy, mayApproveOwn) => {
    const own = [by('ada', p.written)]
    const pending = pendingUnder(policy, own, { mayApproveOwn })
    expect(given(...pending).when(approve(text.id), as(ada, { policy, mayApproveOwn })).reason).toBe('own-post')
    expect(given(...pending).when(approve(text.id), as(bob, { policy, mayApproveOwn })).reason).toBeUndefined()
  })

  it('of all settles the step with the last one, less those who were removed since', () => {
    const policy = policyOf(everyone)
    const first = after(pendingUnder(policy), [approve(everyone.id), as(ada, { policy })])
    expect(fold(first)).toMatchObject({ status: 'pending', round: { settled: 0 } })
    expect(given(...first).when(approve(everyone.id), as(ada, { policy })).events).toEqual([])
    expect(typesOf(given(...first).when(approve(everyone.id), as(bob, { policy })).events)).toEqual([
      'PostStepApproved',
      'PostApproved',
    ])
    const left = as(ada, { policy, approvers: [nora, ada] })
    expect(typesOf(given(...first).when(approve(everyone.id), left).events)).toEqual([
      'PostStepApproved',
      'PostApproved',
    ])
  })

  it('of all does not need a manager who came later', () => {
    const policy = policyOf(everyone)
    const pending = pendingUnder(policy, draft, { approvers: [nora, ada] })
    expect(given(...pending).when(approve(everyone.id), as(bob, { policy })).reason).toBe('not-your-step')
    expect(given(...pending).when(approve(everyone.id), as(ada, { policy })).state.status).toBe('approved')
  })

  it('is for the profile that is connected: another one needs a new round', () => {
    const approved = after(pendingUnder(twoSteps), [approve(text.id), as(ada)])
    const account = { platform: 'facebook', remoteId: 'page-2', isConnected: true, pausedUntil: null } as const
    expect(given(...approved).when(approve(last.id), as(nora, { account })).reason).toBe('not-what-was-approved')
  })

  it('falls with the text, the image, a rejection and a return to drafts', () => {
    const approved = after(pendingUnder(twoSteps), [approve(text.id), as(ada)])
    const returned = after(approved, [{ type: 'ReturnPostToDraft' }, as(ada)])
    expect(fold(returned).round).toBeUndefined()
    const rejected = after(approved, [{ type: 'RejectPost', reason: null }, as(ada)])
    const revised = after(rejected, [{ type: 'ReviseContent', content: 'Better', generation: null }, as('writer')])
    expect(fold(revised).round).toBeUndefined()
    expect(fold(after(revised, [submit, as('writer')])).round).toMatchObject({ settled: 0, approvals: [] })
  })
})

describe('A skipped step', () => {
  it('is skipped by an owner or admin, with the reason; the last one approves the post', () => {
    const { events } = given(...pendingUnder(twoSteps)).when(skip(text.id), as(nora))
    expect(events).toEqual([{ type: 'PostStepSkipped', data: { stepId: text.id, reason: 'On leave' } }])
    const one = given(...pendingUnder(policyOf(text))).when(skip(text.id), as(nora, { approvers: [nora] }))
    expect(typesOf(one.events)).toEqual(['PostStepSkipped', 'PostApproved'])
    expect(one.again()).toEqual([])
  })

  it('is refused to a manager, to the author, and for another step', () => {
    const own = pendingUnder(twoSteps, [by('nora', p.written)])
    expect(given(...pendingUnder(twoSteps)).when(skip(text.id), as(ada)).reason).toBe('right-missing')
    expect(given(...own).when(skip(text.id), as(nora, { mayApproveOwn: false })).reason).toBe('own-post')
    expect(given(...pendingUnder(twoSteps)).when(skip(last.id), as(nora)).reason).toBe('step-over')
    expect(given(...p.pasts.pending).when(skip(last.id), as(nora)).reason).toBe('wrong-state')
  })
})

describe('A bound time', () => {
  const release = (scheduledFor: string | null): PostCommand => ({ type: 'ReleasePost', scheduledFor })
  const planned = [...draft, by('wim', { type: 'PostPlanned', data: { scheduledFor: p.tomorrow } })]
  const at = (minutes: number) => new Date(Date.parse(p.tomorrow) + minutes * 60_000).toISOString()
  const approvedFor = (policy: ApprovalPolicy) =>
    after(pendingUnder(policy, planned), [approve(text.id), as(ada, { policy })])

  it('that has passed needs a new one before the approval', () => {
    const late = as(ada, { now: p.nextWeek })
    expect(given(...pendingUnder(bound(60), planned)).when(approve(text.id), late).reason).toBe('agreed-time-passed')
    expect(given(...pendingUnder(policyOf(text), planned)).when(approve(text.id), late).reason).toBeUndefined()
  })

  it('moves as far as was agreed, counted from the agreed time; further opens the steps again', () => {
    const move = (minutes: number): PostCommand => ({ type: 'ReschedulePost', scheduledFor: at(minutes) })
    const near = after(approvedFor(bound(60)), [move(60), as(ada)])
    expect(fold(near)).toMatchObject({ status: 'approved', scheduledFor: at(60) })
    const far = given(...near).when(move(61), as(ada))
    expect(typesOf(far.events)).toEqual(['PostRescheduled', 'PostReturnedToDraft', 'PostSubmitted'])
    expect(far.state).toMatchObject({ status: 'pending', scheduledFor: at(61), round: { settled: 0, agreedFor: null } })
    expect(far.again()).toEqual([])
    expect(fold(after(approvedFor(policyOf(text)), [move(9_000), as(ada)])).status).toBe('approved')
  })

  it('keeps a post from being published now, tried again or released at another', () => {
    expect(given(...approvedFor(bound(60))).when({ type: 'PublishPostNow' }, as(ada)).reason).toBe('beyond-agreed-time')
    expect(given(...approvedFor(bound(10_080))).when({ type: 'PublishPostNow' }, as(ada)).reason).toBeUndefined()
    const held = [...approvedFor(bound(60)), p.held]
    const late = as(ada, { now: at(90) })
    expect(given(...held).when(release(at(91)), late).reason).toBe('beyond-agreed-time')
    expect(given(...held).when(release(null), late).reason).toBe('agreed-time-passed')
    expect(given(...held).when(release(null), as(ada, { now: at(60) })).state.scheduledFor).toBe(at(60))
  })

  it('is kept by a release without a time while it is ahead', () => {
    const near = after(approvedFor(bound(60)), [{ type: 'ReschedulePost', scheduledFor: at(60) }, as(ada)])
    const { state } = given(...near, p.held).when(release(null), as(ada))
    expect(state).toMatchObject({ status: 'approved', delivery: 'none', scheduledFor: at(60) })
  })
})

describe('The abilities of a pending post under a policy', () => {
  const pending = fold(pendingUnder(twoSteps))
  const of = (context: PostContext, post = pending) => abilitiesFor(post, context.acting, context.approvals)

  it('have approve for the people of the open step, and to skip or reassign it for an owner', () => {
    expect(of(as(ada))).toEqual(['approve', 'reject', 'return-to-draft', 'assign', 'delete'])
    expect(of(as(nora))).toEqual(['skip-step', 'reassign-step', 'reject', 'return-to-draft', 'assign', 'delete'])
    expect(of(as('writer'))).not.toContain('approve')
  })

  it('have no schedule and no publish-now for a draft', () => {
    expect(of(as(nora), fold(draft))).toEqual(['edit', 'plan', 'submit', 'assign', 'delete'])
    expect(of(as(nora, { policy: null }), fold(draft))).toContain('schedule')
  })
})

it('A step’s abilities match what its rules accept, in every state', { tags: 'long' }, () => {
  const step = fc.constantFrom('step-1', 'step-2')
  const command = fc.oneof<fc.Arbitrary<PostCommand>[]>(
    postCommand,
    fc.constant(submit),
    step.map(approve),
    step.map(skip),
  )
  const acts = fc.array(fc.record({ command, around: aroundPostUnderPolicy, wait: waits }), {
    minLength: 1,
    maxLength: 20,
  })
  const seen = { approve: 0, skip: 0, reassign: 0, settled: 0 }
  fc.assert(
    fc.property(acts, (taken) => {
      let post = fold([by('id-1', p.written)])
      let minutes = 0
      for (const { command, around, wait } of taken) {
        minutes += wait
        const context = { ...around, now: clockAt(minutes), freeSlot: clockAt(minutes + 60) }
        const fine = { ...context, standing: 'good', clientOnRoster: true, image: null, quota: null } as const
        const settledPost = { ...post, content: 'Fine', imageUrl: null, image: null, scheduledFor: null }
        const stepId = post.round?.policy.steps[post.round.settled]?.id
        if (stepId !== undefined && post.status === 'pending' && !post.deleted) {
          const can = abilitiesFor(settledPost, context.acting, context.approvals)
          const happens = (wanted: PostCommand) => {
            const decision = postDecider.decide(withFittingHashes(settledPost), wanted, fine)
            if (isRefused(decision)) return false
            for (const event of decision) catalogue.encode(event)
            return decision.length > 0
          }
          expect(happens(approve(stepId))).toBe(can.includes('approve'))
          expect(happens(skip(stepId))).toBe(can.includes('skip-step'))
          if (can.includes('approve')) seen.approve++
          if (can.includes('skip-step')) seen.skip++
          const other = { memberId: 'another', userId: 'another', role: 'manager' } as const
          const people = { ...context.approvals, approvers: [...context.approvals.approvers, other] }
          const reassigned = postDecider.decide(settledPost, reassign(stepId, 'another'), {
            ...fine,
            approvals: people,
          })
          expect(!isRefused(reassigned)).toBe(can.includes('reassign-step'))
          if (can.includes('reassign-step')) seen.reassign++
        }
        const decision = postDecider.decide(post, command, context)
        if (isRefused(decision)) continue
        const userId = context.acting.userId ?? 'id-1'
        post = decision.map((fact) => by(userId, fact)).reduce(postDecider.evolve, post)
        if ((post.round?.settled ?? 0) > 0) seen.settled++
      }
    }),
    { seed: seedOr(3), numRuns: 250 },
  )
  expect(Object.values(seen).every((times) => times > 5)).toBe(true)
})

/** So that only the people decide: the text is exchanged above. */
function withFittingHashes(post: Post): Post {
  const hash = approvalHash({ ...post, remoteAccountId: null })
  const { round } = post
  return round ? { ...post, round: { ...round, approvals: round.approvals.map((each) => ({ ...each, hash })) } } : post
}

it('A step of the largest policy is stored whole', () => {
  const counted = Array.from({ length: maxStepMembers }, (_, index) => `user-${index}`)
  const data = { stepId: 'step-1', approvalHash: 'v1:0', settles: true, counted }
  expect(catalogue.encode({ type: 'PostStepApproved', data })).toEqual({ name: 'PostStepApproved', data })
})
