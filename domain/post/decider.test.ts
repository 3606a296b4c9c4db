import { describe, expect, it } from 'vitest'
import { isRefused } from '../core/decider.ts'
import { specification } from '../test/specification.ts'
import { approvalHash, type Approved } from './approval.ts'
import type { PostCommand, PostStatus } from './commands.ts'
import { postDecider } from './decider.ts'
import * as a from './test/examples.ts'
import type { PostEvent } from './events.ts'
import { pasts, type PastName } from './test/examples.ts'
import type { PostContext } from './rules.ts'
import { abilitiesOf, type Ability } from './state-table.ts'

const { given, fold } = specification(postDecider)
const imageUrl = 'https://img.example/a.jpg'
const expired: PostContext = { ...a.context, standing: 'trial-ended' }
const due: PostContext = { ...a.context, now: '2026-03-03T09:00:01.000Z' }
const retryDue: PostContext = { ...a.context, now: '2026-03-03T09:20:00.000Z' }

describe('writing', () => {
  it('creates a draft', () => {
    expect(given().when(a.write, a.context).events).toEqual([a.written])
  })
  it('submits for review when requested', () => {
    const { events, state } = given().when({ ...a.write, as: 'pending' }, a.context)
    expect(events.map(({ type }) => type)).toEqual(['PostWritten', 'PostSubmitted'])
    expect(state.status).toBe('pending')
  })
  it.each([
    ['the time given', a.nextWeek, a.nextWeek],
    ['the next free slot without one', null, a.tomorrow],
  ])('schedules when requested, for %s', (_, scheduledFor, time) => {
    const { events, state } = given().when({ ...a.write, as: 'scheduled', scheduledFor }, a.context)
    expect(events.map(({ type }) => type)).toEqual(['PostWritten', 'PostScheduled'])
    expect(state).toMatchObject({ status: 'scheduled', scheduledFor: time })
    expect(given().when({ ...a.write, as: 'scheduled' }, a.context).events[1]).toEqual(a.scheduled)
  })
  it('appends nothing when it is scheduled with an image that is unavailable', () => {
    const image = { kind: 'unusable', sentence: "The image's address answered 404." } as const
    const done = given().when({ ...a.write, imageUrl, as: 'scheduled' }, { ...a.context, image })
    expect(done).toMatchObject({ reason: 'image-unusable', events: [] })
  })
  it('appends nothing when it is repeated', () => {
    expect(given(a.written).when(a.write, a.context).events).toEqual([])
  })
  it.each([
    ['whitespace only', { ...a.write, content: ' \n\t ' }, a.context, 'content-empty'],
    ['a time that has passed', { ...a.write, scheduledFor: a.yesterday }, a.context, 'scheduled-in-the-past'],
    ['an ended trial', a.write, expired, 'subscription-needed'],
    ['a client that is gone', a.write, { ...a.context, clientOnRoster: false }, 'client-unknown'],
    ['an unknown account', a.write, { ...a.context, account: null }, 'account-unknown'],
    ['an account of another network', { ...a.write, platform: 'twitter' as const }, a.context, 'account-unknown'],
    [
      'more text than may be kept',
      { ...a.write, platform: 'linkedin' as const, content: 'x'.repeat(5_001) },
      {
        ...a.context,
        account: { platform: 'linkedin', remoteId: 'page-1', isConnected: true, pausedUntil: null } as const,
      },
      'content-too-long',
    ],
    [
      "a review over the network's limit",
      { ...a.write, as: 'pending' as const, content: 'x'.repeat(63_207) },
      a.context,
      'over-limit',
    ],
  ])('is refused with %s', (_, command, input, reason) => {
    expect(given().when(command, input).reason).toBe(reason)
  })
  it('is refused under an id in use', () => {
    expect(given(a.written).when({ ...a.write, accountId: 'other' }, a.context).reason).toBe('id-taken')
    expect(given(a.written).when({ ...a.write, content: 'Other words' }, a.context).reason).toBe('id-taken')
  })
  it('is refused for a post that has been deleted since', () => {
    expect(given(a.written, a.deleted).when(a.write, a.context).reason).toBe('made-and-deleted')
  })
  it('is recognized as a repeat after the post was edited', () => {
    const revised = { type: 'PostContentRevised', data: { content: 'Better', generationId: null } } as const
    expect(given(a.written, revised).when(a.write, a.context).events).toEqual([])
  })
})

