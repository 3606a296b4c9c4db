/** The words of the line that says what became of a post that a dialog shows. */
import type { PostStatus } from '../../../api/contract/index.ts'

export const newerWords = {
  deleted: 'Deleted',
  rescheduled: 'Rescheduled',
  textChanged: 'Text changed',
  imageChanged: 'Image changed',
  changed: 'Changed',
  show: 'Show',
  /** Why an act is not possible any more, by what the post is now. */
  reason: {
    draft: 'This post is a draft now.',
    pending: 'This post waits for review now.',
    approved: 'This post is approved now.',
    scheduled: 'This post is scheduled now.',
    published: 'This post is published now.',
    rejected: 'This post is rejected now.',
  } satisfies Readonly<Record<PostStatus, string>>,
  deletedReason: 'This post was deleted.',
  changedReason: 'This post has changed.',
} as const
