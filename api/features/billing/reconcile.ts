/** Compares every subscription at the payment provider with the log, and repairs the log by appending. */
import { followed } from '../../../domain/agency/subscriptions.ts'
import type { Agency } from '../../../domain/agency/state.ts'
import { recordSubscriptionUpdate } from './subscription-updates.ts'
import type { Payments } from './port.ts'
import type { BillingPorts } from './routes.ts'

export interface Reconciled {
  /** The number of subscriptions compared. */
  readonly seen: number
  /** One sentence per difference. */
  readonly differences: readonly string[]
}

type Ports = Omit<BillingPorts, 'payments'> & { readonly payments: Payments }

/** @throws PaymentsError */
export async function reconcile(ports: Ports): Promise<Reconciled> {
  const { commands, payments } = ports
  const differences: string[] = []
  const agencies = new Map<string, Agency>()
  let seen = 0
  for await (const update of payments.allSubscriptions()) {
    seen += 1
    const { subscriptionId, status } = update.facts
    const agencyId = (await ports.customers.agencyOf(update.facts.customerId)) ?? update.agencyId
    if (agencyId === null || !(await commands.agencyExists(agencyId))) {
      differences.push(`${subscriptionId} (${status}) belongs to an unknown customer.`)
      continue
    }
    const before = (await commands.loadAgency(agencyId)).state
    await recordSubscriptionUpdate(ports, update, 'asked', 'reconcile')
    const after = (await commands.loadAgency(agencyId)).state
    const [was, is] = [followed(before.subscriptions), followed(after.subscriptions)]
    const isSame =
      before.status === after.status &&
      was?.id === is?.id &&
      was?.currentPeriodEnd === is?.currentPeriodEnd &&
      was?.endsWithPeriod === is?.endsWithPeriod
    if (!isSame)
      differences.push(
        `Agency ${agencyId} was ${before.status} and is ${after.status} now, according to ${subscriptionId}.`,
      )
    agencies.set(agencyId, after)
  }
  for (const [agencyId, { subscriptions }] of agencies) {
    const living = subscriptions.filter(({ status }) => status === 'active' || status === 'past_due')
    if (living.length > 1)
      differences.push(
        `Agency ${agencyId} pays for ${living.length} subscriptions: ${living.map(({ id }) => id).join(', ')}. Cancel the surplus ones at Stripe.`,
      )
  }
  return { seen, differences }
}
