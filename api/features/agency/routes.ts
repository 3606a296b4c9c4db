import { memberOf } from '../../../domain/agency/team-state.ts'
import { clientLimit } from '../../../domain/agency/commands.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { connectionWarnings } from '../clients/health.ts'
import type { Memberships } from '../../http/memberships.ts'
import type { SessionFinder } from '../../http/session.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { weekSpan } from '../../core/time-zone.ts'
import { ownHash, type Images } from '../media/images.ts'
import type { Contacts } from './contacts.ts'
import type { Ownerships } from './ownerships.ts'
import { whereFor } from '../../core/member-scope.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { AgencyReplies } from './reply.ts'

export interface AgencyPorts {
  readonly commands: Commands
  readonly memberships: Memberships
  readonly ownerships: Ownerships
  readonly sessions: Pick<SessionFinder, 'choose'>
  readonly views: Views
  readonly contacts: Contacts
  readonly images: Pick<Images, 'describe'>
  readonly agencyReply: AgencyReplies
  readonly clock: Clock
}

export function agencyHandlers(
  ports: AgencyPorts,
): Handlers<'getAgency' | 'openAgency' | 'changeAgency' | 'brandAgency' | 'requireSecondFactor' | 'getDashboard'> {
  const { commands, memberships, ownerships, sessions, views, contacts, images, clock, agencyReply: reply } = ports
  const warningsOf = connectionWarnings(ports)

  /** The id of the user's next agency: a former owner may open another. */
  async function freeIdFor(userId: string): Promise<string> {
    for (let ordinal = 0; ; ordinal++) {
      const agencyId = agencyIdOf(userId, ordinal)
      const { ownerId } = (await commands.loadAgency(agencyId)).state
      if (ownerId === null) return agencyId
      if (ownerId === userId) throw problemOf({ reason: 'agency-exists' })
    }
  }

  return {
    async getAgency({ session }) {
      const membership = await memberships.ofNewPage(session)
      if (!membership) throw new Problem(404, 'agency-unknown', 'There is no agency yet.')
      return { body: await reply(membership.agencyId, membership.me, true) }
    },

    async openAgency({ session, body: { name, email, timeZone = 'UTC' }, requestId, visible }) {
      const { userId } = session
      const agencyId = await freeIdFor(userId)
      const by = { actor: { type: 'user', id: userId }, agencyId, correlationId: requestId } as const
      const command = { type: 'OpenAgency', agencyId, ownerId: userId, name, timeZone } as const
      const { appendedEvents, state } = accepted(
        await ownerships.owning(userId, agencyId, (ownsAnother) =>
          commands.agency(agencyId, command, by, async () => {
            if (await ownsAnother()) return { ownsAnother: true }
            // Before the agency: it is never without an address.
            await contacts.put(agencyId, email)
            return {}
          }),
        ),
      )
      // The session's own agency without a choice is the first one.
      await sessions.choose(session.id, agencyId === agencyIdOf(userId) ? null : agencyId)
      const me = memberOf(state.team, userId)
      if (!me) throw problemOf({ reason: 'agency-exists' })
      return { body: await reply(agencyId, me, await visible(appendedEvents)) }
    },

    async changeAgency({ agencyId, by, body: { timeZone }, me, visible }) {
      const { appendedEvents } = accepted(await commands.agency(agencyId, { type: 'ChangeTimeZone', timeZone }, by))
      return { body: await reply(agencyId, me, await visible(appendedEvents)) }
    },

    async brandAgency({ agencyId, by, body: { logoUrl, color }, me, visible }) {
      const logoHash = logoUrl === null ? null : ownHash(logoUrl)
      if (logoUrl !== null && (logoHash === null || !(await images.describe(logoHash))))
        throw new Problem(409, 'logo-unknown', 'There is no such image on this server. Upload the logo again.')
      const command = { type: 'SetBrand', logoHash, color } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      return { body: await reply(agencyId, me, await visible(appendedEvents)) }
    },

    async requireSecondFactor({ agencyId, by, body: { isRequired }, me, visible }) {
      const command = { type: 'SetSecondFactorPolicy', isRequired } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      return { body: await reply(agencyId, me, await visible(appendedEvents)) }
    },

    async getDashboard({ agencyId, me, loadAgency }) {
      const of = whereFor(agencyId, me.clients)
      const agency = await loadAgency()
      const week = weekSpan(clock.now(), agency.timeZone)
      const onTheWay = { ...of, status: { in: ['approved', 'scheduled'] } } as const
      const [activePosts, dueThisWeek, figures, connectionWarnings] = await Promise.all([
        views.calendar.count(onTheWay),
        views.calendar.count({ ...onTheWay, scheduledFor: { gte: week.from, lt: week.to } }),
        views.analytics.all({ where: { ...of } }),
        warningsOf(of, agency.clients),
      ])
      const measured = figures.filter(({ clientId }) => clientId in agency.clients).map((record) => record.measured)
      const seen = measured.reduce((sum, { views: count }) => sum + count, 0)
      const engaged = measured.reduce((sum, { engagement }) => sum + engagement, 0)
      return {
        body: {
          totalClients: Object.keys(agency.clients).length,
          clientLimit,
          activePosts,
          dueThisWeek,
          connectionWarnings,
          engagementPercent: seen === 0 ? 0 : Math.round((100 * engaged) / seen),
        },
      }
    },
  }
}
