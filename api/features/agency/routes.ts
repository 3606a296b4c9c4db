import { clientLimit } from '../../../domain/agency/commands.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { connectionWarnings } from '../clients/health.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import { weekSpan } from '../../core/time-zone.ts'
import type { Contacts } from './contacts.ts'
import { agencyIdOf } from '../../core/agency-id.ts'
import type { AgencyReplies } from './reply.ts'

export interface AgencyPorts {
  readonly commands: Commands
  readonly views: Views
  readonly contacts: Contacts
  readonly agencyReply: AgencyReplies
  readonly clock: Clock
}

export function agencyHandlers(
  ports: AgencyPorts,
): Handlers<'getAgency' | 'openAgency' | 'changeAgency' | 'getDashboard'> {
  const { commands, views, contacts, clock, agencyReply: reply } = ports
  const warningsOf = connectionWarnings(ports)

  return {
    async getAgency({ session: { userId } }) {
      const agencyId = agencyIdOf(userId)
      const { ownerId } = await commands.recallAgency(agencyId)
      if (ownerId === null) throw new Problem(404, 'agency-unknown', 'There is no agency yet.')
      return { body: await reply(agencyId, userId, true) }
    },

    async openAgency({ session: { userId }, body: { name, email, timeZone = 'UTC' }, requestId, visible }) {
      const agencyId = agencyIdOf(userId)
      const { state } = await commands.loadAgency(agencyId)
      if (state.ownerId !== null) throw problemOf({ reason: 'agency-exists' })
      await contacts.put(agencyId, email)
      const by = { actor: { type: 'user', id: userId }, agencyId, correlationId: requestId } as const
      const command = { type: 'OpenAgency', agencyId, ownerId: userId, name, timeZone } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      return { body: await reply(agencyId, userId, await visible(appendedEvents)) }
    },

    async changeAgency({ agencyId, by, body: { timeZone }, session: { userId }, visible }) {
      const { appendedEvents } = accepted(await commands.agency(agencyId, { type: 'ChangeTimeZone', timeZone }, by))
      return { body: await reply(agencyId, userId, await visible(appendedEvents)) }
    },

    async getDashboard({ agencyId, loadAgency }) {
      const agency = await loadAgency()
      const week = weekSpan(clock.now(), agency.timeZone)
      const onTheWay = { agencyId, status: { in: ['approved', 'scheduled'] } } as const
      const [activePosts, dueThisWeek, figures, connectionWarnings] = await Promise.all([
        views.calendar.count(onTheWay),
        views.calendar.count({ ...onTheWay, scheduledFor: { gte: week.from, lt: week.to } }),
        views.analytics.all({ where: { agencyId } }),
        warningsOf(agencyId, agency.clients),
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
