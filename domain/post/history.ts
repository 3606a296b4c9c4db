import { history } from '../core/history.ts'
import { heldV1, postEvents } from './events.ts'

export const postHistory = history(
  postEvents,
  {
    PostWritten: 'PostWritten',
    PostContentRevised: 'PostContentRevised',
    PostImageReplaced: 'PostImageReplaced',
    PostImageStored: 'PostImageStored',
    PostPlanned: 'PostPlanned',
    PostSubmitted: 'PostSubmitted',
    PostStepApproved: 'PostStepApproved',
    PostStepSkipped: 'PostStepSkipped',
    PostSignedOff: 'PostSignedOff',
    PostReviewed: 'PostReviewed',
    PostApproved: 'PostApproved',
    PostRejected: 'PostRejected',
    PostScheduled: 'PostScheduled',
    PostRescheduled: 'PostRescheduled',
    PostReturnedToDraft: 'PostReturnedToDraft',
    PostAssigned: 'PostAssigned',
    PostClaimed: 'PostClaimed',
    PublishingPrepared: 'PublishingPrepared',
    PostPublished: 'PostPublished',
    PublishingRejected: 'PublishingRejected',
    PublishingOutcomeUnknown: 'PublishingOutcomeUnknown',
    PublishingFailed: 'PublishingFailed',
    PostFoundAbsent: 'PostFoundAbsent',
    PostHeld: 'PostHeld.v2',
    PostRetried: 'PostRetried',
    PostReleased: 'PostReleased',
    PostMetricsRecorded: 'PostMetricsRecorded',
    PostDeleted: 'PostDeleted',
  },
  {
    PostHeld: { schema: heldV1, next: 'PostHeld.v2', upcast: (data) => ({ ...data, review: null }) },
  },
)
