/** A post's state in words: its status, its line of time, and how its delivery stands. */
import type { Post, PostStatus, SocialAccount } from '../../../api/contract/index.ts'
import { formatDateTime, formatSoon } from '../../lib/dates.ts'
import { platformLook } from '../../lib/platforms.ts'
import { words } from './state-words.ts'

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
  if (post.status === 'published' && post.publishedAt) return words.published(formatDateTime(post.publishedAt, zone))
  if (post.scheduledFor !== null) {
    const certain = post.status === 'approved' || post.status === 'scheduled'
    const time = formatSoon(post.scheduledFor, zone)
    return certain ? words.scheduledFor(time) : words.plannedFor(time)
  }
  return post.createdAt === undefined ? words.noTime : words.created(formatDateTime(post.createdAt, zone))
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
        title: words.publishingNow,
        state: words.publishingNow,
        text: words.handedOver,
        tone: 'scheduled',
      }
    case 'rejected': {
      const next = post.retryAt ? words.nextTry(formatSoon(post.retryAt, zone)) : words.retrySoon
      return {
        title: next,
        state: next,
        text: note || words.rejected,
        tone: 'pending',
      }
    }
    case 'unknown':
      return {
        title: words.unknown,
        state: words.unknown,
        text: note || words.noAnswer,
        tone: 'unknown',
      }
    case 'held':
      return {
        title: words.onHoldBecause[post.heldBecause ?? 'overdue'],
        state: words.onHold,
        text: note || words.mend[post.heldBecause ?? 'overdue'],
        tone: 'pending',
      }
    case 'failed':
      return {
        title: words.failed,
        state: words.failed,
        text: note || words.refused,
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
  if (state === 'broken') return say(words.connectionLost, words.accountLost, 'rejected')
  if (state === 'none') return say(words.notConnected, words.accountNotConnected)
  if (pause !== null && (scheduledFor === null || scheduledFor < pause.until)) {
    const until = words.waitsUntil(formatSoon(pause.until, zone))
    return say(until, words.pausedBy(until, platformLook[account.platform].title))
  }
  if (state === 'ending' && endsAt !== null && scheduledFor !== null && scheduledFor >= endsAt) {
    return say(words.connectionEnds, words.reconnectBefore)
  }
  return null
}
