/** What posts without approval steps have always done: the events of random lives are pinned by their hash. */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isRefused } from '../core/decider.ts'
import type { PostCommand } from './commands.ts'
import { postDecider } from './decider.ts'
import type { PostContext } from './rules.ts'
import * as p from './test/examples.ts'

/** A generator of its own: the pinned lives must not change with a library. */
function randoms(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const start = Date.parse(p.now)
const instant = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

function commandsAt(minutes: number, below: (limit: number) => number): readonly PostCommand[] {
  const time = instant(minutes + below(4_000) - 60)
  const attemptId = `attempt-${below(2)}`
  const content = ['Fresh coffee', 'Better words', '', 'x'.repeat(281)][below(4)] ?? ''
  const imageUrl = [null, 'https://img.example/a.jpg'][below(2)] ?? null
  const as = (['draft', 'pending', 'scheduled'] as const)[below(3)] ?? 'draft'
  const plan = [null, { scheduleId: 'schedule-1', revision: 0, slot: p.tomorrow }][below(2)] ?? null
  return [
    {
      ...p.write,
      content: content || p.write.content,
      imageUrl,
      as,
      plan,
      scheduledFor: [null, time][below(2)] ?? null,
    },
    { type: 'ReviseContent', content, generation: null },
    { type: 'ReplaceImage', imageUrl },
    { type: 'PlanPost', scheduledFor: time },
    { type: 'SubmitPost' },
    { type: 'SubmitPost' },
    { type: 'ApprovePost' },
    { type: 'ApprovePost' },
    { type: 'RejectPost', reason: [null, 'Too long'][below(2)] ?? null },
    { type: 'SchedulePost', scheduledFor: [null, time][below(2)] ?? null },
    { type: 'PublishPostNow' },
    { type: 'ReschedulePost', scheduledFor: time },
    { type: 'ReturnPostToDraft' },
    { type: 'ClaimPost', attemptId, until: time },
    { type: 'ConfirmPublished', attemptId, remoteId: 'remote-1', url: null },
    { type: 'RecordPublishingRejected', attemptId, cause: 'Busy', remedy: 'wait', retryAt: time },
    { type: 'RecordOutcomeUnknown', attemptId, cause: 'No answer' },
    { type: 'RecordPublishingFailed', attemptId, cause: 'Refused', remedy: 'edit' },
    { type: 'HoldPost', because: 'overdue' },
    { type: 'ResolveAsNotLive', attemptId },
    { type: 'RetryPost', scheduledFor: [null, time][below(2)] ?? null },
    // For now: a release without a time was for now, and keeps a planned time that is ahead since.
    { type: 'ReleasePost', scheduledFor: [instant(minutes), time][below(2)] ?? time },
    { type: 'WithdrawPost', because: 'schedule-changed' },
  ]
}

function contextAt(minutes: number, below: (limit: number) => number): PostContext {
  const refusesOwn = below(6) === 0
  return {
    ...p.context,
    now: instant(minutes),
    freeSlot: instant(minutes + 60),
    standing: below(9) === 0 ? 'trial-ended' : 'good',
    acting: { rights: 'approve', userId: `user-${below(2)}`, mayApproveOwn: !refusesOwn },
    image: [null, { kind: 'stored', image: p.storedImage } as const][below(2)] ?? null,
  }
}

/**
 * Without what came with reviews by clients: the number of submissions in a post's state, and the second version of
 * `PostHeld`, which says that no client asked for the hold.
 */
function asThen(key: string, value: unknown): unknown {
  if (key !== 'review') return value
  expect(value === null || (value as { verdicts: unknown[] }).verdicts.length === 0).toBe(true)
  return undefined
}

/** Computed before there were approval policies. */
const pinned = '2cdaffb35aec821ca618083d20707db3d13fb4234ff1c7ee40d3d7b08e230f92'

it('A post of a client without a policy appends what it did before there were policies', { tags: 'long' }, () => {
  const below = randoms(24)
  const hash = createHash('sha256')
  const seen = new Set<string>()
  for (let life = 0; life < 250; life++) {
    let post = postDecider.initial
    let minutes = 0
    for (let step = 0; step < 30; step++) {
      minutes += below(120)
      const commands = commandsAt(minutes, below)
      const command = (step === 0 ? commands[0] : commands[below(commands.length)]) ?? commands[0]
      if (!command) continue
      const decision = postDecider.decide(post, command, contextAt(minutes, below))
      hash.update(JSON.stringify(isRefused(decision) ? decision.refused.reason : decision, asThen))
      if (isRefused(decision)) continue
      for (const { type } of decision) seen.add(type)
      post = decision
        .map((fact) => ({ ...fact, metadata: { actor: { type: 'user', id: `user-${below(2)}` } } }))
        .reduce(postDecider.evolve, post)
    }
    hash.update(JSON.stringify(post, asThen))
  }
  expect(seen.size).toBe(20)
  expect(hash.digest('hex')).toBe(pinned)
})
