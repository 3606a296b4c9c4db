/** Limits that the screens name too: without the schemas, which would come with them. */

export { maxReassigned, maxSkipReason } from '../../domain/core/approval-limits.ts'
export { maxCommentLength } from '../../domain/core/comment-limits.ts'
export { hasVisible } from '../../domain/core/visible.ts'

/** The limit on an uploaded or fetched image: X accepts GIFs of that size. */
export const maxImageBytes = 15 * 1024 * 1024

/** Of the words of a verdict. */
export const maxReviewNote = 2_000
export const maxReviewerName = 80

/** Accounts that get one text at once. */
export const maxGroupPosts = 20
/** Of one user. */
export const maxPasskeys = 20
