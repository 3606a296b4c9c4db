import type { Agency } from '../../api/contract/index.ts'
import { dayKey, formatDate } from './dates.ts'
import { subscriptionWords as words } from './words.ts'

/** The meaning of a subscription's state, in a sentence. */
export function subscriptionSentence({ subscriptionStatus, trialEndsAt, timeZone }: Agency): string {
  switch (subscriptionStatus) {
    case 'trialing':
      return trialEndsAt === null ? words.trialRuns : words.trialEndsOn(formatDate(trialEndsAt, timeZone))
    case 'active':
      return words.active
    case 'expired':
      return words.expired
    case 'past_due':
      return words.pastDue
    case 'unpaid':
      return words.unpaid
    case 'canceled':
      return words.canceled
    default:
      // A status that a newer server knows.
      return words.active
  }
}

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

/** The banner about trial and subscription above every screen; null when there is nothing to say. */
export function noticeOf(
  { standing, subscriptionStatus, trialEndsAt, heldPosts, timeZone }: Agency,
  now: string,
): Notice | null {
  // A tab that was open when the trial ended has the answer of before.
  const isOver = subscriptionStatus === 'trialing' && trialEndsAt !== null && trialEndsAt <= now
  switch (isOver ? 'trial-ended' : standing) {
    case 'trial-ended':
      return { tone: 'blocked', sentence: words.trialEnded, meaning: words.stillWorks, act: words.addPayment }
    case 'unpaid':
      return {
        tone: 'blocked',
        sentence: words.paymentFailed,
        meaning: words.stillWorks,
        act: words.updatePayment,
      }
    case 'canceled':
      return { tone: 'blocked', sentence: words.ended, meaning: words.stillWorks, act: words.subscribeAgain }
    case 'good':
      break
  }
  if (subscriptionStatus === 'past_due') {
    return {
      tone: 'warning',
      sentence: words.paymentFailed,
      meaning: words.allWorks,
      act: words.checkCard,
    }
  }
  if (heldPosts > 0) {
    return {
      tone: 'warning',
      sentence: words.onHold(heldPosts),
      act: words.release(heldPosts),
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
  return {
    tone: isLast ? 'warning' : 'info',
    sentence: words.trialEnds(days),
    act: words.addPayment,
    putAwayAs: `${endsAt} ${isLast ? 'last' : 'soon'}`,
  }
}
