/** The auditor's view through a link: what the owner sees, within the link's scope, read-only. */
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Users } from '../auth/users.ts'
import type { Handlers } from '../../http/handler.ts'
import { asItWas } from '../posts/calendar.ts'
import { historyOf } from '../posts/history.ts'
import type { OwnAddresses } from '../media/images.ts'
import { firstOf } from '../history/scope.ts'
import { rolesAt } from '../team/roles-at.ts'
import { openLink } from './links.ts'
import { fileOf, mustHaveHad, type AuditPorts } from './routes.ts'
import { named, namesOf, search } from './search.ts'

export interface AuditorPorts extends AuditPorts {
  readonly users: Users
  readonly images: OwnAddresses
}

type Names = 'openAuditorLink' | 'searchAsAuditor' | 'getHistoryAsAuditor' | 'getCalendarAsAuditor' | 'exportAsAuditor'

interface Asking {
  readonly params: { readonly token: string }
  readonly query?: { readonly client?: string | undefined; readonly cursor?: string | undefined } | undefined
  readonly requestId: string
}

export function auditorHandlers(ports: AuditorPorts): Handlers<Names> {
  const { commands, views, users, past, images, clock } = ports
  const events: EventStore = commands.ports.events
  const opened = async ({ params, query, requestId }: Asking) => {
    const { link, scope } = await openLink(ports, params.token, requestId)
    await mustHaveHad(events, scope, query?.client)
    return { link, scope }
  }

  return {
    async openAuditorLink(ask) {
      const { link, scope } = await opened(ask)
      const [agency, names, first] = await Promise.all([
        past.agency(scope.agencyId, clock.now()),
        namesOf(events, scope.agencyId),
        firstOf(events, `agency-${scope.agencyId}`),
      ])
      const clients = named(names, agency).filter(({ id }) => scope.clientId === null || id === scope.clientId)
      return {
        body: {
          label: link.label,
          agencyName: agency.name,
          timeZone: agency.timeZone,
          clientId: scope.clientId,
          expiresAt: link.expiresAt,
          since: first?.metadata.at ?? clock.now(),
          clients,
        },
      }
    },

    async searchAsAuditor(ask) {
      const { scope } = await opened(ask)
      return { body: await search({ events, views, reads: past.shortReads }, scope, ask.query, ask.charge) }
    },

    async getHistoryAsAuditor(ask) {
      const { scope } = await opened(ask)
      return historyOf(
        {
          events,
          nameOf: (userId) => users.nameForOthers(userId),
          // Auditors see that people of the client acted, and no name or word of theirs.
          reviews: { nameOf: () => Promise.resolve('A reviewer'), noteOf: () => Promise.resolve(null) },
          commentsOn: async (postId) => (await commands.loadDiscussion(postId)).state.comments,
          roleOf: rolesAt(views, scope.agencyId),
          reads: past.shortReads,
          marks: past.marks,
        },
        scope,
        ask.params.id,
        ask.query.cursor,
      )
    },

    async getCalendarAsAuditor(ask) {
      const { scope } = await opened(ask)
      const { month, asOf = clock.now(), client, cursor } = ask.query
      return asItWas({ past, images }, scope, asOf, { month, client: scope.clientId ?? client, cursor }, ask.charge)
    },

    async exportAsAuditor(ask) {
      const { scope } = await opened(ask)
      return { file: fileOf(ports, scope, ask.query) }
    },
  }
}
