/** The lifecycle of a post: written, reviewed, scheduled, published, measured. */
import { isRefused, refuse } from '../core/decider.ts'
import type { PostCommand } from './commands.ts'
import { claim, outcome, resolve } from './publishing.ts'
import { remind } from './reminders.ts'
import { review } from './review.ts'
import { abilityFor, isAllowed } from './rights.ts'
import { takeOver } from './take-over.ts'
import { giveVerdict, holdByReviewer } from './verdicts.ts'
import { write } from './write.ts'
import type { Of, PostDecider, PostDecision, PostContext } from './rules.ts'
import { countedOf, newest, evolvePost, initialPost, type Post } from './state.ts'

function decide(post: Post, command: PostCommand, context: PostContext): PostDecision {
  if (command.type === 'WritePost') return write(post, command, context)
  if (!post.exists) return refuse({ reason: 'post-unknown' })
  const ability = abilityFor(command)
  if (ability !== null && !isAllowed(context.acting.rights, ability, post.status))
    return refuse({ reason: 'right-missing' })
  switch (command.type) {
    // The outcome of an attempt, its look-up, and a deletion are accepted for a deleted post too.
    case 'RecordPrepared':
    case 'ConfirmPublished':
    case 'RecordPublishingRejected':
    case 'RecordPublishingFailed':
    case 'RecordOutcomeUnknown':
      return outcome(post, command)
    case 'DeletePost':
      return remove(post, command)
    case 'WithdrawPost':
      return post.plan === null || post.isTouched ? [] : remove(post, command)
    case 'ResolveAsLive':
    case 'ResolveAsNotLive': {
      const resolution = resolve(post, command, context)
      return post.deleted && isRefused(resolution) ? refuse({ reason: 'post-unknown' }) : resolution
    }
    default:
      if (post.deleted) return refuse({ reason: 'post-unknown' })
  }
  switch (command.type) {
    case 'ClaimPost':
    case 'HoldPost':
      return claim(post, command, context)
    case 'GiveVerdict':
      return context.clientOnRoster ? giveVerdict(post, command, context) : refuse({ reason: 'client-unknown' })
    case 'TakeOverSuggestion':
      return context.clientOnRoster ? takeOver(post, command, context) : refuse({ reason: 'client-unknown' })
    case 'RemindOfStep':
      return context.clientOnRoster ? remind(post, command, context) : refuse({ reason: 'client-unknown' })
    case 'HoldByReviewer':
      return holdByReviewer(post, command)
    case 'RetryPost':
    case 'ReleasePost':
      return resolve(post, command, context)
    case 'RecordMetrics':
      return measure(post, command)
    case 'AssignPost':
      return assign(post, command, context)
    default:
      return context.clientOnRoster ? review(post, command, context) : refuse({ reason: 'client-unknown' })
  }
}

function remove(post: Post, { because }: Of<'DeletePost' | 'WithdrawPost'>): PostDecision {
  if (post.deleted) return []
  const { platform, status, totals } = post
  const figures = countedOf(totals)
  return [{ type: 'PostDeleted', data: { because, platform, from: status, measured: totals !== null, figures } }]
}

function assign(post: Post, { memberId }: Of<'AssignPost'>, { isAssignable }: PostContext): PostDecision {
  if (post.assignedTo === memberId) return []
  if (memberId !== null && !isAssignable) return refuse({ reason: 'not-assignable' })
  return [{ type: 'PostAssigned', data: { memberId } }]
}

function measure(post: Post, { reading, totals }: Of<'RecordMetrics'>): PostDecision {
  if (post.status !== 'published') return refuse({ reason: 'not-published' })
  // Accepts only the next reading in order: a repeat appends nothing, and none may be skipped.
  if (reading !== post.readings) return []
  const before = countedOf(post.totals)
  const after = countedOf(newest(post.totals, totals))
  const delta = {
    views: after.views - before.views,
    likes: after.likes - before.likes,
    comments: after.comments - before.comments,
    shares: after.shares - before.shares,
    engagement: after.engagement - before.engagement,
  }
  return [{ type: 'PostMetricsRecorded', data: { reading, platform: post.platform, totals, delta } }]
}

export const postDecider: PostDecider = { initial: initialPost, decide, evolve: evolvePost }
