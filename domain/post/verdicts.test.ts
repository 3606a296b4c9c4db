import { describe, expect, it } from 'vitest'
import type { ApprovalPolicy, ApprovalStep } from '../core/approval-policy.ts'
import { specification } from '../test/specification.ts'
import { approvalHash } from './approval.ts'
import type { PostCommand } from './commands.ts'
import { postDecider } from './decider.ts'
import type { PostEvent } from './events.ts'
import { abilitiesFor } from './rights.ts'
import type { PostContext } from './rules.ts'
import * as p from './test/examples.ts'
import { maxVerdicts } from './verdicts.ts'

const { given, fold } = specification(postDecider)
type Verdict = Extract<PostCommand, { type: 'GiveVerdict' }>

const reviewer = { reviewerId: 'rita', linkId: 'link-1', verified: 'named', noteId: null, noteDigest: null } as const
const approve: Verdict = {
  type: 'GiveVerdict',
  verdict: 'approve',
  seenHash: p.bound.approvalHash,
  seenVersion: 1,
  enteredBy: 'nora',
  ...reviewer,
}
const changes: Verdict = { ...approve, verdict: 'changes', noteId: 'note-1', noteDigest: 'v1:salted' }
const hold: PostCommand = { type: 'HoldByReviewer', ...reviewer }

const clientStep: ApprovalStep = { id: 'step-client', name: 'Client', who: { kind: 'client' }, need: 'any' }
const managers: ApprovalStep = { id: 'step-text', name: 'Text', who: { kind: 'role', role: 'manager' }, need: 'any' }
const policyOf = (...steps: readonly ApprovalStep[]): ApprovalPolicy => ({
  steps: [...steps],
  ownApproval: 'agency',
  timePart: { kind: 'free' },
})
const by = (userId: string, fact: PostEvent): PostEvent =>
  Object.assign({ ...fact }, { metadata: { actor: { type: 'user', id: userId } } })
const pendingUnder = (policy: ApprovalPolicy): readonly PostEvent[] => [
  by('wim', p.written),
  { type: 'PostSubmitted', data: { policy } },
]
const reading: PostContext = {
  ...p.context,
  acting: { rights: 'read', userId: null, mayApproveOwn: true },
}
const strict: PostContext = { ...reading, acting: { ...reading.acting, mayApproveOwn: false } }
const typesOf = (events: readonly PostEvent[]) => events.map(({ type }) => type)
const after = (past: readonly PostEvent[], command: PostCommand, context = reading) => [
  ...past,
  ...given(...past).when(command, context).events,
]

describe("A client's approval", () => {
  it('fulfils the open step of the client; the last step approves the post in the same append', () => {
    const { events, state } = given(...pendingUnder(policyOf(clientStep))).when(approve, reading)
    expect(typesOf(events)).toEqual(['PostSignedOff', 'PostApproved'])
    expect(events[0]?.data).toEqual({
      ...reviewer,
      version: 1,
      stepId: clientStep.id,
      approvalHash: p.bound.approvalHash,
    })
    expect(state).toMatchObject({ status: 'approved', round: { approvals: [{ userId: null, reviewerId: 'rita' }] } })
  })

  it('opens the next step, and leaves the post pending', () => {
    const { events, state } = given(...pendingUnder(policyOf(clientStep, managers))).when(approve, reading)
    expect([typesOf(events), state.status]).toEqual([['PostSignedOff'], 'pending'])
  })

  it('is recorded without a step of the client, and approves nothing', () => {
    for (const past of [p.pasts.pending, pendingUnder(policyOf(managers)), p.pasts.approved]) {
      const { events, state } = given(...past).when(
        { ...approve, seenVersion: past.filter(({ type }) => type === 'PostSubmitted').length },
        reading,
      )
      expect(typesOf(events)).toEqual(['PostReviewed'])
      expect(state.status).toBe(past === p.pasts.approved ? 'approved' : 'pending')
    }
  })

  it('from before its step was open is given again', () => {
    const early = after(pendingUnder(policyOf(managers, clientStep)), approve)
    const opened: readonly PostEvent[] = [
      ...early,
      {
        type: 'PostStepApproved',
        data: { stepId: managers.id, approvalHash: p.bound.approvalHash, settles: true },
      },
    ]
    expect(typesOf(given(...opened).when(approve, reading).events)).toEqual(['PostSignedOff', 'PostApproved'])
  })

  it('repeated appends nothing', () => {
    for (const policy of [policyOf(clientStep), policyOf(managers), policyOf(clientStep, managers)])
      expect(given(...after(pendingUnder(policy), approve)).when(approve, reading).events).toEqual([])
  })

  it.each([
    ['another hash', { seenHash: 'v1:other' }],
    ['an earlier version', { seenVersion: 0 }],
    ['a later version', { seenVersion: 2 }],
  ])('of %s is refused, and approves nothing', (_, seen) => {
    const pending = given(...pendingUnder(policyOf(clientStep)))
    expect(pending.when({ ...approve, ...seen }, reading).reason).toBe('version-changed')
    expect(pending.when({ ...changes, ...seen }, reading).reason).toBe('version-changed')
  })

  it('is void after a change of the text, and of the bytes behind the same address', () => {
    const revised = after(
      after(pendingUnder(policyOf(clientStep, managers)), approve),
      { type: 'ReturnPostToDraft' },
      p.context,
    )
    const again = after(
      revised,
      { type: 'SubmitPost' },
      { ...p.context, approvals: { policy: policyOf(clientStep), approvers: [] } },
    )
    expect(given(...again).when(approve, reading).reason).toBe('version-changed')
    expect(typesOf(given(...again).when({ ...approve, seenVersion: 2 }, reading).events)).toEqual([
      'PostSignedOff',
      'PostApproved',
    ])
    const imageUrl = 'https://img.example/a.jpg'
    const replaced: readonly PostEvent[] = [
      by('wim', {
        type: 'PostWritten',
        data: { ...p.first, imageUrl },
      }),
      { type: 'PostImageStored', data: { imageUrl, image: p.storedImage } },
      { type: 'PostSubmitted', data: { policy: policyOf(clientStep) } },
    ]
    const seen = (hash: string): Verdict => ({
      ...approve,
      seenHash: approvalHash({
        content: p.write.content,
        imageUrl,
        image: { hash },
        remoteAccountId: p.remoteAccountId,
      }),
    })
    expect(given(...replaced).when(seen('b'.repeat(64)), reading).reason).toBe('version-changed')
    expect(typesOf(given(...replaced).when(seen(p.storedImage.hash), reading).events)).toHaveLength(2)
  })

  it('is paused while the agency is in bad standing; asking for changes is not', () => {
    const paused: PostContext = { ...reading, standing: 'trial-ended' }
    for (const policy of [policyOf(clientStep), policyOf(managers)]) {
      expect(given(...pendingUnder(policy)).when(approve, paused).reason).toBe('approvals-paused')
      expect(typesOf(given(...pendingUnder(policy)).when(changes, paused).events)).toEqual([
        'PostReviewed',
        'PostRejected',
      ])
    }
  })

  it('counts, where own approval is refused, only with a code to a contact whom another member entered', () => {
    const past = pendingUnder(policyOf(clientStep))
    const of = (change: Partial<Verdict>, context = strict) => given(...past).when({ ...approve, ...change }, context)
    expect(of({}).reason).toBe('code-needed')
    expect(of({ verified: 'code', enteredBy: 'wim' }).reason).toBe('contact-of-author')
    expect(of({ verified: 'code', enteredBy: null }).reason).toBe('contact-of-author')
    expect(typesOf(of({ verified: 'code' }).events)).toEqual(['PostSignedOff', 'PostApproved'])
    const byPolicy = given(...pendingUnder({ ...policyOf(clientStep), ownApproval: 'refused' }))
    expect(byPolicy.when(approve, reading).reason).toBe('code-needed')
  })

  it('is refused while the post is published, and when nothing is to be approved', () => {
    expect(given(...p.pasts.claimed).when(approve, reading).reason).toBe('being-published')
    expect(given(...p.pasts.draft).when(approve, reading).reason).toBe('wrong-state')
    expect(given(...p.pasts.published).when(approve, reading).reason).toBe('wrong-state')
  })

  it('is judged by a bounded number of people for each version', () => {
    let past: readonly PostEvent[] = p.pasts.pending
    for (let count = 0; count < maxVerdicts; count++) past = after(past, { ...approve, reviewerId: `r${count}` })
    expect(given(...past).when({ ...approve, reviewerId: 'one-more' }, reading).reason).toBe('too-many-verdicts')
  })
})

