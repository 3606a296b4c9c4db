/**
 * For each stored event name, a past on which the golden event acts: one that changes nothing would show nothing of its
 * fold. The ids are those of the golden events.
 */
import type { AgencyEvent } from '../agency/events.ts'
import * as agency from '../agency/test/examples.ts'
import type { AuditorLinkEvent } from '../auditor-link/events.ts'
import type { ClientEvent } from '../client/events.ts'
import * as client from '../client/test/examples.ts'
import type { ApprovalStep } from '../core/approval-policy.ts'
import type { Fact } from '../core/event.ts'
import type { DiscussionEvent } from '../discussion/events.ts'
import * as discussion from '../discussion/test/examples.ts'
import type { PostEvent } from '../post/events.ts'
import * as post from '../post/test/examples.ts'
import type { ReviewLinkEvent } from '../review-link/events.ts'
import type { SampleEvent } from '../sample/events.ts'

export interface GoldenPasts<Event extends Fact> {
  /** Of every name without a past of its own. */
  readonly common: readonly Event[]
  /** By stored name. */
  readonly own: Readonly<Record<string, readonly Event[]>>
}

const uuid = (end: string) => `0195a000-0000-7000-8000-0000000000${end}`
const without = <Event extends Fact>(past: readonly Event[], ...types: readonly Event['type'][]) =>
  past.filter(({ type }) => !types.includes(type))

const memberId = uuid('b1')
const team: readonly AgencyEvent[] = [
  agency.opened,
  agency.trialStarted,
  agency.clientAdded,
  agency.activated,
  {
    type: 'MemberInvited',
    data: {
      invitationId: uuid('b3'),
      role: 'writer',
      clients: [agency.clientId],
      expiresAt: agency.invitationEnds,
      invitedBy: agency.ownerId,
    },
  },
  {
    type: 'MemberJoined',
    data: {
      memberId,
      userId: uuid('b2'),
      role: 'writer',
      clients: [agency.clientId],
      invitationId: uuid('b4'),
    },
  },
  { type: 'OwnershipOffered', data: { memberId } },
  { type: 'SecondFactorRequired', data: { since: '2026-03-02T10:00:00.000Z' } },
]
const trial = [agency.opened, agency.trialStarted, agency.clientAdded]

export const agencyPasts: GoldenPasts<AgencyEvent> = {
  common: team,
  own: {
    AgencyOpened: [],
    TrialStarted: [agency.opened],
    TrialExpired: trial,
    ClientAdded: without(team, 'ClientAdded'),
    SubscriptionActivated: trial,
    MemberInvited: without(team, 'MemberInvited'),
    MemberJoined: without(team, 'MemberJoined', 'OwnershipOffered'),
    OwnershipOffered: without(team, 'OwnershipOffered'),
    SecondFactorRequired: without(team, 'SecondFactorRequired'),
  },
}

const { accountId, scheduleId, slot } = client
const connected: ClientEvent = {
  type: 'SocialAccountConnected',
  data: { accountId, platform: 'facebook', remoteId: 'page-0', network: 'live', endsAt: '2026-06-02T10:00:00.000Z' },
}
const failedAt = (at: string): ClientEvent => ({
  type: 'PostPlanningFailed',
  data: { scheduleId, revision: 0, slot: at, cause: 'The writer is away.' },
})
/** The first is forgotten at the third. */
const earlierFailures = [failedAt('2026-01-31T09:00:00.000Z'), failedAt('2026-03-01T09:00:00.000Z')]
const planned: readonly ClientEvent[] = [
  client.added,
  connected,
  client.resting,
  client.scheduleAdded,
  ...earlierFailures,
  failedAt(slot),
  { type: 'ClientContactAdded', data: { contactId: uuid('c0') } },
  { type: 'ClientContactAdded', data: { contactId: client.contactId } },
]

export const clientPasts: GoldenPasts<ClientEvent> = {
  common: planned,
  own: {
    SocialAccountAdded: [],
    SocialAccountConnected: [client.added, connected, client.resting, client.lost],
    SocialAccountPaused: without(planned, 'SocialAccountPaused'),
    SocialAccountDisconnected: [client.added, connected],
    PostingScheduleAdded: without(planned, 'PostingScheduleAdded', 'PostPlanningFailed'),
    PostingScheduleResumed: [...planned, client.paused],
    PostPlanningFailed: [client.added, connected, client.scheduleAdded, ...earlierFailures],
    ClientContactAdded: without(planned, 'ClientContactAdded'),
  },
}