/** Every command, its required state and its result: product.md's table. */
const acts: readonly {
  readonly ability: Ability
  readonly command: PostCommand
  readonly from: readonly PastName[]
  readonly to: string
  readonly input?: PostContext
}[] = [
  {
    ability: 'edit',
    command: { type: 'ReviseContent', content: 'Better words', generation: null },
    from: ['draft', 'rejected'],
    to: 'draft',
  },
  {
    ability: 'edit',
    command: { type: 'ReplaceImage', imageUrl: 'https://img.example/a.png' },
    from: ['draft', 'rejected'],
    to: 'draft',
  },
  { ability: 'plan', command: { type: 'PlanPost', scheduledFor: a.nextWeek }, from: ['draft'], to: 'draft' },
  { ability: 'submit', command: { type: 'SubmitPost' }, from: ['draft'], to: 'pending' },
  { ability: 'approve', command: { type: 'ApprovePost' }, from: ['pending'], to: 'approved' },
  { ability: 'reject', command: { type: 'RejectPost', reason: 'Not now' }, from: ['pending'], to: 'rejected' },
  {
    ability: 'schedule',
    command: { type: 'SchedulePost', scheduledFor: a.nextWeek },
    from: ['draft'],
    to: 'scheduled',
  },
  {
    ability: 'publish-now',
    command: { type: 'PublishPostNow' },
    from: ['draft', 'approved', 'scheduled', 'turned down'],
    to: 'on its way',
  },
  {
    ability: 'reschedule',
    command: { type: 'ReschedulePost', scheduledFor: a.nextWeek },
    from: ['approved', 'scheduled', 'turned down', 'failed', 'held'],
    to: 'same',
  },
  {
    ability: 'return-to-draft',
    command: { type: 'ReturnPostToDraft' },
    from: ['pending', 'approved', 'scheduled', 'turned down', 'failed', 'held'],
    to: 'draft',
  },
  {
    ability: 'resolve',
    command: { type: 'ResolveAsLive', attemptId: null, url: 'https://network.example/9', remoteId: null },
    from: ['unknown'],
    to: 'published',
  },
  { ability: 'resolve', command: { type: 'ResolveAsNotLive', attemptId: a.attemptId }, from: ['unknown'], to: 'same' },
  { ability: 'retry', command: { type: 'RetryPost', scheduledFor: a.nextWeek }, from: ['failed'], to: 'same' },
  { ability: 'release', command: { type: 'ReleasePost', scheduledFor: a.nextWeek }, from: ['held'], to: 'same' },
  {
    ability: 'delete',
    command: { type: 'DeletePost', because: 'asked' },
    from: [
      'draft',
      'pending',
      'rejected',
      'approved',
      'scheduled',
      'claimed',
      'turned down',
      'unknown',
      'failed',
      'held',
      'published',
      'measured',
    ],
    to: 'same',
  },
]

/** A draft is scheduled; an approved or scheduled post stays so. */
const onItsWay = (status: PostStatus) => (status === 'draft' ? 'scheduled' : status)

