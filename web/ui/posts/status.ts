/** A post's state in words: its status, its line of time, and how its delivery stands. */
import type { Post, PostStatus, SocialAccount } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'

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
  'not-connected': 'its account is not connected',
  'changed-account': 'its account is connected to another profile since the approval',
}

const mend: Readonly<Record<NonNullable<Post['heldBecause']>, string>> = {
  overdue: 'Release it to publish it now, or give it a new time.',
  'subscription-needed': 'Release it once the subscription is paid.',
  'not-connected': 'Connect the account, then release it.',
  'changed-account': 'Return it to draft and have it approved for this account.',
}

type Delivered = Pick<Post, 'delivery'> & Partial<Pick<Post, 'deliveryNote' | 'heldBecause' | 'retryAt'>>

export interface DeliveryWords {
  /** Says enough where nothing else is said. */
  readonly title: string
  /** The title where the reason is said beneath it. */
  readonly state: string
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
      return {
        title: 'Publishing now',
        state: 'Publishing now',
        text: 'It has been handed to the network.',
        tone: 'scheduled',
      }
    case 'rejected': {
      const next = post.retryAt ? `Next try ${formatSoon(post.retryAt, zone)}` : 'Tried again soon'
      return {
        title: next,
        state: next,
        text: note || 'The network did not take it. We will try again.',
        tone: 'pending',
      }
    }
    case 'unknown':
      return {
        title: 'Outcome unknown',
        state: 'Outcome unknown',
        text: note || 'The network did not answer in time. The post may or may not be live.',
        tone: 'unknown',
      }
    case 'held':
      return {
        title: `Held: ${post.heldBecause ? holds[post.heldBecause] : 'it waits for you'}`,
        state: 'Held',
        text:
          note || `Nothing was sent. ${post.heldBecause ? mend[post.heldBecause] : 'Release it when you are ready.'}`,
        tone: 'pending',
      }
    case 'failed':
      return {
        title: 'Publishing failed',
        state: 'Publishing failed',
        text: note || 'The network refused the post.',
        tone: 'rejected',
      }
  }
}

type Waiting = Pick<Post, 'status' | 'delivery' | 'scheduledFor'>

/** The effect of the account's state on a post that is on its way; null when there is none. */
export function accountWords(
  { status, delivery, scheduledFor }: Waiting,
  account: SocialAccount | undefined,
  zone: string,
): DeliveryWords | null {
  const isOnItsWay = (status === 'approved' || status === 'scheduled') && delivery === 'none'
  if (!isOnItsWay || account === undefined) return null
  const { state, pause, endsAt } = account
  const say = (state: string, title: string, tone: DeliveryWords['tone'] = 'pending') => ({
    title,
    state,
    text: '',
    tone,
  })
  if (state === 'broken') return say('Connection lost', 'Its account has lost its connection', 'rejected')
  if (state === 'none') return say('Not connected', 'Its account is not connected')
  if (pause !== null && (scheduledFor === null || scheduledFor < pause.until)) {
    const until = `Waits until ${formatSoon(pause.until, zone)}`
    return say(until, `${until}: ${platformLook[account.platform].name} asked for a pause`)
  }
  if (state === 'ending' && endsAt !== null && scheduledFor !== null && scheduledFor >= endsAt) {
    return say('Connection ends before that', 'Its account has to be connected again before that')
  }
  return null
}
