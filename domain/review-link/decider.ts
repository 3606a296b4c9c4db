/** A link through which the people of a client review posts without an account: issued, used, revoked or expired. */
import { refuse, type Decider } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { Standing } from '../core/values.ts'
import { maxOpenReviewLinks, type ReviewLinkCommand, type ReviewLinkTerms } from './commands.ts'
import type { ReviewLinkEvent } from './events.ts'

export interface ReviewLink {
  readonly issued: ReviewLinkTerms | null
  readonly isRevoked: boolean
  readonly lastUsedAt: Instant | null
}

export interface ReviewLinkContext {
  readonly now: Instant
  readonly standing: Standing
  /** Whether the client, all contacts and all posts of the link are the agency's. */
  readonly clientExists: boolean
  readonly contactsExist: boolean
  readonly postsExist: boolean
  /** The agency's open links. */
  readonly open: number
  /** Whether this server sends mail: a code is sent by nothing else. */
  readonly mails: boolean
}

export type ReviewLinkRefusal =
  | { readonly reason: 'link-unknown' }
  | { readonly reason: 'client-unknown' }
  | { readonly reason: 'contact-unknown' }
  | { readonly reason: 'reviewed-post-unknown' }
  | { readonly reason: 'id-taken' }
  | { readonly reason: 'subscription-needed'; readonly standing: Exclude<Standing, 'good'> }
  | { readonly reason: 'reviewers-missing' }
  | { readonly reason: 'code-for-contacts' }
  | { readonly reason: 'no-mail-server' }
  | { readonly reason: 'review-expiry-out-of-bounds'; readonly maxDays: number }
  | { readonly reason: 'review-link-limit-reached'; readonly limit: number }
  | { readonly reason: 'link-revoked' }
  | { readonly reason: 'link-expired'; readonly expiresAt: Instant }

const hour = 3_600_000
export const longestReviewDays = 90
const longestMs = longestReviewDays * 24 * hour
const usesApart = hour

type Decision = ReturnType<
  Decider<ReviewLink, ReviewLinkCommand, ReviewLinkEvent, ReviewLinkRefusal, ReviewLinkContext>['decide']
>

function issue(link: ReviewLink, terms: ReviewLinkTerms, context: ReviewLinkContext): Decision {
  if (link.issued) return JSON.stringify(link.issued) === JSON.stringify(terms) ? [] : refuse({ reason: 'id-taken' })
  const { now, standing, open, mails } = context
  if (!context.clientExists) return refuse({ reason: 'client-unknown' })
  if (standing !== 'good') return refuse({ reason: 'subscription-needed', standing })
  if (!context.contactsExist) return refuse({ reason: 'contact-unknown' })
  if (!context.postsExist) return refuse({ reason: 'reviewed-post-unknown' })
  if (terms.contacts.length === 0 && !terms.anyone) return refuse({ reason: 'reviewers-missing' })
  if (terms.lock === 'code' && terms.anyone) return refuse({ reason: 'code-for-contacts' })
  if (terms.lock === 'code' && !mails) return refuse({ reason: 'no-mail-server' })
  const ahead = Date.parse(terms.expiresAt) - Date.parse(now)
  if (ahead < hour || ahead > longestMs)
    return refuse({ reason: 'review-expiry-out-of-bounds', maxDays: longestReviewDays })
  if (open >= maxOpenReviewLinks) return refuse({ reason: 'review-link-limit-reached', limit: maxOpenReviewLinks })
  return [{ type: 'ReviewLinkIssued', data: { ...terms, contacts: [...terms.contacts], may: [...terms.may] } }]
}

function decide(link: ReviewLink, command: ReviewLinkCommand, context: ReviewLinkContext): Decision {
  if (command.type === 'IssueReviewLink') return issue(link, termsOf(command), context)
  if (!link.issued) return refuse({ reason: 'link-unknown' })
  if (command.type === 'RevokeReviewLink') return link.isRevoked ? [] : [{ type: 'ReviewLinkRevoked', data: {} }]
  const { now } = context
  const over = whyReviewOver(link, now)
  if (over) return refuse(over)
  // Often enough to show when it was used; seldom enough that reading doesn't fill the log.
  const isRecent = link.lastUsedAt !== null && Date.parse(now) - Date.parse(link.lastUsedAt) < usesApart
  return isRecent ? [] : [{ type: 'ReviewLinkUsed', data: { usedAt: now } }]
}

/** In the order in which the event has them. */
const termsOf = ({ clientId, contacts, anyone, scope, may, lock, expiresAt }: ReviewLinkTerms): ReviewLinkTerms => ({
  clientId,
  contacts,
  anyone,
  scope,
  may,
  lock,
  expiresAt,
})

/** Why nothing is shown or done through the link any more; null while it is. */
export function whyReviewOver(
  { issued, isRevoked }: ReviewLink,
  now: Instant,
): Extract<ReviewLinkRefusal, { reason: 'link-unknown' | 'link-revoked' | 'link-expired' }> | null {
  if (!issued) return { reason: 'link-unknown' }
  if (isRevoked) return { reason: 'link-revoked' }
  return issued.expiresAt <= now ? { reason: 'link-expired', expiresAt: issued.expiresAt } : null
}

function evolve(link: ReviewLink, event: ReviewLinkEvent): ReviewLink {
  switch (event.type) {
    case 'ReviewLinkIssued':
      return { ...link, issued: termsOf(event.data) }
    case 'ReviewLinkRevoked':
      return { ...link, isRevoked: true }
    case 'ReviewLinkUsed':
      return { ...link, lastUsedAt: event.data.usedAt }
  }
}

export const reviewLinkDecider: Decider<
  ReviewLink,
  ReviewLinkCommand,
  ReviewLinkEvent,
  ReviewLinkRefusal,
  ReviewLinkContext
> = {
  initial: { issued: null, isRevoked: false, lastUsedAt: null },
  decide,
  evolve,
}
