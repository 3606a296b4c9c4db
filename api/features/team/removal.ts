/** Removing a member, and leaving: what ends with the membership. */
import type { Member, Team } from '../../../domain/agency/team-state.ts'
import type { Views } from '../../../projections/registry.ts'
import type { MemberRemoval } from '../../contract/index.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { AppendedEvent, CommandContext } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Sessions } from '../auth/sessions.ts'

export interface RemovalPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'auditorLinks' | 'postCards'>
  readonly sessions: Pick<Sessions, 'choose' | 'nameAgency'>
  readonly clock: Clock
}

/** Of one removal; a second one of the same member goes on. */
const maxUnassigned = 10_000

type Names = 'getMemberRemoval' | 'removeMember' | 'leaveTeam'

export function removalHandlers({ commands, views, sessions, clock }: RemovalPorts): Handlers<Names> {
  async function linksOf(agencyId: string, { userId }: Member) {
    const found = await views.auditorLinks.all({ where: { agencyId, issuedBy: userId, revokedAt: null } })
    return found.filter(({ expiresAt }) => expiresAt > clock.now()).map(({ id, label }) => ({ id, label }))
  }

  async function removalOf(agencyId: string, team: Team, member: Member): Promise<MemberRemoval> {
    const invitations = Object.values(team.invitations).filter(({ invitedBy }) => invitedBy === member.id).length
    const posts = await views.postCards.count({ agencyId, assignedTo: member.id })
    return { invitations, posts, links: await linksOf(agencyId, member) }
  }

  /** After the membership has ended, so that none is assigned behind it. */
  async function unassign(agencyId: string, { id }: Member, by: CommandContext): Promise<AppendedEvent[]> {
    const appendedEvents: AppendedEvent[] = []
    const assigned = await views.postCards.all({ where: { agencyId, assignedTo: id } }, maxUnassigned)
    for (const post of assigned) {
      const result = await commands.post(post.id, { type: 'AssignPost', memberId: null }, by)
      if (!('refused' in result)) appendedEvents.push(...result.appendedEvents)
    }
    return appendedEvents
  }

  async function mustHaveMember({ loadAgency }: OfAgency, memberId: string) {
    const { team } = await loadAgency()
    return { team, member: team.members[memberId] ?? null }
  }

  /** A session that names no agency, but works in this one, says on its next request that it no longer does. */
  async function endSessions(agencyId: string, { userId }: Member): Promise<void> {
    if (agencyIdOf(userId) === agencyId) await sessions.nameAgency(userId, agencyId)
  }

  return {
    async getMemberRemoval(ask) {
      const { team, member } = await mustHaveMember(ask, ask.params.id)
      if (!member) throw problemOf({ reason: 'member-unknown' })
      return { body: await removalOf(ask.agencyId, team, member) }
    },

    async removeMember(ask) {
      const { agencyId, by, body, params, visible } = ask
      const { team, member } = await mustHaveMember(ask, params.id)
      const removal = member ? await removalOf(agencyId, team, member) : { invitations: 0, posts: 0, links: [] }
      const command = { type: 'RemoveMember', memberId: params.id, links: body.links } as const
      const appendedEvents: AppendedEvent[] = [...accepted(await commands.agency(agencyId, command, by)).appendedEvents]
      if (member) {
        await endSessions(agencyId, member)
        appendedEvents.push(...(await unassign(agencyId, member, by)))
      }
      if (body.links === 'revoked')
        for (const { id } of removal.links)
          appendedEvents.push(
            ...accepted(await commands.auditorLink(id, { type: 'RevokeAuditorLink' }, by)).appendedEvents,
          )
      await visible(appendedEvents)
      return { body: removal }
    },

    async leaveTeam({ agencyId, by, me, session, visible }) {
      const command = { type: 'LeaveTeam', memberId: me.id } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      await endSessions(agencyId, me)
      // No member any more, who could do it.
      const product = { ...by, actor: { type: 'process', id: 'team' } } as const
      const unassigned = await unassign(agencyId, me, product)
      // This browser knows; the others are told.
      await sessions.choose(session.id, null)
      await visible([...appendedEvents, ...unassigned])
      return {}
    },
  }
}
