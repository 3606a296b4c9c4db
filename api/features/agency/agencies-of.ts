import { maxAgenciesOfUser } from '../../../domain/agency/roles.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import type { MembershipOf } from '../../http/memberships.ts'

/** The agencies that a user is a member of, by the view. */
export const agenciesOf =
  (views: () => Pick<Views, 'members'>) =>
  (userId: string): Promise<readonly MembershipOf[]> =>
    views()
      .members.find({ where: { userId, isMember: true }, limit: maxAgenciesOfUser })
      .catch((error: unknown) => {
        // Built for the first time, from a log of agencies that have their owner alone.
        if (error instanceof BeingBuilt) return []
        throw error
      })
