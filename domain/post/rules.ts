/** The command context of a post's rules, and their refusals. */
import type { Approvals } from '../core/approval-round.ts'
import type { ContentTooLong } from '../core/content-limits.ts'
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { PostProblem } from '../core/preflight.ts'
import type { Platform, Standing, StoredImage } from '../core/values.ts'
import type { Delivery, PostCommand, PostStatus } from './commands.ts'
import type { PostEvent } from './events.ts'
import { refusesOwn, type Acting } from './rights.ts'
import type { Post } from './state.ts'
import type { Ability } from './state-table.ts'

export interface PostContext {
  readonly now: Instant
  readonly standing: Standing
  /** Whether the agency has the post's client. */
  readonly clientOnRoster: boolean
  readonly acting: Acting
  /** The client's policy, and the members who approve its posts. */
  readonly approvals: Approvals
  /** Whether the member to whom the post is to be assigned works for its client. */
  readonly isAssignable: boolean
  /** The post's social account from its client's stream; null when the client has no such account. */
  readonly account: {
    readonly platform: Platform
    readonly remoteId: string | null
    readonly isConnected: boolean
    /** The network asked for a pause until then. */
    readonly pausedUntil: Instant | null
  } | null
  /** The stored image that the command concerns; null when it has none, or none was needed. */
  readonly image:
    | { readonly kind: 'stored'; readonly image: StoredImage }
    | { readonly kind: 'unusable'; readonly sentence: string }
    | null
  /** How many more posts the network accepts until an instant; null if it has no such limit or it is unknown. */
  readonly quota: { readonly left: number; readonly until: Instant } | null
  /** The time for a post without a time of its own. */
  readonly freeSlot: Instant
}

export type PostRefusal =
  | { readonly reason: 'post-unknown' }
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'account-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'made-and-deleted' }
  | {
      readonly reason: 'wrong-state' | 'being-published' | 'outcome-unknown'
      readonly ability: Ability | 'hold'
      readonly status: PostStatus
      readonly delivery: Delivery
    }
  | { readonly reason: 'content-empty' }
  | ContentTooLong
  | PostProblem
  | { readonly reason: 'scheduled-in-the-past' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }
  | { readonly reason: 'not-due' }
  | { readonly reason: 'not-claimable' }
  | { readonly reason: 'not-connected' }
  | { readonly reason: 'account-paused'; readonly until: Instant }
  /** The image behind the URL is unavailable; the sentence says why. */
  | { readonly reason: 'image-unusable'; readonly sentence: string }
  | { readonly reason: 'quota-used-up'; readonly platform: Platform; readonly until: Instant }
  | { readonly reason: 'not-what-was-approved' }
  | { readonly reason: 'attempt-over' }
  | { readonly reason: 'not-published' }
  | { readonly reason: 'right-missing' }
  | { readonly reason: 'own-post' }
  | { readonly reason: 'not-assignable' }
  /** The client has an approval policy, so its drafts are submitted. */
  | { readonly reason: 'approval-needed' }
  | { readonly reason: 'step-over' }
  | { readonly reason: 'not-your-step' }
  | { readonly reason: 'approver-unfit' }
  | { readonly reason: 'approver-is-author' }
  /** Its people are the client's, by a review link. */
  | { readonly reason: 'step-of-client' }
  /** The approval is bound to the post's time, which is over. */
  | { readonly reason: 'agreed-time-passed' }
  | { readonly reason: 'beyond-agreed-time' }
  /** The reviewer saw another version. */
  | { readonly reason: 'version-changed' }
  | { readonly reason: 'too-many-verdicts' }
  /** The agency's trial or subscription has ended. */
  | { readonly reason: 'approvals-paused' }
  /** The reviewer has to prove who acts. */
  | { readonly reason: 'code-needed' }
  | { readonly reason: 'contact-of-author' }

export type PostDecider = Decider<Post, PostCommand, PostEvent, PostRefusal, PostContext>
export type PostDecision = ReturnType<PostDecider['decide']>
export type Of<Type extends PostCommand['type']> = Extract<PostCommand, { type: Type }>

/** Null: the acting person may approve the post. */
export const refusedOwn = (post: Parameters<typeof refusesOwn>[0], { acting }: PostContext): PostDecision | null =>
  refusesOwn(post, acting) ? refuse({ reason: 'own-post' }) : null

export function wrongState(ability: Ability | 'hold', { status, delivery }: Post): PostDecision {
  const reason = delivery === 'claimed' ? 'being-published' : delivery === 'unknown' ? 'outcome-unknown' : 'wrong-state'
  return refuse({ reason, ability, status, delivery })
}