describe('the state table', () => {
  const names = Object.keys(pasts) as PastName[]

  for (const { ability, command, from, to } of acts) {
    describe(command.type, () => {
      it.each(from)('is accepted from %s', (name) => {
        const before = fold(pasts[name])
        const { events, refused, state } = given(...pasts[name]).when(command, a.context)
        expect(refused).toBeUndefined()
        expect(events.length).toBeGreaterThan(0)
        if (to === 'on its way') expect(state).toMatchObject({ status: onItsWay(before.status), scheduledFor: a.now })
        else expect(state.status).toBe(to === 'same' ? before.status : to)
        expect(abilitiesOf(before)).toContain(ability)
      })
      it.each(from)('from %s appends nothing when it is repeated', (name) => {
        expect(
          given(...pasts[name])
            .when(command, a.context)
            .again(),
        ).toEqual([])
      })
      it.each(names.filter((name) => !from.includes(name) && name !== 'deleted'))(
        'never appends from %s [4.10]',
        (name) => {
          const { events } = given(...pasts[name]).when(command, a.context)
          expect(events).toEqual([])
          if (ability !== 'delete') expect(abilitiesOf(fold(pasts[name]))).not.toContain(ability)
        },
      )
      it('is refused for a deleted post', () => {
        const { events, reason } = given(...pasts.deleted).when(command, a.context)
        expect(events).toEqual([])
        expect(reason).toBe(command.type === 'DeletePost' ? undefined : 'post-unknown')
      })
    })
  }

  it('a second rejection with another reason is refused, without a reason it appends nothing', () => {
    expect(given(...pasts.rejected).when({ type: 'RejectPost', reason: 'Other' }, a.context).reason).toBe('wrong-state')
    expect(given(...pasts.rejected).when({ type: 'RejectPost', reason: null }, a.context).events).toEqual([])
  })

  it('a refusal names the state', () => {
    expect(given(a.written).when({ type: 'ApprovePost' }, a.context).refused).toEqual({
      reason: 'wrong-state',
      ability: 'approve',
      status: 'draft',
      delivery: 'none',
    })
    expect(given(...pasts.claimed).when({ type: 'ReschedulePost', scheduledFor: a.nextWeek }, a.context).reason).toBe(
      'being-published',
    )
    expect(given(...pasts.unknown).when({ type: 'ReturnPostToDraft' }, a.context).reason).toBe('outcome-unknown')
  })

  it('an ended trial blocks exactly the commands that it should', () => {
    const gated = acts.filter(({ command, from }) => {
      const past = pasts[from[0] ?? 'draft']
      return given(...past).when(command, expired).reason === 'subscription-needed'
    })
    expect(gated.map(({ command }) => command.type)).toEqual([
      'SubmitPost',
      'ApprovePost',
      'SchedulePost',
      'PublishPostNow',
      'RetryPost',
      'ReleasePost',
    ])
  })
})

describe('times', () => {
  it('an approval keeps a time in the future', () => {
    const planned = { type: 'PostPlanned', data: { scheduledFor: a.nextWeek } } as const
    const { state } = given(a.written, planned, a.submitted).when({ type: 'ApprovePost' }, a.context)
    expect(state.scheduledFor).toBe(a.nextWeek)
  })
  it.each([
    ['no time', [a.written, a.submitted]],
    [
      'a time that has passed',
      [a.written, { type: 'PostPlanned', data: { scheduledFor: a.yesterday } } as const, a.submitted],
    ],
  ])('an approval of a post with %s takes the next free slot', (_, past) => {
    expect(given(...past).when({ type: 'ApprovePost' }, a.context).state.scheduledFor).toBe(a.tomorrow)
  })
  it.each(['PlanPost', 'SchedulePost', 'ReschedulePost', 'RetryPost', 'ReleasePost'] as const)(
    '%s refuses a time in the past',
    (type) => {
      const past = {
        PlanPost: pasts.draft,
        SchedulePost: pasts.draft,
        ReschedulePost: pasts.scheduled,
        RetryPost: pasts.failed,
        ReleasePost: pasts.held,
      }[type]
      expect(given(...past).when({ type, scheduledFor: a.yesterday }, a.context).reason).toBe('scheduled-in-the-past')
    },
  )
  it('a release without a time keeps the planned one while it is ahead, and is due at once afterwards', () => {
    const release = { type: 'ReleasePost', scheduledFor: null } as const
    const ahead = given(...pasts.held).when(release, a.context)
    expect(ahead.events).toEqual([{ type: 'PostReleased', data: { scheduledFor: a.tomorrow } }])
    expect(ahead.again()).toEqual([])
    for (const now of [a.tomorrow, a.nextWeek])
      expect(given(...pasts.held).when(release, { ...a.context, now }).state.scheduledFor).toBe(now)
    expect(given(...pasts.draft).when(release, a.context).reason).toBe('wrong-state')
  })
  it('a retry without a time is due at once', () => {
    expect(given(...pasts.failed).when({ type: 'RetryPost', scheduledFor: null }, a.context).state).toMatchObject({
      delivery: 'none',
      scheduledFor: a.now,
    })
  })
})

