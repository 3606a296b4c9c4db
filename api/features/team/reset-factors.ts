/** Removes the second factors of a member who lost them. The password stays, and is needed to sign in. */
import { idFromKey } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import { factorsKey, methodsIn } from '../auth/factors.ts'
import { clearer, teller, type AccountPorts } from '../auth/own-account.ts'
import { ownActs } from '../auth/own-acts.ts'
import { resetFactors } from '../auth/reset-factors.ts'
import type { Message } from '../mail/port.ts'
import { worksElsewhere, type ElsewherePorts } from './works-elsewhere.ts'

export type ResetMemberPorts = AccountPorts & ElsewherePorts & { readonly clock: Clock }

export function resetFactorsHandlers(ports: ResetMemberPorts): Handlers<'resetMemberFactors'> {
  const { commands, users, factors } = ports
  const { proven } = ownActs(ports)

  return {
    async resetMemberFactors(ask) {
      const { agencyId, by, session, loadAgency, params, visible } = ask
      const memberId = params.id
      // The own password: an intruder at an unlocked screen must not weaken other accounts.
      await proven('begin-factors-reset', ask, async () => undefined)
      const { name, team } = await loadAgency()
      const userId = team.members[memberId]?.userId
      if (userId === undefined) throw problemOf({ reason: 'member-unknown' })
      const removed = await factors.get(userId)
      const facts = {
        worksElsewhere: await worksElsewhere(ports, userId, agencyId),
        hasFactors: methodsIn(removed).length > 0,
      }
      // Derived from what is removed, so that a repetition is the same reset.
      const resetId = idFromKey(agencyId, 'resetMemberFactors', `${memberId}:${factorsKey(removed)}`)
      const command = { type: 'ResetMemberFactors', memberId, resetId } as const
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
