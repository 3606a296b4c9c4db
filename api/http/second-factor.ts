/** Members without the second factor that their agency requires: once it is due, they can only add one, or leave. */
import { secondFactorDueAt } from '../../domain/agency/second-factor.ts'
import type { Clock } from '../core/clock.ts'
import type { Route } from '../contract/index.ts'
import type { Membership } from './memberships.ts'
import { Problem } from './problem.ts'

export interface SecondFactorPorts {
  readonly clock: Clock
  /** Whether a user has a second factor. */
  readonly hasFactor: (userId: string) => Promise<boolean>
}

/** Asked of the records only once the factor is due. @throws Problem 403 */
export async function mustHaveFactor(
  route: Route,
  { clock, hasFactor }: SecondFactorPorts,
  membership: Pick<Membership, 'agency' | 'me'> | null,
): Promise<void> {
  if (route.beforeFactor || !membership) return
  const { agency, me } = membership
  const dueAt = secondFactorDueAt(agency.team, me)
  if (dueAt === null || dueAt > clock.now() || (await hasFactor(me.userId))) return
  throw new Problem(
    403,
    'second-factor-missing',
    `${agency.name || 'Your agency'} requires a second factor. Add one in Settings, Security, to go on.`,
  )
}