describe("a network's limits", () => {
  const onX = {
    ...a.written,
    data: { ...a.written.data, platform: 'twitter', content: 'x'.repeat(281) },
  } as typeof a.written
  const onInstagram = { ...a.written, data: { ...a.written.data, platform: 'instagram' } } as typeof a.written
  it.each(['SubmitPost', 'SchedulePost'] as const)('%s refuses 281 characters on X', (type) => {
    const command = type === 'SubmitPost' ? { type } : { type, scheduledFor: null }
    expect(given(onX).when(command, a.context).refused).toMatchObject({ reason: 'over-limit', length: 281, limit: 280 })
  })
  it('Instagram requires an image', () => {
    expect(given(onInstagram).when({ type: 'SubmitPost' }, a.context).reason).toBe('needs-an-image')
    const image = { type: 'PostImageReplaced', data: { imageUrl: 'https://img.example/a.png' } } as const
    expect(given(onInstagram, image).when({ type: 'SubmitPost' }, a.context).reason).toBeUndefined()
  })
})

describe('claiming', () => {
  const claim: PostCommand = { type: 'ClaimPost', attemptId: 'attempt-2', until: '2026-03-03T09:02:00.000Z' }

  it.each(['approved', 'scheduled'] as const)('accepts a due post that is %s', (name) => {
    const { events, state } = given(...pasts[name]).when(claim, due)
    expect(events).toEqual([
      { type: 'PostClaimed', data: { attemptId: 'attempt-2', number: 1, until: '2026-03-03T09:02:00.000Z' } },
    ])
    expect(state.delivery).toBe('claimed')
  })
  it('accepts a rejected post once its retry is due, as the next attempt', () => {
    expect(given(...pasts['turned down']).when(claim, due).reason).toBe('not-due')
    expect(given(...pasts['turned down']).when(claim, retryDue).events).toMatchObject([{ data: { number: 2 } }])
  })
  it('appends nothing when the same claim is repeated', () => {
    expect(
      given(...pasts.scheduled)
        .when(claim, due)
        .again(),
    ).toEqual([])
  })
  it.each([
    ['before its time', pasts.scheduled, a.context, 'not-due'],
    ["another's claim", pasts.claimed, due, 'not-claimable'],
    ['an unknown outcome', pasts.unknown, due, 'not-claimable'],
    ['a draft', pasts.draft, due, 'not-claimable'],
    ['a published post', pasts.published, due, 'not-claimable'],
    ['a held post', pasts.held, due, 'not-claimable'],
    ['an ended trial', pasts.scheduled, { ...due, standing: 'trial-ended' as const }, 'subscription-needed'],
    ['a client that is gone', pasts.scheduled, { ...due, clientOnRoster: false }, 'client-unknown'],
    [
      'an account that is not connected',
      pasts.scheduled,
      { ...due, account: { platform: 'facebook' as const, remoteId: 'page-1', isConnected: false, pausedUntil: null } },
      'not-connected',
    ],
    [
      'an account that rests',
      pasts.scheduled,
      {
        ...due,
        account: {
          platform: 'facebook' as const,
          remoteId: 'page-1',
          isConnected: true,
          pausedUntil: '2026-03-04T09:00:00.000Z',
        },
      },
      'account-paused',
    ],
    [
      'another profile than the approved one',
      pasts.scheduled,
      { ...due, account: { platform: 'facebook' as const, remoteId: 'page-2', isConnected: true, pausedUntil: null } },
      'not-what-was-approved',
    ],
  ])('is refused for %s', (_, past, input, reason) => {
    expect(given(...past).when(claim, input).reason).toBe(reason)
  })
  it('is accepted during a pause whose end only a clock that ran ahead can have noted', () => {
    const paused = { platform: 'facebook' as const, remoteId: 'page-1', isConnected: true, pausedUntil: a.nextWeek }
    expect(given(...pasts.scheduled).when(claim, { ...due, account: paused }).events).toHaveLength(1)
  })
  it('accepts the first profile connected after an approval without one', () => {
    const { content } = a.write
    const data = {
      scheduledFor: a.tomorrow,
      remoteAccountId: null,
      approvalHash: approvalHash({ content, imageUrl: null, image: null, remoteAccountId: null }),
    }
    expect(given(a.written, { type: 'PostScheduled', data }).when(claim, due).reason).toBeUndefined()
  })
})

