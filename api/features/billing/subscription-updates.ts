/** What the payment provider says of a subscription becomes a fact of its agency, whoever heard it. */
import { v7 as uuidv7 } from 'uuid'
import type { CommandHandler, AppendedEvent } from '../../core/command-handler.ts'
import type { Customers } from './customers.ts'
import type { SubscriptionNews } from './port.ts'

export type Told =
  | {
      readonly kind: 'recorded'
      readonly agencyId: string
      readonly appended: number
      readonly appendedEvents: readonly AppendedEvent[]
    }
  /** Of a customer that is none of this server's. */
  | { readonly kind: 'unknown-customer' }

interface Ports {
  readonly handler: CommandHandler
  readonly customers: Customers
}

/** Can be repeated, and in any order: what is older or known already appends nothing. */
export async function recordNews(
  { handler, customers }: Ports,
  { facts, agencyId: named }: SubscriptionNews,
  heard: 'told' | 'asked',
  causationId: string,
): Promise<Told> {
  const agencyId = (await customers.agencyOf(facts.customerId)) ?? named
  if (agencyId === null || !(await handler.agencyExists(agencyId))) return { kind: 'unknown-customer' }
  const by = { actor: { type: 'process', id: 'billing' }, agencyId, correlationId: uuidv7(), causationId } as const
  const done = await handler.agency(agencyId, { type: 'RecordSubscription', heard, ...facts }, by)
  if ('refused' in done) return { kind: 'unknown-customer' }
  return { kind: 'recorded', agencyId, appended: done.appended, appendedEvents: done.appendedEvents }
}
