/** Removes the second factors of a member who lost them. The password stays, and is needed to sign in. */
import { v7 as uuidv7 } from 'uuid'
import { memberOf } from '../../../domain/agency/team-state.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import type { MembershipOf } from '../../http/memberships.ts'
import { problemOf } from '../../http/sentences.ts'
import { clearer, teller, type AccountPorts } from '../auth/own-account.ts'
import { resetFactors } from '../auth/reset-factors.ts'
import type { Message } from '../mail/port.ts'

export interface ResetMemberPorts extends AccountPorts {
  readonly commands: Commands
  /** The user's agencies, by the view. */
  readonly agenciesOf: (userId: string) => Promise<readonly MembershipOf[]>
}

export function resetFactorsHandlers(ports: ResetMemberPorts): Handlers<'resetMemberFactors'> {
  const { commands, users, factors } = ports

  async function worksElsewhere(userId: string, agencyId: string): Promise<boolean> {
    const own = agencyIdOf(userId)
    if (own !== agencyId && memberOf((await commands.recallAgency(own)).team, userId)) return true
    return (await ports.agenciesOf(userId)).some((each) => each.agencyId !== agencyId)
  }

  return {
    async resetMemberFactors({ agencyId, by, session, loadAgency, params: { id: memberId }, visible }) {
      const { name, team } = await loadAgency()
      const userId = team.members[memberId]?.userId
      if (userId === undefined) throw problemOf({ reason: 'member-unknown' })
      const facts = {
        worksElsewhere: await worksElsewhere(userId, agencyId),
        hasFactors: (await factors.methodsOf(userId)).length > 0,
      }
      const command = { type: 'ResetMemberFactors', memberId, resetId: uuidv7() } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by, facts))
      // Before the factors are gone, so that an interrupted reset can be repeated.
      const user = await users.endTrust(userId)
      if (user) await clearer(ports)(user)
      const tell = (message: Message) => teller(ports)({ id: userId }, 'factors-reset', message)
      await resetFactors({ ...ports, tell }, userId, session.userId, name)
      await visible(appendedEvents)
      return {}
    },
  }
}
