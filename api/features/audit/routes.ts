import type { z } from 'zod'
import { includesClient, isForAllClients } from '../../../domain/agency/roles.ts'
import type { Clock } from '../../core/clock.ts'
import type { exportQuery } from '../../contract/audit.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { Extras, Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Past } from '../history/past.ts'
import type { Checkpoints } from './checkpoints.ts'
import { exportLines, type ExportPorts } from './export.ts'
import { linkHandlers, type LinkPorts } from './links.ts'
import { auditPeople, type AuditPeoplePorts } from './people.ts'
import { auditScopeOf, firstOf, type AuditScope } from '../history/scope.ts'
import { named, namesOf, search } from './search.ts'

export interface AuditPorts extends LinkPorts, Pick<AuditPeoplePorts, 'users'> {
  readonly checkpoints: Checkpoints
  readonly views: LinkPorts['views'] & ExportPorts['views'] & Pick<Views, 'members'>
  readonly clock: Clock
  readonly past: Past
}

type Names =
  | 'getAuditAbout'
  | 'searchAudit'
  | 'exportAudit'
  | 'listAuditCheckpoints'
  | 'listAuditorLinks'
  | 'issueAuditorLink'
  | 'revokeAuditorLink'

export const auditHandlers = (ports: AuditPorts): Handlers<Names> => ({
  ...linkHandlers(ports),

  async getAuditAbout({ agencyId, me, loadAgency }) {
    const { events } = ports.commands.ports
    const [agency, names, first, people] = await Promise.all([
      loadAgency(),
      namesOf(events, agencyId),
      firstOf(events, `agency-${agencyId}`),
      auditPeople(ports, agencyId),
    ])
    return {
      body: {
        since: first?.metadata.at ?? ports.clock.now(),
        clients: named(names, agency).filter(({ id }) => includesClient(me.clients, id)),
        people,
      },
    }
  },

  async searchAudit({ agencyId, me, query, charge }) {
    const { commands, views, past } = ports
    const { events } = commands.ports
    const scope = auditScopeOf(agencyId, me.clients)
    await mustHaveHad(events, scope, query.client)
    const by = await userOfMember(views, agencyId, query.person)
    return { body: await search({ events, views, reads: past.shortReads }, scope, { ...query, by }, charge) }
  },

  async exportAudit({ agencyId, me, query }) {
    // The whole agency's events are those of its people and its subscription, too.
    if (query.client === undefined && !isForAllClients(me.role)) throw problemOf({ reason: 'role-too-low' })
    const scope = auditScopeOf(agencyId, me.clients)
    await mustHaveHad(ports.commands.ports.events, scope, query.client)
    return { file: fileOf(ports, scope, query) }
  },

  async listAuditCheckpoints() {
    return { body: (await ports.checkpoints.all()).map(({ at, root, signed }) => ({ at, root, signed })) }
  },
})

/** Former members included. @throws Problem 404 for a person who never was a member */
async function userOfMember(
  views: Pick<Views, 'members'>,
  agencyId: string,
  memberId: string | undefined,
): Promise<string | undefined> {
  if (memberId === undefined) return undefined
  const member = await views.members.get(`${agencyId}.${memberId}`)
  if (!member) throw notFound('This person')
  return member.userId
}

/**
 * A removed client still has a past. @throws Problem 404 for a client that never was the agency's, or is not in the
 * scope
 */
export async function mustHaveHad(events: EventStore, scope: AuditScope, clientId: string | undefined): Promise<void> {
  if (clientId === undefined || clientId === scope.clientId) return
  if (scope.clientId !== null || !(await namesOf(events, scope.agencyId)).has(clientId)) throw notFound('This client')
}

/** The export as a file, streamed while the log is read. */
export function fileOf(
  ports: AuditPorts,
  scope: AuditScope,
  { from, to, client, status, format }: z.output<typeof exportQuery>,
): NonNullable<Extras['file']> {
  const { commands, views, signer, checkpoints, clock } = ports
  const at = clock.now()
  const log: ExportPorts = {
    events: commands.ports.events,
    views,
    signer,
    checkpoint: async () => (await checkpoints.latest())?.signed ?? null,
  }
  const lines = exportLines(log, {
    scope,
    filters: { from: from ?? null, to: to ?? null, clientId: client ?? null, status: status ?? null },
    format,
    at,
  })
  return { name: `audit-${at.slice(0, 10)}.${format}`, kind: format, lines }
}
