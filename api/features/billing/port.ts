/** What a payment provider can be asked. */
import type { SubscriptionFacts } from '../../../domain/agency/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

export interface Invoice {
  readonly id: string
  /** As people quote it; null for a draft. */
  readonly number: string | null
  readonly date: Instant
  readonly amountCents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly status: (typeof invoiceStatuses)[number]
  readonly pdfUrl: string | null
  readonly pageUrl: string | null
}

/** News of a subscription, and whose it is as far as it says so itself. */
export interface SubscriptionNews {
  readonly facts: SubscriptionFacts
  readonly agencyId: string | null
}

/** A webhook's message whose signature is right. `news` is null for what doesn't concern a subscription. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly news: SubscriptionNews | null
}

export interface Buyer {
  readonly agencyId: string
  readonly name: string
  readonly email: string
}

/** To the second, or in days, a begun one counted. */
export type TrialLeft = { readonly until: Instant } | { readonly days: number }

export interface CheckoutRequest {
  readonly agencyId: string
  readonly customerId: string
  /** The rest of the trial, which is carried over; null when it is over. */
  readonly trial: TrialLeft | null
  readonly doneUrl: string
  readonly canceledUrl: string
}

export interface Payments {
  /** The same agency is the same customer, however often this is asked. Answers its id. @throws PaymentsError */
  customer(buyer: Buyer): Promise<string>
  /**
   * Where the browser goes to pay. Pages that were opened before can't be paid any more after this; of several that are
   * asked for at once, by whichever process, the same one stays for all. @throws PaymentsError
   */
  checkout(request: CheckoutRequest): Promise<string>
  /** Where the browser goes to change the card or to cancel. @throws PaymentsError */
  portal(customerId: string, returnUrl: string): Promise<string>
  /** Newest first. @throws PaymentsError */
  invoices(customerId: string): Promise<readonly Invoice[]>
  /** No payment page of the customer can be paid any more after this. @throws PaymentsError */
  closeCheckouts(customerId: string): Promise<void>
  /** A customer's subscriptions as they are now, by the provider's clock. @throws PaymentsError */
  subscriptions(customerId: string): Promise<readonly SubscriptionNews[]>
  /** Every subscription, page by page. @throws PaymentsError */
  allSubscriptions(): AsyncIterable<SubscriptionNews>
  /** Reads a webhook's raw bytes. Null when the signature is wrong or too old. */
  message(body: Buffer, signature: string, now: Instant): Message | null
}

/** The provider can't be reached or refuses. The message is one sentence, fit for a person, without secrets. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError'
}
