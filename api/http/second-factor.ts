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

type In = Pick<Membership, 'agency' | 'me'>

/** Whether the factor is due, and not there. Asked of the records only once it is due. */
export async function lacksFactor({ clock, hasFactor }: SecondFactorPorts, { agency, me }: In): Promise<boolean> {
  const dueAt = secondFactorDueAt(agency.team, me)
  return dueAt !== null && dueAt <= clock.now() && !(await hasFactor(me.userId))
}

/** @throws Problem 403 */
export async function mustHaveFactor(route: Route, ports: SecondFactorPorts, membership: In | null): Promise<void> {
  if (route.beforeFactor || !membership || !(await lacksFactor(ports, membership))) return
  const { agency } = membership
  throw new Problem(
    403,
    'second-factor-missing',
    `${agency.name || 'Your agency'} requires a second factor. Add one in Settings, Security, to go on.`,
    // Tells the web's client, which reads errors as text, to leave the screen.
    { 'X-Second-Factor': 'missing' },
  )
}
