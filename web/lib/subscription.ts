import type { Agency } from '../../api/contract/index.ts'
import { formatDate } from './dates.ts'

/** What a subscription's state means, in a sentence. */
export function subscriptionSentence({ subscriptionStatus, trialEndsAt, timeZone }: Agency): string {
  switch (subscriptionStatus) {
    case 'trialing':
      return trialEndsAt === null ? 'Your free trial is running' : `Your free trial ends ${formatDate(trialEndsAt, timeZone)}`
    case 'active':
      return 'Active subscription'
    case 'expired':
      return 'Your free trial has ended. Add a payment method to continue.'
    case 'past_due':
      return 'The last payment did not go through. We will try again; please check your card.'
    case 'unpaid':
      return 'The subscription is unpaid. Posts that are due are held until it is paid.'
    case 'canceled':
      return 'The subscription was canceled. Add a payment method to continue.'
  }
}
