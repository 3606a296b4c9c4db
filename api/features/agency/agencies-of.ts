import { maxAgenciesOfUser } from '../../../domain/agency/roles.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import type { MembershipOf } from '../../http/memberships.ts'

type GivenViews = () => Pick<Views, 'members'>

/** The agencies that a user is a member of, by the view. */
export const agenciesOf =
  (views: GivenViews) =>
  (userId: string): Promise<readonly MembershipOf[]> =>
    views()
      .members.find({ where: { userId, isMember: true }, limit: maxAgenciesOfUser })
      .catch((error: unknown) => {
        // Built for the first time, from a log of agencies that have their owner alone.
        if (error instanceof BeingBuilt) return []
        throw error
      })

/** The agencies that a user owns, by the view. @throws BeingBuilt: an owner must not look like none */
export const shownOwned =
  (views: GivenViews) =>
  async (userId: string): Promise<readonly string[]> => {
    const where = { userId, isMember: true, role: 'owner' } as const
    return (await views().members.find({ where, limit: maxAgenciesOfUser })).map(({ agencyId }) => agencyId)
  }
