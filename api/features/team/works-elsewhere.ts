import { memberOf } from '../../../domain/agency/team-state.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { Commands } from '../../core/commands.ts'
import type { MembershipOf } from '../../http/memberships.ts'

export interface ElsewherePorts {
  readonly commands: Commands
  /** The user's agencies, by the view. */
  readonly agenciesOf: (userId: string) => Promise<readonly MembershipOf[]>
}

/** Whether a person is a member of another agency, too. */
export async function worksElsewhere(ports: ElsewherePorts, userId: string, agencyId: string): Promise<boolean> {
  const own = agencyIdOf(userId)
  if (own !== agencyId && memberOf((await ports.commands.recallAgency(own)).team, userId)) return true
  return (await ports.agenciesOf(userId)).some((each) => each.agencyId !== agencyId)
}
