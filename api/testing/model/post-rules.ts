/** The table of a post's states, as the product tells it. */
import type { ActionOf } from './actions.ts'
import { day, hour, longestTweet, type Post } from './world.ts'

type Change = ActionOf<
  | 'editPost'
  | 'movePost'
  | 'submitPost'
  | 'approvePost'
  | 'rejectPost'
  | 'schedulePost'
  | 'returnPost'
  | 'releasePost'
  | 'retryPost'
>

interface Around {
  readonly now: number
  readonly isGood: boolean
  readonly isTweet: boolean
}

const refused = 409
const subscriptionNeeded = 402
const stale = 412

/** The post afterwards, or why not. One whose effect holds already is left as it is. */
export function changePost(post: Post, action: Change, { now, isGood, isTweet }: Around): Post | number {
  if ('match' in action && action.match !== null && action.match !== post.revision) return stale
  const { status, at } = post
  const happened = (change: Partial<Post>): Post => ({ ...post, ...change, revision: post.revision + 1 })
  const isOnItsWay = status === 'approved' || status === 'scheduled'
  const isTooLong = isTweet && post.content.length > longestTweet
  const free = at !== null && at > now ? at : nextMorning(now)
  switch (action.kind) {
    case 'editPost':
      if (status === 'draft' && post.content === action.content) return post
      return status === 'draft' || status === 'rejected'
        ? happened({ status: 'draft', content: action.content, reason: null })
        : refused
    case 'movePost': {
      const to = now + action.when * day
      if (status !== 'draft' && !isOnItsWay) return refused
      if (at === to) return post
      return to <= now ? refused : happened({ at: to })
    }
    case 'submitPost':
      if (status === 'pending') return post
      if (status !== 'draft') return refused
      if (!isGood) return subscriptionNeeded
      return isTooLong ? refused : happened({ status: 'pending' })
    case 'approvePost':
      if (status === 'approved') return post
      if (status !== 'pending') return refused
      return isGood ? happened({ status: 'approved', at: free }) : subscriptionNeeded
    case 'rejectPost':
      if (status === 'rejected' && (action.reason === null || action.reason === post.reason)) return post
      return status === 'pending' ? happened({ status: 'rejected', reason: action.reason }) : refused
    case 'schedulePost':
      if (status === 'scheduled' && (action.when === null || at === now + action.when * day)) return post
      if (status !== 'draft' || (action.when !== null && action.when <= 0)) return refused
      if (!isGood) return subscriptionNeeded
      return isTooLong
        ? refused
        : happened({ status: 'scheduled', at: action.when === null ? free : now + action.when * day })
    case 'returnPost':
      if (status === 'draft') return post
      return status === 'pending' || isOnItsWay ? happened({ status: 'draft', held: false }) : refused
    case 'releasePost':
    case 'retryPost': {
      const to = now + action.when * day
      if (!post.held && at === to) return post
      // Nothing here was ever sent, so nothing failed.
      if (!post.held || action.kind === 'retryPost') return refused
      if (!isGood) return subscriptionNeeded
      return to <= now ? refused : happened({ held: false, at: to })
    }
  }
}

/** Without a posting schedule: the next day at nine. */
export const nextMorning = (now: number): number => Math.floor(now / day) * day + day + 9 * hour