describe('an image', () => {
  const withImage = { ...a.written, data: { ...a.written.data, imageUrl } } as PostEvent
  const stored: PostContext = { ...a.context, image: { kind: 'stored', image: a.storedImage } }
  const types = (events: readonly PostEvent[]) => events.map(({ type }) => type)

  it.each<[string, PostCommand, readonly PostEvent[]]>([
    ['submitted', { type: 'SubmitPost' }, [withImage]],
    ['scheduled', { type: 'SchedulePost', scheduledFor: a.nextWeek }, [withImage]],
    ['approved, submitted before images were stored', { type: 'ApprovePost' }, [withImage, a.submitted]],
  ])('is stored when its post is %s', (_, command, past) => {
    const { events, state } = given(...past).when(command, stored)
    expect(types(events)[0]).toBe('PostImageStored')
    expect(state.image).toEqual(a.storedImage)
  })
  it.each([
    ['pending', 'PostSubmitted'],
    ['scheduled', 'PostScheduled'],
  ] as const)('is stored when its post is written as %s', (as, last) => {
    const { events } = given().when({ ...a.write, imageUrl, as }, stored)
    expect(types(events)).toEqual(['PostWritten', 'PostImageStored', last])
  })
  it('is stored once: the reviewed image is the approved one', () => {
    const other: PostContext = {
      ...a.context,
      image: { kind: 'stored', image: { ...a.storedImage, hash: 'b'.repeat(64) } },
    }
    const { state } = given(withImage).when({ type: 'SubmitPost' }, stored)
    const approved = postDecider.decide(state, { type: 'ApprovePost' }, other)
    expect(isRefused(approved) ? approved : types(approved)).toEqual(['PostApproved'])
  })
  it('that is unavailable keeps its post from review', () => {
    const image = { kind: 'unusable', sentence: "The image's address answered 404." } as const
    expect(given(withImage).when({ type: 'SubmitPost' }, { ...a.context, image }).reason).toBe('image-unusable')
  })
  it('is fetched again after it was replaced', () => {
    const { state } = given(withImage, a.imageStored).when(
      { type: 'ReplaceImage', imageUrl: 'https://img.example/b.jpg' },
      a.context,
    )
    expect(state.image).toBeNull()
  })
})

describe('an exhausted quota', () => {
  const full: PostContext = { ...a.context, quota: { left: 0, until: '2026-03-03T10:00:00.000Z' } }
  it('refuses a time within it, and allows a later one', () => {
    expect(given(...pasts.draft).when({ type: 'SchedulePost', scheduledFor: a.tomorrow }, full).reason).toBe(
      'quota-used-up',
    )
    expect(given(...pasts.draft).when({ type: 'SchedulePost', scheduledFor: a.nextWeek }, full).reason).toBeUndefined()
    expect(given(...pasts.pending).when({ type: 'ApprovePost' }, full).reason).toBe('quota-used-up')
  })
})

