/** Card payments through Stripe's official client. */
import { Stripe } from 'stripe'
import type { ProviderStatus } from '../../../domain/agency/commands.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { StripeSettings } from './config.ts'
import {
  invoiceStatuses,
  PaymentsError,
  type Invoice,
  type Message,
  type Payments,
  type SubscriptionUpdate,
} from './port.ts'
import { isSignedAround, signatureLifeSeconds } from './signed-at.ts'

const invoicesShown = 24
/** One page of results, more than any customer has open. */
const maxCheckouts = 100

export function stripePayments({ secretKey, webhookSecret, priceId, apiBase, timeoutMs }: StripeSettings): Payments {
  const stripe = new Stripe(secretKey, {
    ...hostOf(apiBase),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })

  /** Created by our checkout, or for our price: a customer may buy other things from the same Stripe account. */
  const isOurs = ({ metadata, items }: Stripe.Subscription) =>
    metadata['agencyId'] !== undefined || items.data.some(({ price }) => price.id === priceId)
  /** Timed by Stripe's own clock, to the second, like its webhook messages. */
  const updatesOfPage = ({ data, lastResponse }: Stripe.Response<Stripe.ApiList<Stripe.Subscription>>) => {
    const result = Date.parse(lastResponse.headers['date'] ?? '')
    const asOf = instant(Math.floor((Number.isNaN(result) ? Date.now() : result) / 1000))
    return data.filter(isOurs).map((subscription) => updateOf(subscription, asOf))
  }

  const openCheckouts = async (customer: string) =>
    (await reached(stripe.checkout.sessions.list({ customer, status: 'open', limit: maxCheckouts }))).data
  const close = (sessions: readonly Stripe.Checkout.Session[]) =>
    Promise.all(sessions.map(({ id }) => reached(stripe.checkout.sessions.expire(id)).catch(passOverClosed)))

  return {
    async customer({ agencyId, name, email }) {
      // The request has no changeable data: Stripe refuses the same idempotency key with another name.
      const { id } = await reached(
        stripe.customers.create({ metadata: { agencyId } }, { idempotencyKey: `customer-${agencyId}` }),
      )
      await reached(stripe.customers.update(id, { name, email }))
      return id
    },

    async checkout({ agencyId, customerId, trial, doneUrl, canceledUrl }) {
      const carriedOver =
        trial === null ? {} : 'until' in trial ? { trial_end: seconds(trial.until) } : { trial_period_days: trial.days }
      const session = await reached(
        stripe.checkout.sessions.create({
          mode: 'subscription',
          customer: customerId,
          client_reference_id: agencyId,
          line_items: [{ price: priceId, quantity: 1 }],
          subscription_data: { metadata: { agencyId }, ...carriedOver },
          success_url: doneUrl,
          cancel_url: canceledUrl,
        }),
      )
      const open = await openCheckouts(customerId)
      // All concurrent requests keep the same page, because the rule is deterministic and the last one to list sees all
      // pages.
      const kept = open.filter((one) => one.client_reference_id === agencyId && one.url !== null).reduce(newer, session)
      await close(open.filter(({ id }) => id !== kept.id))
      if (kept.url === null) throw new PaymentsError('The payment page could not be opened. Please try again.')
      return kept.url
    },

    async closeCheckouts(customer) {
      await close(await openCheckouts(customer))
    },

    async portal(customerId, returnUrl) {
      return (await reached(stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }))).url
    },

    async invoices(customerId) {
      const { data } = await reached(stripe.invoices.list({ customer: customerId, limit: invoicesShown }))
      return data.map(invoiceOf)
    },

    async subscriptions(customerId) {
      const page = await reached(stripe.subscriptions.list({ customer: customerId, status: 'all', limit: 100 }))
      return updatesOfPage(page)
    },

    async *allSubscriptions() {
      for (let after: string | undefined; ;) {
        const page = await reached(
          stripe.subscriptions.list({
            status: 'all',
            limit: 100,
            ...(after === undefined ? {} : { starting_after: after }),
          }),
        )
        yield* updatesOfPage(page)
        after = page.data.at(-1)?.id
        if (!page.has_more || after === undefined) return
      }
    },

    message(body, signature, now): Message | null {
      const nowMs = Date.parse(now)
      if (!isSignedAround(signature, nowMs)) return null
      let event: Stripe.Event
      try {
        event = stripe.webhooks.constructEvent(body, signature, webhookSecret, signatureLifeSeconds, undefined, nowMs)
      } catch {
        return null
      }
      const { id, type, created } = event
      // A message from the future would make all others until then look outdated.
      if (!Number.isSafeInteger(created) || created > nowMs / 1000 + signatureLifeSeconds) return null
      const isOfSubscription = event.type.startsWith('customer.subscription.')
      const { object } = event.data
      const update =
        isOfSubscription && isSubscription(object) && isOurs(object) ? updateOf(object, instant(created)) : null
      return { id, type, update }
    },
  }
}