describe("A client's request for changes", () => {
  it('rejects the pending post, with the words in records alone; repeated appends nothing', () => {
    const past = after(pendingUnder(policyOf(managers)), changes)
    expect(past.slice(2)).toMatchObject([
      { type: 'PostReviewed', data: { verdict: 'changes', noteId: 'note-1', noteDigest: 'v1:salted' } },
      { type: 'PostRejected', data: { reason: null } },
    ])
    expect(given(...past).when(changes, reading).events).toEqual([])
  })

  it('of an approved post is refused: the client holds it instead', () => {
    expect(given(...p.pasts.approved).when(changes, reading).reason).toBe('wrong-state')
  })
})

describe("A client's hold", () => {
  it('stops an approved or scheduled post at any time before its publishing begins', () => {
    for (const past of [p.pasts.approved, p.pasts.scheduled]) {
      const { events, state } = given(...past).when(hold, reading)
      expect(events).toMatchObject([{ type: 'PostHeld', data: { because: 'client-asked', review: reviewer } }])
      expect(state.delivery).toBe('held')
      expect(given(...past, ...events).when(hold, reading).events).toEqual([])
    }
  })

  it('is refused once publishing has begun, and of a post that nothing is planned for', () => {
    expect(given(...p.pasts.claimed).when(hold, reading).reason).toBe('being-published')
    expect(given(...p.pasts.pending).when(hold, reading).reason).toBe('wrong-state')
  })

  it('is released by an approver, who is no author where the agency or the policy refuses own approval', () => {
    const release: PostCommand = { type: 'ReleasePost', scheduledFor: p.nextWeek }
    const refused = pendingUnder({ ...policyOf(clientStep), ownApproval: 'refused' })
    const lives: readonly (readonly [boolean, readonly PostEvent[]])[] = [
      [false, after([by('wim', p.written), ...p.pasts.approved.slice(1)], hold)],
      [true, after(after(refused, { ...approve, verified: 'code' }), hold)],
    ]
    for (const [mayApproveOwn, past] of lives) {
      const as = (userId: string): PostContext => ({
        ...p.context,
        acting: { rights: 'approve', userId, mayApproveOwn },
      })
      const canRelease = (userId: string) => abilitiesFor(fold(past), as(userId).acting).includes('release')
      expect([canRelease('wim'), canRelease('nora')]).toEqual([false, true])
      expect(given(...past).when(release, as('wim')).reason).toBe('own-post')
      const { events, state } = given(...past).when(release, as('nora'))
      expect([typesOf(events), state.delivery, state.isHeldByClient]).toEqual([['PostReleased'], 'none', undefined])
    }
  })
})
