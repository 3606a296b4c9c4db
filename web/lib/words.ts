/** The words of what several screens share: uploads, the writer, times and the subscription. */
import type { Agency } from '../../api/contract/index.ts'

export const words = {
  unsupportedImage: 'Unsupported file. Use JPEG, PNG, GIF or WebP.',
  imageTooLarge: (megabytes: number) => `This image is larger than ${megabytes} MB.`,
  imageCanWait: (problem: string) => `${problem} Until then the post can wait as a draft.`,
  sandboxIsFree: 'The sandbox charges nothing.',

  writingBroken: 'The connection broke off before the text was whole. Nothing is lost: try again.',
  unknownAccount: 'Client or social account not found',
  notGenerated: (why: string) => `Failed to generate content. ${why}`,

  clocksForward: (asked: string, became: string) => `Clocks go forward that day, so ${asked} became ${became}.`,
} as const

export const postsWords = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'post' : 'posts'}`

export const subscriptionWords = {
  trialRuns: 'Your free trial is running',
  trialEndsOn: (date: string) => `Your free trial ends ${date}`,
  active: 'Active subscription',
  expired: 'Your free trial has ended. Add a payment method to continue.',
  pastDue: 'The last payment failed. We will try again; check your card.',
  unpaid: 'The subscription is unpaid. Due posts are on hold until the subscription is paid.',
  canceled: 'The subscription was canceled. Add a payment method to continue.',

  trialEnded: 'Your free trial has ended.',
  paymentFailed: 'Your last payment failed.',
  ended: 'Your subscription has ended.',
  stillWorks:
    'Due posts are on hold and nothing new can be started. Reading, rejecting, deleting and billing still work.',
  allWorks: 'Everything still works while the payment is tried again. Check your card.',
  trialEnds: (days: number) => `Your trial ends ${days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`}.`,
  onHold: (count: number) =>
    `${postsWords(count)} ${count === 1 ? 'was' : 'were'} on hold while the subscription was unpaid.`,

  addPayment: 'Add Payment Method',
  updatePayment: 'Update Payment Method',
  subscribeAgain: 'Subscribe Again',
  checkCard: 'Check Your Card',
  release: (count: number) => (count === 1 ? 'Release post' : 'Release posts'),
} as const

/** Why nothing new can be started: as the server says it, whose schemas are not to come along into the first bundle. */
export const blockedSentence: Readonly<Record<Exclude<Agency['standing'], 'good'>, string>> = {
  'trial-ended': 'Your free trial has ended. Add a payment method to continue.',
  unpaid: 'Your last payment did not go through. Update your payment method to continue.',
  canceled: 'Your subscription has ended. Subscribe again to continue.',
}
