/**
 * Records a subscription's state from the payment provider as an event of its agency, for webhooks and queries alike.
 */
import { v7 as uuidv7 } from 'uuid'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import type { Customers } from './customers.ts'
import type { SubscriptionUpdate } from './port.ts'

export type Recorded =
  | {
      readonly kind: 'recorded'
      readonly agencyId: string
      readonly appended: number
      readonly appendedEvents: readonly AppendedEvent[]
    }
  /** The customer does not belong to this server. */
  | { readonly kind: 'unknown-customer' }

interface Ports {
  readonly commands: Commands
  readonly customers: Customers
}

/** Repeatable and in any order: outdated or known states append nothing. */
export async function recordSubscriptionUpdate(
  { commands, customers }: Ports,
  { facts, agencyId: named }: SubscriptionUpdate,
  heard: 'told' | 'asked',
  causationId: string,
): Promise<Recorded> {
  const agencyId = (await customers.agencyOf(facts.customerId)) ?? named
  if (agencyId === null || !(await commands.agencyExists(agencyId))) return { kind: 'unknown-customer' }
  const by = { actor: { type: 'process', id: 'billing' }, agencyId, correlationId: uuidv7(), causationId } as const
  const done = await commands.agency(agencyId, { type: 'RecordSubscription', heard, ...facts }, by)
  if ('refused' in done) return { kind: 'unknown-customer' }
  return { kind: 'recorded', agencyId, appended: done.appended, appendedEvents: done.appendedEvents }
}