describe('the outcome of an attempt', () => {
  const { attemptId } = a
  const outcomes: readonly PostCommand[] = [
    { type: 'RecordPrepared', attemptId, media: ['container-1'] },
    { type: 'ConfirmPublished', attemptId, remoteId: 'remote-1', url: null },
    { type: 'RecordPublishingRejected', attemptId, cause: 'Busy', remedy: 'wait', retryAt: a.nextWeek },
    { type: 'RecordPublishingFailed', attemptId, cause: 'Refused', remedy: 'edit' },
    { type: 'RecordOutcomeUnknown', attemptId, cause: 'No answer' },
  ]
  it.each(outcomes)('$type is recorded once', (command) => {
    const step = given(...pasts.claimed).when(command, due)
    expect(step.events).toHaveLength(1)
    expect(step.again()).toEqual([])
  })
  it.each(outcomes)('$type is recorded for a post that has been deleted meanwhile', (command) => {
    expect(given(...pasts.claimed, a.deleted).when(command, due).events).toHaveLength(1)
  })
  it.each(outcomes)('$type of another attempt is refused', (command) => {
    expect(given(...pasts.claimed).when({ ...command, attemptId: 'other' } as PostCommand, due).reason).toBe(
      'attempt-over',
    )
  })
  it('a late answer settles an unknown outcome', () => {
    const confirm = { type: 'ConfirmPublished', attemptId, remoteId: 'remote-1', url: null } as const
    expect(given(...pasts.unknown).when(confirm, due).state.status).toBe('published')
  })
  it.each<PostCommand>([
    { type: 'ResolveAsNotLive', attemptId },
    { type: 'ResolveAsLive', attemptId, url: 'https://network.example/9', remoteId: 'remote-9' },
  ])('$type of an earlier attempt is refused, because the current one may be live', (command) => {
    const second: PostEvent[] = [
      { type: 'PostClaimed', data: { attemptId: 'attempt-2', number: 2, until: '2026-03-03T09:30:00.000Z' } },
      { type: 'PublishingOutcomeUnknown', data: { attemptId: 'attempt-2', cause: 'No answer' } },
    ]
    const absent: PostEvent = { type: 'PostFoundAbsent', data: { attemptId } }
    expect(given(...pasts.unknown, absent, ...second).when(command, retryDue).reason).toBe('attempt-over')
  })
  it('a post that was found absent is due again', () => {
    const { state } = given(...pasts.unknown).when({ type: 'ResolveAsNotLive', attemptId }, due)
    expect(state).toMatchObject({ status: 'scheduled', delivery: 'none' })
  })
  it.each(['scheduled', 'turned down'] as const)('a %s post can be held once it is due', (name) => {
    const step = given(...pasts[name]).when({ type: 'HoldPost', because: 'overdue' }, retryDue)
    expect(step.state.delivery).toBe('held')
    expect(step.again()).toEqual([])
  })
  it('a claimed post is never held', () => {
    expect(given(...pasts.claimed).when({ type: 'HoldPost', because: 'overdue' }, retryDue).reason).toBe(
      'not-claimable',
    )
  })
})

