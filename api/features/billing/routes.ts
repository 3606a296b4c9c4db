/** Checkout, the billing portal and invoices. */
import { setTimeout } from 'node:timers/promises'
import type { ProviderStatus } from '../../../domain/agency/commands.ts'
import type { Contacts } from '../agency/contacts.ts'
import type { AgencyReplies } from '../agency/reply.ts'
import type { Users } from '../auth/users.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import type { Handlers, OfAgency } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import type { Customers } from './customers.ts'
import { recordSubscriptionUpdate } from './subscription-updates.ts'
import { PaymentsError, type Payments } from './port.ts'
import { trialLeft } from './trial.ts'

export interface BillingPorts {
  readonly commands: Commands
  readonly customers: Customers
  /** Null: card payments are not set up on this server. */
  readonly payments: Payments | null
}

type Ports = BillingPorts & {
  readonly users: Users
  readonly contacts: Contacts
  readonly clock: Clock
  readonly agencyReply: AgencyReplies
  /** The server's public address. */
  readonly publicUrl: string
}

type Names = 'openCheckout' | 'openPortal' | 'listInvoices' | 'refreshSubscription'

export function billingHandlers(ports: Ports): Handlers<Names> {
  const { customers, payments, users, contacts, clock, agencyReply, publicUrl } = ports

  const mustHavePayments = (): Payments => {
    if (!payments) throw new Problem(503, 'payments-not-set-up', 'Card payments are not set up on this server.')
    return payments
  }
  const together = shared<string>()
  const emailOf = async ({ agencyId, session }: OfAgency) =>
    (await contacts.get(agencyId)) ?? (await users.get(session.userId))?.email ?? ''

  return {
    async openCheckout(ask) {
      const provider = mustHavePayments()
      const { agencyId, loadAgency } = ask
      const agency = await loadAgency()
      if (agency.status === 'active' || agency.status === 'past_due' || agency.status === 'unpaid') {
        throw subscribedAlready()
      }
      const open = async () => {
        const trial = agency.status === 'trialing' ? trialLeft(agency.trialEndsAt, clock.now()) : null
        const customerId = await customers.ensure({ agencyId, name: agency.name, email: await emailOf(ask) }, provider)
        const back = (how: string) => `${publicUrl}/billing?checkout=${how}`
        const url = await provider.checkout({
          agencyId,
          customerId,
          trial,
          doneUrl: back('done'),
          canceledUrl: back('canceled'),
        })
        // Asks the provider after the earlier pages are closed, so that no payment slips through. The log may not have
        // it yet, and a second query is better than a second payment.
        const paid = await provider.subscriptions(customerId)
        if (!paid.some(({ facts: { status } }) => living.includes(status))) return url
        await provider.closeCheckouts(customerId)
        throw subscribedAlready()
      }
      return { body: { url: await run(() => together(agencyId, open)) } }
    },

    async openPortal({ agencyId }) {
      const provider = mustHavePayments()
      const customerId = await customers.of(agencyId)
      if (customerId === null) throw new Problem(409, 'no-customer', 'Add a payment method first.')
      return { body: { url: await run(() => provider.portal(customerId, `${publicUrl}/billing`)) } }
    },

    async listInvoices({ agencyId }) {
      const customerId = payments && (await customers.of(agencyId))
      if (!payments || customerId === null) return { body: [] }
      return { body: [...(await run(() => payments.invoices(customerId)))] }
    },

    async refreshSubscription({ agencyId, me, visible, requestId }) {
      const customerId = payments && (await customers.of(agencyId))
      let isVisible = true
      if (payments && customerId !== null) {
        for (const update of await run(() => payments.subscriptions(customerId))) {
          const recorded = await recordSubscriptionUpdate(ports, update, 'asked', requestId)
          if (recorded.kind === 'recorded') isVisible = (await visible(recorded.appendedEvents)) && isVisible
        }
      }
      return { body: await agencyReply(agencyId, me, isVisible) }
    },
  }
}

const living: readonly ProviderStatus[] = ['trialing', 'active', 'past_due', 'unpaid']
const subscribedAlready = () =>
  new Problem(409, 'subscribed-already', 'You have a subscription already. Manage it instead.')

/** Shares the answer among simultaneous calls with the same key, so that a double click leads to one payable page. */
function shared<T>() {
  const underWay = new Map<string, Promise<T>>()
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const known = underWay.get(key)
    if (known) return known
    const answer = ask().finally(() => underWay.delete(key))
    underWay.set(key, answer)
    return answer
  }
}

/** The time limit for opening a payment page, over all its requests to the provider. */
const patienceMs = 20_000

/** Turns the provider's failures into an answer for the user. */
async function run<T>(asking: () => Promise<T>): Promise<T> {
  const tooLong = new AbortController()
  const late = setTimeout(patienceMs, undefined, { signal: tooLong.signal }).then(() => {
    throw new PaymentsError('The payment provider takes too long just now. Please try again in a moment.')
  })
  try {
    return await Promise.race([asking(), late])
  } catch (error) {
    if (error instanceof PaymentsError) throw new Problem(503, 'payments-unreachable', error.message, {}, error.cause)
    throw error
  } finally {
    tooLong.abort()
  }
}
