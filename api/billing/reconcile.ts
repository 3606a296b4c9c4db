/** Compares what the payment provider says of every subscription with the log, and repairs the log by appending. */
import type { Clock } from '../clock.ts'
import { recordNews } from './news.ts'
import type { Payments } from './port.ts'
import type { BillingPorts } from './routes.ts'

export interface Reconciled {
  /** Subscriptions that were looked at. */
  readonly seen: number
  /** A sentence for each difference. */
  readonly differences: readonly string[]
}

type Ports = Omit<BillingPorts, 'payments'> & { readonly payments: Payments; readonly clock: Clock }

/** Told as of now, so that nothing that was heard before is newer. @throws PaymentsError */
export async function reconcile(ports: Ports): Promise<Reconciled> {
  const { handler, payments, clock } = ports
  const differences: string[] = []
  let seen = 0
  for await (const news of payments.allSubscriptions(clock.now())) {
    seen += 1
    const { subscriptionId, status } = news.facts
    const agencyId = (await ports.customers.agencyOf(news.facts.customerId)) ?? news.agencyId
    if (agencyId === null || !(await handler.agencyExists(agencyId))) {
      differences.push(`${subscriptionId} (${status}) belongs to a customer that is unknown here.`)
      continue
    }
    const before = (await handler.loadAgency(agencyId)).state
    await recordNews(ports, news, 'reconcile')
    const after = (await handler.loadAgency(agencyId)).state
    const isSame = before.status === after.status && before.currentPeriodEnd === after.currentPeriodEnd && before.endsWithPeriod === after.endsWithPeriod
    if (!isSame) differences.push(`Agency ${agencyId} was ${before.status} and is ${after.status} now, as ${subscriptionId} says.`)
  }
  return { seen, differences }
}
