/** Named examples of posts and their command context, for tests and for readers. */
import type { StoredImage } from '../../core/values.ts'
import type { PostEvent } from '../events.ts'
import type { PostCommand } from '../commands.ts'
import { everyRight } from '../rights.ts'
import type { PostContext } from '../rules.ts'
import { noApprovals } from '../../core/approval-round.ts'
import { approvalHash } from '../approval.ts'

export const now = '2026-03-02T10:00:00.000Z'
export const tomorrow = '2026-03-03T09:00:00.000Z'
export const nextWeek = '2026-03-09T09:00:00.000Z'
export const yesterday = '2026-03-01T09:00:00.000Z'

export const clientId = '0195a000-0000-7000-8000-000000000001'
export const accountId = '0195a000-0000-7000-8000-000000000002'
export const postId = '0195a000-0000-7000-8000-000000000003'
export const remoteAccountId = 'page-1'

/** A stored image that every network accepts. */
export const storedImage: StoredImage = {
  hash: 'a'.repeat(64),
  type: 'image/jpeg',
  size: 48_213,
  width: 1080,
  height: 1080,
}

/** The normal case: paid, with a known client and a connected account. */
export const context: PostContext = {
  now,
  standing: 'good',
  clientOnRoster: true,
  acting: everyRight,
  approvals: noApprovals,
  isAssignable: true,
  account: { platform: 'facebook', remoteId: remoteAccountId, isConnected: true, pausedUntil: null },
  image: null,
  quota: null,
  freeSlot: tomorrow,
}

export const write: Extract<PostCommand, { type: 'WritePost' }> = {
  type: 'WritePost',
  postId,
  clientId,
  accountId,
  platform: 'facebook',
  content: 'Fresh coffee, every morning from seven.',
  imageUrl: null,
  scheduledFor: null,
  as: 'draft',
  generation: null,
  plan: null,
}

export const first = {
  clientId,
  accountId,
  platform: 'facebook',
  content: write.content,
  imageUrl: null,
  scheduledFor: null,
  generationId: null,
} as const
export const written: PostEvent = { type: 'PostWritten', data: first }
export const submitted: PostEvent = { type: 'PostSubmitted', data: {} }
export const rejected: PostEvent = { type: 'PostRejected', data: { reason: 'Too long' } }

export const imageStored: PostEvent = {
  type: 'PostImageStored',
  data: { imageUrl: 'https://img.example/a.jpg', image: storedImage },
}

export const bound = {
  scheduledFor: tomorrow,
  remoteAccountId,
  approvalHash: approvalHash({ content: write.content, imageUrl: null, image: null, remoteAccountId }),
}
export const approved: PostEvent = { type: 'PostApproved', data: bound }
export const scheduled: PostEvent = { type: 'PostScheduled', data: bound }

export const attemptId = 'attempt-1'
export const claimed: PostEvent = {
  type: 'PostClaimed',
  data: { attemptId, number: 1, until: '2026-03-03T09:02:00.000Z' },
}
export const published: PostEvent = {
  type: 'PostPublished',
  data: { attemptId, remoteId: 'remote-1', url: 'https://network.example/remote-1', known: 'answer' },
}
export const turnedDown: PostEvent = {
  type: 'PublishingRejected',
  data: { attemptId, cause: 'Too many posts', remedy: 'wait', retryAt: '2026-03-03T09:15:00.000Z' },
}
export const unknown: PostEvent = { type: 'PublishingOutcomeUnknown', data: { attemptId, cause: 'No answer' } }
export const failed: PostEvent = {
  type: 'PublishingFailed',
  data: { attemptId, cause: 'The network refused it', remedy: 'edit' },
}
export const held: PostEvent = { type: 'PostHeld', data: { because: 'overdue', review: null } }
export const deleted: PostEvent = {
  type: 'PostDeleted',
  data: {
    because: 'asked',
    platform: 'facebook',
    from: 'draft',
    measured: false,
    figures: { views: 0, likes: 0, comments: 0, shares: 0, engagement: 0 },
  },
}
export const measured: PostEvent = {
  type: 'PostMetricsRecorded',
  data: {
    reading: 0,
    platform: 'facebook',
    totals: { views: 100, likes: 7, comments: 2, shares: null },
    delta: { views: 100, likes: 7, comments: 2, shares: 0, engagement: 9 },
  },
}

/** Submitted under a policy whose one step is the client's. */
export const pendingForClient: readonly PostEvent[] = [
  written,
  {
    type: 'PostSubmitted',
    data: {
      policy: {
        steps: [{ id: 'step-client', name: 'Client', who: { kind: 'client' }, need: 'any' }],
        ownApproval: 'agency',
        timePart: { kind: 'free' },
      },
    },
  },
]

/** A past for each reachable status and delivery. */
export const pasts = {
  draft: [written],
  pending: [written, submitted],
  rejected: [written, submitted, rejected],
  approved: [written, submitted, approved],
  scheduled: [written, scheduled],
  claimed: [written, scheduled, claimed],
  'turned down': [written, scheduled, claimed, turnedDown],
  unknown: [written, scheduled, claimed, unknown],
  failed: [written, scheduled, claimed, failed],
  held: [written, scheduled, held],
  published: [written, scheduled, claimed, published],
  measured: [written, scheduled, claimed, published, measured],
  deleted: [written, deleted],
} as const satisfies Readonly<Record<string, readonly PostEvent[]>>
export type PastName = keyof typeof pasts
