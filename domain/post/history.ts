import { history } from '../core/history.ts'
import { postEvents } from './events.ts'

export const postHistory = history(postEvents, {
  PostWritten: 'PostWritten',
  PostContentRevised: 'PostContentRevised',
  PostImageReplaced: 'PostImageReplaced',
  PostImageStored: 'PostImageStored',
  PostPlanned: 'PostPlanned',
  PostSubmitted: 'PostSubmitted',
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
  PostHeld: 'PostHeld',
  PostRetried: 'PostRetried',
  PostReleased: 'PostReleased',
  PostMetricsRecorded: 'PostMetricsRecorded',
  PostDeleted: 'PostDeleted',
})
