/** Explains why a post isn't live, and the one action that helps. */
import type { SocialAccount } from '../../../domain/client/state.ts'
import type { Fact, Instant } from '../../../domain/core/event.ts'
import { plausibleEnd } from '../../../domain/core/waits.ts'
import type { Standing } from '../../../domain/core/values.ts'
import type { HoldReason, Remedy } from '../../../domain/post/commands.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { PostDelivery } from '../../contract/index.ts'
import { subscriptionSentence } from '../../contract/standing.ts'
import { networkNames } from '../../contract/network-names.ts'

export interface Circumstances {
  /** Null: the account was removed with its client. */
  readonly account: SocialAccount | null
  readonly standing: Standing
  readonly now: Instant
}

type Said = Omit<PostDelivery, 'attempts' | 'evidence'>

export interface Cause {
  readonly cause: string | null
  readonly remedy: Remedy | null
  readonly because: HoldReason | null
}

/** The most recent reason why it isn't live. */
export function causeOf(events: readonly Fact[]): Cause {
  let last: Cause = { cause: null, remedy: null, because: null }
  for (const fact of events) {
    const event = fact as PostEvent
    if (event.type === 'PublishingRejected' || event.type === 'PublishingFailed')
      last = { ...last, cause: event.data.cause, remedy: event.data.remedy ?? null }
    else if (event.type === 'PublishingOutcomeUnknown') last = { ...last, cause: event.data.cause }
    else if (event.type === 'PostHeld') last = { ...last, because: event.data.because }
  }
  return last
}

const say = (sentence: string, act: PostDelivery['act'] = null, at: Instant | null = null): Said => ({
  sentence,
  act,
  at,
})

/** Explains why a post isn't live, or that it is, and the one action that helps. */
export function whyNot(post: Post, { cause, remedy, because }: Cause, around: Circumstances): Said {
  const { status, delivery, retryAt, platform } = post
  const name = networkNames[platform]
  if (status === 'published') return say(`Live on ${name}.`)
  if (status === 'draft' || status === 'rejected')
    return say('This post is not on its way: only approved or scheduled posts are published.')
  if (status === 'pending') return say('This post waits for review.', 'approve')
  switch (delivery) {
    case 'claimed':
      return say('This post is being published right now.')
    case 'unknown':
      return say(
        `${cause ?? 'The network gave no answer.'} We look for the post on ${name} for a day. The post is sent again only if ${name} proves that it is not live, or if you say so. Look at the profile, then settle the outcome.`,
        'resolve',
      )
    case 'held':
      return (
        inTheWay(post, around) ??
        say(`${heldSentences[because ?? 'overdue']} Release the post when it may go out.`, 'release')
      )
    case 'failed':
      return failed(cause ?? `${name} refused the post.`, remedy ?? 'wait', around)
    case 'rejected':
      return (
        inTheWay(post, around) ??
        say(`${cause ?? `${name} rejected the post.`} We will try again automatically.`, 'wait', retryAt)
      )
    case 'none':
      return inTheWay(post, around) ?? onItsWay(post, around)
  }
}

/** The reason that holds a post at its time, or held it and still would; null without one. */
function inTheWay({ delivery, approval }: Post, { account, standing }: Circumstances): Said | null {
  const isHeld = delivery === 'held'
  if (standing !== 'good')
    return say(
      `${subscriptionSentence[standing]} Until then the post ${isHeld ? 'stays on hold' : 'goes on hold when its time comes'}.`,
    )
  if (account && !account.isConnected) {
    return say(
      `The account is not connected, so the post ${isHeld ? 'is on hold. Connect the account, then release the post.' : 'would go on hold. Connect the account first.'}`,
      'reconnect',
    )
  }
  const approvedFor = approval?.remoteAccountId ?? null
  if (!account || approvedFor === null || account.remoteId === approvedFor) return null
  const state = isHeld ? 'is on hold' : 'would go on hold'
  return say(
    `The account is connected to another profile than the one that this post was approved for, so the post ${state}. Return the post to drafts and approve it again.`,
    'return-to-draft',
  )
}

const heldSentences: Readonly<Record<HoldReason, string>> = {
  overdue: 'The time of this post passed more than an hour ago, so we ask before it goes out.',
  'subscription-needed': 'The post went on hold because the trial or subscription had ended. That is settled.',
  'not-connected': 'The post went on hold because its account was not connected. The account is connected now.',
  'changed-account':
    'The post went on hold because its account was connected to another profile. The account is the right one again.',
  'client-asked': 'The post is on hold because the client asked for it.',
}

function failed(cause: string, remedy: Remedy, { account }: Circumstances): Said {
  // The rejection disconnected the account, so a user has connected it again since.
  if (remedy === 'reconnect' && account?.isConnected)
    return say(
      `${cause.replace(/ Connect (?:it|the account)\b[^]*$/, '')} The account is connected again by now, so you can try again.`,
      'retry',
    )
  return say(withAdvice(cause, remedy), acts[remedy])
}

const acts: Readonly<Record<Remedy, PostDelivery['act']>> = {
  wait: 'retry',
  reconnect: 'reconnect',
  edit: 'return-to-draft',
  check: 'check',
}

const remedySentences: Readonly<Record<Remedy, string>> = {
  wait: 'You can try again.',
  reconnect: 'Connect the account again, then try again.',
  edit: 'Return the post to drafts, change it, and approve it again.',
  check: 'Look at the profile first: the post may be live already.',
}

/** Adds the advice unless the cause already ends with it. */
function withAdvice(cause: string, remedy: Remedy): string {
  if (remedy === 'reconnect' && /\bconnect\b/i.test(cause))
    return /try again/i.test(cause) ? cause : `${cause} Then try again.`
  if (remedy === 'check' && /look at the profile/i.test(cause)) return `${cause} The post may be live already.`
  return `${cause} ${remedySentences[remedy]}`
}

function onItsWay({ platform, scheduledFor }: Post, { account, now }: Circumstances): Said {
  if (scheduledFor !== null && scheduledFor > now)
    return say('The post is published at its scheduled time.', 'wait', scheduledFor)
  const pausedUntil = plausibleEnd(account?.pausedUntil ?? null, now)
  if (pausedUntil !== null && pausedUntil > now)
    return say(
      `${networkNames[platform]} asked us to slow down, so this account's posts wait. The post keeps its turn.`,
      'wait',
      pausedUntil,
    )
  return say('The post is due and goes out in a moment.', 'wait')
}
