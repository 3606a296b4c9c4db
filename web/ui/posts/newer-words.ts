/** The words of the line that says what became of a post that a dialog shows. */
export const newerWords = {
  deleted: 'Deleted',
  rescheduled: 'Rescheduled',
  textChanged: 'Text changed',
  imageChanged: 'Image changed',
  changed: 'Changed',
  show: 'Show',
  reason: (what: string) => `Not possible any more: this post is now ${what}.`,
  deletedReason: 'Not possible any more: this post was deleted.',
  changedReason: 'Not possible any more: this post has changed.',
} as const
