/** The interface to a payment provider. */
import type { SubscriptionFacts } from '../../../domain/agency/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'

export const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

export interface Invoice {
  readonly id: string
  /** The printed invoice number; null for a draft. */
  readonly number: string | null
  readonly date: Instant
  readonly amountCents: number
  /** ISO 4217, upper case. */
  readonly currency: string
  readonly status: (typeof invoiceStatuses)[number]
  readonly pdfUrl: string | null
  readonly pageUrl: string | null
}

/** The state of a subscription, and its agency if the provider names it. */
export interface SubscriptionUpdate {
  readonly facts: SubscriptionFacts
  readonly agencyId: string | null
}

/** A webhook message with a valid signature. `news` is null for a message that isn't about a subscription. */
export interface Message {
  readonly id: string
  readonly type: string
  readonly update: SubscriptionUpdate | null
}

export interface Buyer {
  readonly agencyId: string
  readonly name: string
  readonly email: string
}

/** To the second, or in days, rounded up. */
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
  /** Returns the customer's id, the same one for the same agency every time. @throws PaymentsError */
  customer(buyer: Buyer): Promise<string>
  /**
   * Returns the address of a payment page. Closes all earlier pages; simultaneous requests, even of several processes,
   * get the same page. @throws PaymentsError
   */
  checkout(request: CheckoutRequest): Promise<string>
  /** Returns the address of the page for changing the card or canceling. @throws PaymentsError */
  portal(customerId: string, returnUrl: string): Promise<string>
  /** Newest first. @throws PaymentsError */
  invoices(customerId: string): Promise<readonly Invoice[]>
  /** Closes all payment pages of the customer. @throws PaymentsError */
  closeCheckouts(customerId: string): Promise<void>
  /** The customer's current subscriptions, with times by the provider's clock. @throws PaymentsError */
  subscriptions(customerId: string): Promise<readonly SubscriptionUpdate[]>
  /** Every subscription, page by page. @throws PaymentsError */
  allSubscriptions(): AsyncIterable<SubscriptionUpdate>
  /** Reads a webhook's raw bytes. Null when the signature is invalid or outside the time window. */
  message(body: Buffer, signature: string, now: Instant): Message | null
}

/** The provider can't be reached or refuses. The message is one sentence for the user, without secrets. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError'
}
