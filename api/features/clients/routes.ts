import { v7 as uuidv7 } from 'uuid'
import { clientsProjection } from '../../../projections/clients/projection.ts'
import type { ClientView } from '../../../projections/clients/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Client } from '../../contract/index.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'

export interface ClientPorts {
  readonly commands: Commands
  readonly views: Views
  readonly newest: Newest
}

/** Answers 404 for a client that isn't on this agency's roster. @throws Problem 404 */
export async function mustHaveClient({ loadAgency }: OfAgency, clientId: string): Promise<void> {
  if (!(clientId in (await loadAgency()).clients)) throw notFound('This client')
}

/** As a dictionary sorts: Ä beside A, 2 before 10. */
const { compare: byName } = new Intl.Collator('en', { numeric: true })

const replyOf = ({ agencyId: _, ...client }: ClientView): Client => client

type Names = 'listClients' | 'addClient' | 'getClient' | 'reviseClient' | 'removeClient'

export function clientHandlers({ commands, views, newest }: ClientPorts): Handlers<Names> {
  type Shown = OfAgency & { readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean> }

  async function shown(ask: Shown, clientId: string, appendedEvents: readonly AppendedEvent[]): Promise<Client> {
    const stream = `agency-${ask.agencyId}`
    const sought = { id: clientId, view: views.clients, projection: clientsProjection, stream }
    const client = await newest(sought, await ask.visible(appendedEvents))
    if (!client) throw notFound('This client')
    return replyOf(client)
  }

  return {
    async listClients({ agencyId, me }) {
      const of = me.clients === 'all' ? { agencyId } : { agencyId, id: { in: me.clients } }
      const found = await views.clients.find({ where: of, sort: { field: 'name', order: 'asc' } })
      return { body: found.map(replyOf).toSorted((a, b) => byName(a.name, b.name)) }
    },

    async addClient(ask) {
      const { agencyId, by, body: profile, idempotencyKey } = ask
      const clientId = idempotencyKey === null ? uuidv7() : idFromKey(agencyId, 'addClient', idempotencyKey)
      const { appendedEvents } = accepted(await commands.agency(agencyId, { type: 'AddClient', clientId, profile }, by))
      return { body: await shown(ask, clientId, appendedEvents) }
    },

    async getClient(ask) {
      const clientId = ask.params.id
      await mustHaveClient(ask, clientId)
      const [client, posts, socialAccounts] = await Promise.all([
        shown(ask, clientId, []),
        views.posts.count({ clientId }),
        views.socialAccounts.count({ clientId }),
      ])
      return { body: { ...client, socialAccounts, posts } }
    },

    async reviseClient(ask) {
      const { agencyId, by, body: changes, params } = ask
      const command = { type: 'ReviseClientProfile', clientId: params.id, changes } as const
      const { appendedEvents } = accepted(await commands.agency(agencyId, command, by))
      return { body: await shown(ask, params.id, appendedEvents) }
    },

    async removeClient({ agencyId, by, params: { id: clientId }, visible }) {
      const { appendedEvents } = accepted(await commands.agency(agencyId, { type: 'RemoveClient', clientId }, by))
      await visible(appendedEvents)
      return {}
    },
  }
}