const comment = (commentId: string): DiscussionEvent => {
  const { parentId, audience, digest, anchor, suggestion } = discussion.write
  const data = { commentId, parentId, audience, digest, anchor, suggestion, mentions: [uuid('d1')] }
  return { type: 'CommentPosted', data }
}
const commentId = uuid('c1')

export const discussionPasts: GoldenPasts<DiscussionEvent> = {
  common: [comment(discussion.first), comment(commentId)],
  own: { CommentPosted: [comment(discussion.first)] },
}

const steps = { text: uuid('b1'), last: uuid('b2') }
/** Submitted under two steps, with reminders. */
const pending = (who: ApprovalStep['who'] = { kind: 'role', role: 'manager' }): readonly PostEvent[] => [
  post.written,
  { type: 'PostAssigned', data: { memberId: uuid('b9') } },
  post.imageStored,
  {
    type: 'PostSubmitted',
    data: {
      policy: {
        steps: [
          { id: steps.text, name: 'Text', who, need: 'all' },
          { id: steps.last, name: 'Last look', who: { kind: 'role', role: 'owner' }, need: 'all' },
        ],
        ownApproval: 'refused',
        timePart: { kind: 'bound', minutes: 60 },
        remindAfterHours: [4, 24],
      },
      counted: [uuid('a3')],
    },
  },
  { type: 'PostStepReminded', data: { stepId: steps.text, number: 1 } },
]
const approvedStep = (stepId: string): PostEvent => ({
  type: 'PostStepApproved',
  data: { stepId, approvalHash: post.bound.approvalHash, settles: true, counted: [uuid('a4')] },
})
const approved = [...pending(), approvedStep(steps.text), approvedStep(steps.last)]
const heldByClient: PostEvent = {
  type: 'PostHeld',
  data: {
    because: 'client-asked',
    review: {
      reviewerId: uuid('a5'),
      linkId: uuid('a2'),
      version: 1,
      verified: 'code',
      noteId: null,
      noteDigest: null,
    },
  },
}
const held = [...approved, post.approved, heldByClient]
const { pasts } = post

export const postPasts: GoldenPasts<PostEvent> = {
  common: pasts.claimed,
  own: {
    PostWritten: [],
    PostContentRevised: pending(),
    PostImageReplaced: pending(),
    PostImageStored: pasts.draft,
    PostPlanned: pasts.draft,
    PostSubmitted: pending(),
    PostStepApproved: pending(),
    PostStepSkipped: [...pending(), approvedStep(steps.text)],
    PostStepReassigned: [...pending(), { type: 'PostStepEscalated', data: { stepId: steps.text, to: 'owner' } }],
    PostStepReminded: pending(),
    PostStepEscalated: pending(),
    PostSignedOff: pending({ kind: 'client' }),
    PostReviewed: pending(),
    PostApproved: approved,
    PostRejected: pending(),
    PostScheduled: pasts['turned down'],
    PostRescheduled: pasts['turned down'],
    PostReturnedToDraft: held,
    PostClaimed: pasts.scheduled,
    PostFoundAbsent: pasts.unknown,
    PostHeld: pasts['turned down'],
    'PostHeld.v2': pasts['turned down'],
    PostRetried: pasts.failed,
    PostReleased: held,
    PostMetricsRecorded: pasts.published,
    PostDeleted: pasts.draft,
  },
}

export const samplePasts: GoldenPasts<SampleEvent> = {
  common: [],
  own: {
    SampleFiguresRemoved: [
      {
        type: 'SampleFiguresAdded',
        data: {
          clientId: post.clientId,
          figures: [{ platform: 'facebook', views: 1_200, likes: 80, comments: 12, shares: 9, engagement: 101 }],
        },
      },
    ],
  },
}

const expiresAt = '2026-04-02T10:00:00.000Z'
export const auditorLinkPasts: GoldenPasts<AuditorLinkEvent> = {
  common: [{ type: 'AuditorLinkIssued', data: { label: 'Monthly audit', scope: { kind: 'agency' }, expiresAt } }],
  own: { AuditorLinkIssued: [] },
}

export const reviewLinkPasts: GoldenPasts<ReviewLinkEvent> = {
  common: [
    {
      type: 'ReviewLinkIssued',
      data: {
        clientId: post.clientId,
        contacts: [client.contactId],
        anyone: false,
        scope: { kind: 'posts', postIds: [post.postId] },
        may: ['comment'],
        lock: 'none',
        expiresAt,
      },
    },
  ],
  own: { ReviewLinkIssued: [] },
}
