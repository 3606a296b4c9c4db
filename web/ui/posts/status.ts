/** A post's state in words: its status, its line of time, and how its delivery stands. */
import type { Post, PostStatus } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'

export const statusLabel: Readonly<Record<PostStatus, string>> = {
  draft: 'Draft',
  pending: 'Pending Review',
  approved: 'Approved',
  scheduled: 'Scheduled',
  published: 'Published',
  rejected: 'Rejected',
}

type Timed = Pick<Post, 'status' | 'scheduledFor'> & Partial<Pick<Post, 'publishedAt' | 'createdAt'>>

export function whenLine(post: Timed, zone: string): string {
  if (post.status === 'published' && post.publishedAt) return `Published ${formatDateTime(post.publishedAt, zone)}`
  if (post.scheduledFor !== null) {
    const certain = post.status === 'approved' || post.status === 'scheduled'
    return `${certain ? 'Scheduled' : 'Planned'} for ${formatSoon(post.scheduledFor, zone)}`
  }
  return post.createdAt === undefined ? 'No time yet' : `Created ${formatDateTime(post.createdAt, zone)}`
}

const holds: Readonly<Record<NonNullable<Post['heldBecause']>, string>> = {
  overdue: 'its time passed while nothing could be published',
  'subscription-needed': 'the subscription needs attention',
  'not-connected': 'the account is not connected',
  'changed-account': 'the account was connected to another profile since the approval',
}

const mend: Readonly<Record<NonNullable<Post['heldBecause']>, string>> = {
  overdue: 'Release it to publish it now, or give it a new time.',
  'subscription-needed': 'Add a payment method, then release it.',
  'not-connected': 'Connect the account, then release it.',
  'changed-account': 'Return it to draft and have it approved for this account.',
}

type Delivered = Pick<Post, 'delivery'> & Partial<Pick<Post, 'deliveryNote' | 'heldBecause' | 'retryAt'>>

export interface DeliveryWords {
  readonly title: string
  readonly text: string
  readonly tone: 'unknown' | 'rejected' | 'pending' | 'scheduled'
}

/** Null while there is nothing to say beyond the status. */
export function deliveryWords(post: Delivered, zone: string): DeliveryWords | null {
  const note = post.deliveryNote ?? ''
  switch (post.delivery) {
    case 'none':
      return null
    case 'claimed':
      return { title: 'Publishing now', text: 'It has been handed to the network.', tone: 'scheduled' }
    case 'rejected':
      return {
        title: post.retryAt ? `Retry at ${formatSoon(post.retryAt, zone)}` : 'Retry planned',
        text: note || 'The network did not take it. We will try again.',
        tone: 'pending',
      }
    case 'unknown':
      return {
        title: 'Outcome unknown',
        text: note || 'The network did not answer in time. The post may or may not be live.',
        tone: 'unknown',
      }
    case 'held':
      return {
        title: `Held: ${post.heldBecause ? holds[post.heldBecause] : 'it waits for you'}`,
        text: note || `Nothing was sent. ${post.heldBecause ? mend[post.heldBecause] : 'Release it when you are ready.'}`,
        tone: 'pending',
      }
    case 'failed':
      return { title: 'Publishing failed', text: note || 'The network refused the post.', tone: 'rejected' }
  }
}
