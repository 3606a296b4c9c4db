/** Removing a member, and leaving: what ends with the membership. */
import type { Agency } from '../../../domain/agency/state.ts'
import type { Member, Team } from '../../../domain/agency/team-state.ts'
import type { AuditorLinkRefusal } from '../../../domain/auditor-link/decider.ts'
import { BeingBuilt } from '../../../domain/event-store/port.ts'
import type { ReviewLinkRefusal } from '../../../domain/review-link/decider.ts'
import type { Where } from '../../../projections/read-store/port.ts'
import type { Views } from '../../../projections/registry.ts'
import type { MemberRemoval } from '../../contract/index.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { CommandContext, HandlerRefusal } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Users } from '../auth/users.ts'
import type { Invitations } from './invitations.ts'
import { unassign } from './unassign.ts'

export interface RemovalPorts {
  readonly commands: Commands
  readonly views: Pick<Views, 'auditorLinks' | 'clients' | 'members' | 'postCards' | 'reviewLinks'>
  readonly users: Pick<Users, 'get'>
  readonly invitations: Pick<Invitations, 'openOf'>
  readonly sessions: Pick<Sessions, 'choose' | 'nameAgency'>
  readonly clock: Clock
}

interface Leaver {
  readonly id: string
  readonly userId: string
}

/** Of a person who came back, the links are those of a member. */
const isBack = (team: Team, leaver: Leaver): boolean =>
  Object.values(team.members).some(({ id, userId }) => userId === leaver.userId && id !== leaver.id)

type Names = 'getMemberRemoval' | 'removeMember' | 'leaveTeam'

export function removalHandlers(ports: RemovalPorts): Handlers<Names> {
  const { commands, views, users, invitations, sessions, clock } = ports

  async function linksOf(agencyId: string, { userId }: Pick<Member, 'userId'>) {
    const where = { agencyId, issuedBy: userId, revokedAt: null }
    const isOpen = ({ expiresAt }: { readonly expiresAt: string }) => expiresAt > clock.now()
    const [ofAuditors, ofReviewers] = await Promise.all([views.auditorLinks.all({ where }), reviewLinksOf(where)])
    return [...ofAuditors.filter(isOpen), ...ofReviewers.filter(isOpen)].map(({ id, label }) => ({ id, label }))
  }

  /** With the names of their clients. */
  async function reviewLinksOf(where: Where) {
    const links = await views.reviewLinks.all({ where }).catch(notBuiltYet)
    const clients = await views.clients.getMany(links.map(({ clientId }) => clientId))
    return links.map(({ id, clientId, expiresAt }) => {
      const name = clients.get(clientId)?.name ?? ''
      return { id, clientId, expiresAt, label: `Review of posts of ${name}` }
    })
  }

  async function revoke(id: string, by: CommandContext) {
    const clientId = (await views.reviewLinks.getMany([id])).get(id)?.clientId
    const outcome =
      clientId === undefined
        ? await commands.auditorLink(id, { type: 'RevokeAuditorLink' }, by)
        : await commands.reviewLink(id, { type: 'RevokeReviewLink' }, { ...by, clientId })
    return accepted<unknown, AuditorLinkRefusal | ReviewLinkRefusal | HandlerRefusal>(outcome).appendedEvents
  }

  async function linksAfter(
    agencyId: string,
    team: Team,
    leaver: Leaver,
    before: MemberRemoval['links'],
  ): Promise<MemberRemoval['links']> {
    if (isBack(team, leaver)) return before
    const known = new Set(before.map(({ id }) => id))
    return [...before, ...(await linksOf(agencyId, leaver)).filter(({ id }) => !known.has(id))]
  }

  async function removalOf(agencyId: string, team: Team, member: Leaver): Promise<MemberRemoval> {
    const invitations = Object.values(team.invitations).filter(({ invitedBy }) => invitedBy === member.id).length
    const posts = await views.postCards.count({ agencyId, assignedTo: member.id })
    return { invitations, posts, links: isBack(team, member) ? [] : await linksOf(agencyId, member) }
  }

  /** A former member too: a removal that was interrupted goes on when it is repeated. */
  async function leaverOf({ agencyId, loadAgency }: OfAgency, memberId: string) {
    const { team } = await loadAgency()
    const member = team.members[memberId] ?? (await views.members.get(`${agencyId}.${memberId}`))
    const leaver: Leaver | null = member && { id: memberId, userId: member.userId }
    return { team, leaver }
  }

  /** A session that names no agency, but works in this one, says on its next request that it no longer does. */
  async function endSessions(agencyId: string, { userId }: Pick<Member, 'userId'>): Promise<void> {
    if (agencyIdOf(userId) === agencyId) await sessions.nameAgency(userId, agencyId)
  }

  const waysBackOf =
    ({ userId }: Leaver) =>
    async ({ team }: Agency) => {
      const user = await users.get(userId)
      return { openOfAddress: user ? await invitations.openOf(user.email, team) : [] }
    }

  return {
    async getMemberRemoval(ask) {
      const { team, leaver } = await leaverOf(ask, ask.params.id)
      if (!leaver) throw problemOf({ reason: 'member-unknown' })
      return { body: await removalOf(ask.agencyId, team, leaver) }
    },

    async removeMember(ask) {
      const { agencyId, by, body, params, visible } = ask
      const { team, leaver } = await leaverOf(ask, params.id)
      if (!leaver) throw problemOf({ reason: 'member-unknown' })
      const removal = await removalOf(agencyId, team, leaver)
      const command = { type: 'RemoveMember', memberId: leaver.id, links: body.links } as const
      const removed = accepted(await commands.agency(agencyId, command, by, waysBackOf(leaver)))
      const appendedEvents = [...removed.appendedEvents]
      // After the membership has ended, so that nothing is assigned or issued behind it.
      await endSessions(agencyId, leaver)
      appendedEvents.push(...(await unassign(ports, leaver.id, [], by)))
      // With those that the person issued between the look and the removal.
      const links = await linksAfter(agencyId, removed.state.team, leaver, removal.links)
      if (body.links === 'revoked') for (const { id } of links) appendedEvents.push(...(await revoke(id, by)))
      await visible(appendedEvents)
      return { body: { ...removal, links } }
    },

    async leaveTeam({ agencyId, by, me, session, visible }) {
      const command = { type: 'LeaveTeam', memberId: me.id } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by, waysBackOf(me)))
      await endSessions(agencyId, me)
      // No member any more, who could do it.
      const product = { ...by, actor: { type: 'process', id: 'team' } } as const
      const unassigned = await unassign(ports, me.id, [], product)
      // This browser knows; the others are told.
      await sessions.choose(session.id, null)
      await visible([...appendedEvents, ...unassigned])
      return {}
    },
  }
}

/** After an upgrade, links are there before their view: none was issued yet. */
function notBuiltYet(error: unknown): [] {
  if (error instanceof BeingBuilt) return []
  throw error
}
