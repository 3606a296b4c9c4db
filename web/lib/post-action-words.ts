/** What people read after an act on a post. The specification fixes most of these. */

export const postActionWords = {
  error: 'Error',
  scheduledFor: (time: string) => `Scheduled for ${time}.`,
  scheduledFrom: (first: string, last: string) => `Scheduled from ${first} to ${last}.`,

  approve: {
    done: { title: 'Post approved', description: 'Post has been approved and will be published as scheduled.' },
    failed: 'Failed to approve post',
  },
  step: {
    approved: 'Step approved',
    skipped: 'Step skipped',
    reassigned: 'Step reassigned',
    notReassigned: 'Failed to reassign the step',
    failed: 'Failed to skip the step',
    next: (step: string, people: readonly string[]) =>
      people.length === 0 ? `Next: ${step}.` : `Next: ${step} (${people.join(', ')}).`,
  },
  reject: {
    done: { title: 'Post rejected', description: 'Post has been rejected and moved to drafts.' },
    failed: 'Failed to reject post',
  },
  schedule: {
    done: { title: 'Post scheduled', description: 'Post has been scheduled for publishing.' },
    failed: 'Failed to schedule post',
  },
  publishNow: {
    done: { title: 'Publishing now', description: 'Post is on its way to the network.' },
    failed: 'Failed to publish post',
    overtaken: 'This post has changed. Press Show to see the newer version.',
  },
  submit: {
    done: { title: 'Post submitted', description: 'Post is waiting for review.' },
    failed: 'Failed to submit post',
  },
  assign: {
    done: { title: 'Post assigned', description: 'They find it in Content under “Assigned to: Me”.' },
    none: { title: 'Post unassigned', description: 'The post is assigned to nobody now.' },
    failed: 'Failed to assign post',
  },
  returnToDraft: {
    done: {
      title: 'Post returned to draft',
      description: 'Its approval no longer counts. Edit the post, then submit it again.',
    },
    failed: 'Failed to return post to draft',
  },
  remove: {
    done: { title: 'Post deleted', description: 'Post has been permanently deleted.' },
    failed: 'Failed to delete post',
  },
  reschedule: {
    done: { title: 'Post rescheduled', description: 'Post schedule has been updated.' },
    failed: 'Failed to reschedule post',
    reopened: { title: 'Post rescheduled', description: 'Its approval was for another time, so it is pending again.' },
  },
  markedLive: { title: 'Marked as live', description: 'Post counts as published.' },
  markedNotLive: { title: 'Marked as not live', description: 'Post will be published at the next attempt.' },
  resolveFailed: 'Failed to settle the outcome',
  retry: {
    done: { title: 'Trying again', description: 'Post is on its way once more.' },
    failed: 'Failed to retry post',
  },
  release: {
    done: { title: 'Post released', description: 'Post is on its way again.' },
    planned: (time: string) => ({ title: 'Post released', description: `Post will go out as planned on ${time}.` }),
    failed: 'Failed to release post',
  },
} as const
