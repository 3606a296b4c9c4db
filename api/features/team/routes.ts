import { memberOf } from '../../../domain/agency/team-state.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Ownerships } from '../agency/ownerships.ts'
import { acceptHandlers, type AcceptPorts } from './accept.ts'
import { inviteHandlers, type InvitePorts } from './invite.ts'
import { people, type PeoplePorts } from './people.ts'
import { removalHandlers, type RemovalPorts } from './removal.ts'
import { resetFactorsHandlers, type ResetMemberPorts } from './reset-factors.ts'
import { unassign } from './unassign.ts'
import type { TeamRouteName } from '../../contract/index.ts'

export type TeamPorts = AcceptPorts &
  InvitePorts &
  Omit<PeoplePorts, 'mails'> &
  RemovalPorts &
  ResetMemberPorts & { readonly ownerships: Ownerships }

export function teamHandlers(ports: TeamPorts): Handlers<TeamRouteName> {
  const { commands } = ports
  const shown = people(ports)

  return {
    ...inviteHandlers(ports),
    ...acceptHandlers(ports),
    ...removalHandlers(ports),
    ...resetFactorsHandlers(ports),

    async getTeam({ agencyId, me, loadAgency }) {
      return { body: await shown.team(agencyId, await loadAgency(), me) }
    },

    async changeTeam({ agencyId, by, me, body: { ownApproval }, visible }) {
      const command = { type: 'SetOwnApproval', ownApproval } as const
      const { state, appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      await visible(appendedEvents)
      return { body: await shown.team(agencyId, state, me) }
    },

    async changeMember({ agencyId, by, me, params: { id: memberId }, body, visible }) {
      const command = { type: 'ChangeMemberRole', memberId, ...body } as const
      const { state, appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      const member = state.team.members[memberId]
      if (!member) throw problemOf({ reason: 'member-unknown' })
      await visible([...appendedEvents, ...(await unassign(ports, memberId, member.clients, by))])
      return { body: await shown.member(agencyId, member, memberOf(state.team, me.userId) ?? me) }
    },

    async offerOwnership({ agencyId, by, me, body: { memberId }, visible }) {
      const command = { type: 'OfferOwnership', memberId } as const
      const { state, appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      await visible(appendedEvents)
      return { body: await shown.team(agencyId, state, me) }
    },

    async acceptOwnership({ agencyId, by, me, visible }) {
      const command = { type: 'AcceptOwnership', memberId: me.id } as const
      const { state, appendedEvents } = accepted(
        await ports.ownerships.owning(me.userId, agencyId, (ownsAnother) =>
          commands.agency(agencyId, command, by, async () => ({ ownsAnother: await ownsAnother() })),
        ),
      )
      await visible(appendedEvents)
      return { body: await shown.team(agencyId, state, memberOf(state.team, me.userId) ?? me) }
    },

    async declineOwnership({ agencyId, by, visible }) {
      const command = { type: 'OfferOwnership', memberId: null } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      await visible(appendedEvents)
      return {}
    },
  }
}
