/**
 * An agency's roster and standing from its view: for display while the event store is down. No command is decided on
 * it.
 */
import type { Agency } from '../../../domain/agency/state.ts'
import { UsedIds } from '../../../domain/core/used-ids.ts'
import type { Views } from '../../../projections/registry.ts'

export const agencyAsShown =
  (views: () => Pick<Views, 'agency' | 'clients'>) =>
  async (agencyId: string): Promise<Agency | null> => {
    const { agency, clients } = views()
    const [found, roster] = await Promise.all([agency.get(agencyId), clients.all({ where: { agencyId } })])
    if (!found) return null
    const { ownerId, name, timeZone, subscriptionStatus: status, trialEndsAt, subscriptions } = found
    const profiles = roster.map(({ id, agencyId: _, createdAt: __, ...profile }) => [id, profile] as const)
    return {
      ownerId,
      name,
      timeZone,
      status,
      trialEndsAt,
      subscriptions,
      clients: Object.fromEntries(profiles),
      removed: UsedIds.none,
    }
  }
