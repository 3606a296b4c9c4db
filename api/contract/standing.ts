/** Why an agency is restricted, and the remedy: the same wording for answers and screens. Browser-safe. */
import type { Standing } from '../../domain/core/values.ts'

export const subscriptionSentence: Readonly<Record<Exclude<Standing, 'good'>, string>> = {
  'trial-ended': 'Your free trial has ended. Add a payment method to continue.',
  unpaid: 'Your last payment did not go through. Update your payment method to continue.',
  canceled: 'Your subscription has ended. Subscribe again to continue.',
}
