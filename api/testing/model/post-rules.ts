/** The table of a post's states, as the product tells it. */
import type { ActionOf } from './actions.ts'
import { day, hour, longestTweet, type Post } from './world.ts'

type Change = ActionOf<
  | 'editPost'
  | 'movePost'
  | 'submitPost'
  | 'approvePost'
  | 'skipStep'
  | 'reassignStep'
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
  /** Of the client's policy now. */
  readonly steps: number
}

const refused = 409
const subscriptionNeeded = 402
const stale = 412

/** The post afterwards, or why not. One whose effect holds already is left as it is. */
export function changePost(post: Post, action: Change, { now, isGood, isTweet, steps }: Around): Post | number {
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
        ? happened({ status: 'draft', content: action.content, reason: null, round: null })
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
      return isTooLong ? refused : happened({ status: 'pending', round: roundOf(steps) })
    case 'approvePost':
      if (status === 'approved') return post
      if (status !== 'pending') return refused
      if (post.round) return settleStep(post, post.round, action.step, free, isGood)
      return isGood ? happened({ status: 'approved', at: free }) : subscriptionNeeded
    case 'skipStep':
      if (post.round && action.step < post.round.settled) return post
      return post.round && status === 'pending' ? settleStep(post, post.round, action.step, free, isGood) : refused
    case 'reassignStep': {
      const { round } = post
      if (!round || status !== 'pending' || action.step !== round.settled) return refused
      if (round.reassigned.includes(action.step)) return post
      if (!isGood) return subscriptionNeeded
      return happened({ round: { ...round, reassigned: [...round.reassigned, action.step] } })
    }
    case 'rejectPost':
      if (status === 'rejected' && (action.reason === null || action.reason === post.reason)) return post
      return status === 'pending' ? happened({ status: 'rejected', reason: action.reason, round: null }) : refused
    case 'schedulePost':
      if (status === 'scheduled' && (action.when === null || at === now + action.when * day)) return post
      if (status !== 'draft' || steps > 0 || (action.when !== null && action.when <= 0)) return refused
      if (!isGood) return subscriptionNeeded
      return isTooLong
        ? refused
        : happened({ status: 'scheduled', at: action.when === null ? free : now + action.when * day })
    case 'returnPost':
      if (status === 'draft') return post
      return status === 'pending' || isOnItsWay ? happened({ status: 'draft', held: false, round: null }) : refused
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

export const roundOf = (steps: number): Post['round'] => (steps === 0 ? null : { steps, settled: 0, reassigned: [] })

/** An approved or skipped step; the last one approves the post. */
function settleStep(
  post: Post,
  round: NonNullable<Post['round']>,
  step: number,
  time: number,
  isGood: boolean,
): Post | number {
  if (step < round.settled) return post
  if (step > round.settled) return refused
  if (!isGood) return subscriptionNeeded
  const after = { ...round, settled: round.settled + 1 }
  return after.settled < round.steps
    ? { ...post, round: after, revision: post.revision + 1 }
    : { ...post, round: after, status: 'approved', at: time, revision: post.revision + 2 }
}

/** Without a posting schedule: the next day at nine. */
export const nextMorning = (now: number): number => Math.floor(now / day) * day + day + 9 * hour
