import type { Agency } from '../../api/contract/index.ts'
import { dayKey, formatDate } from './dates.ts'

/** The meaning of a subscription's state, in a sentence. */
export function subscriptionSentence({ subscriptionStatus, trialEndsAt, timeZone }: Agency): string {
  switch (subscriptionStatus) {
    case 'trialing':
      return trialEndsAt === null
        ? 'Your free trial is running'
        : `Your free trial ends ${formatDate(trialEndsAt, timeZone)}`
    case 'active':
      return 'Active subscription'
    case 'expired':
      return 'Your free trial has ended. Add a payment method to continue.'
    case 'past_due':
      return 'The last payment failed. We will try again; check your card.'
    case 'unpaid':
      return 'The subscription is unpaid. Due posts are on hold until the subscription is paid.'
    case 'canceled':
      return 'The subscription was canceled. Add a payment method to continue.'
    default:
      // A status that a newer server knows.
      return 'Active subscription'
  }
}

/** Why nothing new can be started: as the server says it, whose schemas are not to come along into the first bundle. */
export const blockedSentence: Readonly<Record<Exclude<Agency['standing'], 'good'>, string>> = {
  'trial-ended': 'Your free trial has ended. Add a payment method to continue.',
  unpaid: 'Your last payment did not go through. Update your payment method to continue.',
  canceled: 'Your subscription has ended. Subscribe again to continue.',
}

export const postsWords = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'post' : 'posts'}`

export interface Notice {
  readonly tone: 'info' | 'warning' | 'blocked'
  readonly sentence: string
  /** The consequence for posts and writing. */
  readonly meaning?: string
  /** The way out, on the Billing screen. */
  readonly act: string
  /** Names it where it can be put away: it comes back as another one. */
  readonly putAwayAs?: string
  /** The Billing screen says it itself, with more to it. */
  readonly isOnBilling?: true
}

const stillWorks =
  'Due posts are on hold and nothing new can be started. Reading, rejecting, deleting and billing still work.'

/** The banner about trial and subscription above every screen; null when there is nothing to say. */
export function noticeOf(
  { standing, subscriptionStatus, trialEndsAt, heldPosts, timeZone }: Agency,
  now: string,
): Notice | null {
  // A tab that was open when the trial ended has the answer of before.
  const isOver = subscriptionStatus === 'trialing' && trialEndsAt !== null && trialEndsAt <= now
  switch (isOver ? 'trial-ended' : standing) {
    case 'trial-ended':
      return { tone: 'blocked', sentence: 'Your free trial has ended.', meaning: stillWorks, act: 'Add Payment Method' }
    case 'unpaid':
      return {
        tone: 'blocked',
        sentence: 'Your last payment failed.',
        meaning: stillWorks,
        act: 'Update Payment Method',
      }
    case 'canceled':
      return { tone: 'blocked', sentence: 'Your subscription has ended.', meaning: stillWorks, act: 'Subscribe Again' }
    case 'good':
      break
  }
  if (subscriptionStatus === 'past_due') {
    return {
      tone: 'warning',
      sentence: 'Your last payment failed.',
      meaning: 'Everything still works while the payment is tried again. Check your card.',
      act: 'Check Your Card',
    }
  }
  if (heldPosts > 0) {
    return {
      tone: 'warning',
      sentence: `${postsWords(heldPosts)} ${heldPosts === 1 ? 'was' : 'were'} on hold while the subscription was unpaid.`,
      act: heldPosts === 1 ? 'Release Post' : 'Release Posts',
      isOnBilling: true,
    }
  }
  return subscriptionStatus === 'trialing' && trialEndsAt !== null ? trialNotice(trialEndsAt, timeZone, now) : null
}

const warnAhead = 3

function trialNotice(endsAt: string, zone: string, now: string): Notice | null {
  const days = (Date.parse(dayKey(endsAt, zone)) - Date.parse(dayKey(now, zone))) / 86_400_000
  if (days > warnAhead) return null
  const isLast = days <= 1
  const when = days <= 0 ? 'today' : isLast ? 'tomorrow' : `in ${days} days`
  return {
    tone: isLast ? 'warning' : 'info',
    sentence: `Your trial ends ${when}.`,
    act: 'Add Payment Method',
    putAwayAs: `${endsAt} ${isLast ? 'last' : 'soon'}`,
  }
}