function hostOf(apiBase: string | null) {
  if (apiBase === null) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const isSecure = protocol === 'https:'
  return {
    protocol: isSecure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port === '' ? (isSecure ? 443 : 80) : Number(port),
  }
}

/** Stripe's own messages may name ids and settings: they stay in `cause`, for the log. */
async function reached<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const sentence =
      error instanceof Stripe.errors.StripeConnectionError || error instanceof Stripe.errors.StripeAPIError
        ? "The payment provider can't be reached just now. Please try again in a moment."
        : error instanceof Stripe.errors.StripeRateLimitError
          ? 'The payment provider is busy just now. Please try again in a moment.'
          : 'The payment provider refused the request. Ask the operator of this server to look at its settings.'
    throw new PaymentsError(sentence, { cause: error })
  }
}

const newer = (a: Stripe.Checkout.Session, b: Stripe.Checkout.Session) =>
  b.created > a.created || (b.created === a.created && b.id > a.id) ? b : a

/** Ignores the error for a page that was paid or has expired: it needs no closing. */
function passOverClosed(error: unknown): void {
  const isClosed = error instanceof PaymentsError && error.cause instanceof Stripe.errors.StripeInvalidRequestError
  if (!isClosed) throw error
}

/** Maps Stripe's states to ours. https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
const statuses: Readonly<Record<string, ProviderStatus>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'incomplete',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'unpaid',
  canceled: 'canceled',
}

const isSubscription = (object: object): object is Stripe.Subscription =>
  'object' in object && object.object === 'subscription'

function updateOf(subscription: Stripe.Subscription, asOf: Instant): SubscriptionUpdate {
  const {
    id: subscriptionId,
    customer,
    status,
    items,
    cancel_at_period_end,
    cancel_at,
    created,
    metadata,
  } = subscription
  const periodEnd = items.data[0]?.current_period_end
  return {
    agencyId: metadata['agencyId'] ?? null,
    facts: {
      subscriptionId,
      customerId: typeof customer === 'string' ? customer : customer.id,
      // An unknown state must not grant access.
      status: statuses[status] ?? 'incomplete',
      currentPeriodEnd: periodEnd === undefined ? null : instant(periodEnd),
      endsWithPeriod: cancel_at_period_end || cancel_at !== null,
      begunAt: instant(created),
      asOf,
    },
  }
}

function invoiceOf(invoice: Stripe.Invoice): Invoice {
  const { id, number, created, total, currency, status, invoice_pdf: pdfUrl, hosted_invoice_url: pageUrl } = invoice
  return {
    id: id ?? '',
    number,
    date: instant(created),
    amountCents: total,
    currency: currency.toUpperCase(),
    status: invoiceStatuses.find((one) => one === status) ?? 'draft',
    pdfUrl: pdfUrl ?? null,
    pageUrl: pageUrl ?? null,
  }
}

const seconds = (at: Instant) => Math.floor(Date.parse(at) / 1000)
const instant = (unixSeconds: number): Instant => new Date(unixSeconds * 1000).toISOString()
