/** What became of a post that a dialog shows, in words, and which of the dialog's buttons it made impossible. */
import type { Ability, Post } from '../../../api/contract/index.ts'
import type { NewerPost } from '../../lib/use-newer-post.ts'
import { newerWords } from './newer-words.ts'
import { deliveryWords, statusLabel } from './status.ts'

type Before = Pick<Post, 'status' | 'delivery' | 'scheduledFor' | 'can'> & Partial<Pick<Post, 'content' | 'imageUrl'>>

/** `Published`. */
export function changeWords(before: Before, after: Exclude<NewerPost, null>, zone: string): string {
  if (after === 'deleted') return newerWords.deleted
  if (after.status !== before.status) return statusLabel[after.status]
  if (after.delivery !== before.delivery) return deliveryWords(after, zone)?.title ?? newerWords.changed
  if (after.scheduledFor !== before.scheduledFor) return newerWords.rescheduled
  if (before.content !== undefined && after.content !== before.content) return newerWords.textChanged
  if (before.imageUrl !== undefined && after.imageUrl !== before.imageUrl) return newerWords.imageChanged
  return newerWords.changed
}

/** Why an act that the dialog offers would be refused; null for one that is still possible. */
export function refusalFor(before: Before, after: NewerPost, act: Ability): string | null {
  if (after === null || !before.can.includes(act)) return null
  if (after !== 'deleted' && after.can.includes(act)) return null
  return overtakenReason(before, after)
}

/** Why an act on the revision that the dialog shows would be refused: any newer one refuses it. */
export function overtakenReason({ status }: Pick<Before, 'status'>, after: NewerPost): string | null {
  if (after === null) return null
  if (after === 'deleted') return newerWords.deletedReason
  return after.status === status ? newerWords.changedReason : newerWords.reason[after.status]
}