describe('figures', () => {
  const read = (reading: number, views: number, shares: number | null): PostCommand => ({
    type: 'RecordMetrics',
    reading,
    totals: { views, likes: 10, comments: 2, shares },
  })
  it('are recorded with the difference to the last reading [3.14]', () => {
    expect(given(...pasts.measured).when(read(1, 150, null), due).events).toMatchObject([
      { data: { reading: 1, delta: { views: 50, likes: 3, comments: 0, shares: 0, engagement: 3 } } },
    ])
  })
  it('distinguish zero from a figure that the network does not offer', () => {
    expect(given(...pasts.published).when(read(0, 1, null), due).state.totals?.shares).toBeNull()
    expect(given(...pasts.published).when(read(0, 1, 0), due).state.totals?.shares).toBe(0)
  })
  it('keep their value when a network stops offering them', () => {
    const { events, state } = given(...pasts.measured).when(
      { type: 'RecordMetrics', reading: 1, totals: { views: null, likes: 10, comments: null, shares: null } },
      due,
    )
    expect(events).toMatchObject([{ data: { delta: { views: 0, likes: 3, comments: 0, engagement: 3 } } }])
    expect(state.totals).toEqual({ views: 100, likes: 10, comments: 2, shares: null })
  })
  it('are recorded once per reading', () => {
    expect(given(...pasts.measured).when(read(0, 99, null), due).events).toEqual([])
  })
  it('are recorded in order: a reading ahead of its turn appends nothing', () => {
    expect(given(...pasts.measured).when(read(2, 200, null), due).events).toEqual([])
  })
  it('are refused before the post is published', () => {
    expect(given(...pasts.scheduled).when(read(0, 1, null), due).reason).toBe('not-published')
  })
  it('are subtracted with a deleted post', () => {
    expect(given(...pasts.measured).when({ type: 'DeletePost', because: 'asked' }, due).events).toMatchObject([
      { data: { measured: true, figures: { views: 100, engagement: 9 } } },
    ])
  })
})

describe('the approval hash', () => {
  it('changes with the text, the image and the profile', () => {
    const base: Approved = { content: 'a', imageUrl: null, image: null, remoteAccountId: 'p' }
    const hashes = [
      base,
      { ...base, content: 'b' },
      { ...base, imageUrl },
      { ...base, imageUrl, image: a.storedImage },
      { ...base, remoteAccountId: 'q' },
    ].map(approvalHash)
    expect(new Set(hashes).size).toBe(5)
    expect(hashes.every((hash) => /^v1:[0-9a-f]{64}$/.test(hash))).toBe(true)
  })
})

it('A post that does not exist can not be submitted', () => {
  const decision = postDecider.decide(postDecider.initial, { type: 'SubmitPost' }, a.context)
  expect(isRefused(decision) && decision.refused.reason).toBe('post-unknown')
})

describe('a post of a posting schedule', () => {
  const plan = { scheduleId: 'schedule-1', revision: 2, slot: a.tomorrow }
  const planned = { ...a.write, scheduledFor: a.tomorrow, as: 'pending' as const, plan }
  const withdraw = { type: 'WithdrawPost', because: 'schedule-changed' } as const
  const { events } = given().when(planned, a.context)

  it('records its slot', () => {
    expect(events[0]).toMatchObject({ type: 'PostWritten', data: { plan } })
  })
  it('is deleted when the schedule no longer wants it', () => {
    expect(given(...events).when(withdraw, a.context).events).toMatchObject([
      { type: 'PostDeleted', data: { because: 'schedule-changed' } },
    ])
  })
  it.each<PostCommand>([{ type: 'ApprovePost' }, { type: 'RejectPost', reason: null }, { type: 'ReturnPostToDraft' }])(
    'stays once a person has done something with it: $type',
    (act) => {
      const after = given(...events).when(act, a.context).events
      expect(after).not.toEqual([])
      expect(given(...events, ...after).when(withdraw, a.context).events).toEqual([])
    },
  )
  it('can not be withdrawn if it has no schedule', () => {
    expect(given(a.written, a.submitted).when(withdraw, a.context).events).toEqual([])
  })
})

describe('a generated text', () => {
  const provenance = { writer: 'openai', model: 'model-1', topic: 'Spring', tone: 'warm', edited: true }
  const generation = { generationId: 'text-1', ...provenance }

  it('is stored with its writer, model, topic and tone', () => {
    expect(given().when({ ...a.write, generation }, a.context).events).toMatchObject([
      { data: { generationId: 'text-1', provenance } },
    ])
    const revise: PostCommand = { type: 'ReviseContent', content: 'Better', generation }
    expect(given(a.written).when(revise, a.context).events).toMatchObject([
      { data: { generationId: 'text-1', provenance } },
    ])
  })
})
