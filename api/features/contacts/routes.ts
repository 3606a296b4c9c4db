/** The contacts of a client. */
import { v7 as uuidv7 } from 'uuid'
import { memberOf } from '../../../domain/agency/team-state.ts'
import type { ClientContact } from '../../contract/index.ts'
import { idFromKey } from '../../core/agency-id.ts'
import type { Clock } from '../../core/clock.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers } from '../../http/handler.ts'
import { Problem } from '../../http/problem.ts'
import { problemOf } from '../../http/sentences.ts'
import type { Users } from '../auth/users.ts'
import { mustHaveClient } from '../clients/routes.ts'
import type { ContactBook, ContactRecord } from './contacts.ts'

interface Ports {
  readonly commands: Commands
  readonly clientContacts: ContactBook
  readonly users: Pick<Users, 'withEmail' | 'nameOf'>
  readonly clock: Clock
}

/** As a dictionary sorts. */
const { compare: byName } = new Intl.Collator('en', { numeric: true })

export function contactHandlers(ports: Ports): Handlers<'listContacts' | 'addContact' | 'removeContact'> {
  const { commands, clientContacts, users, clock } = ports

  const replyOf = async ({ id, name, email, enteredBy, addedAt }: ContactRecord): Promise<ClientContact> => ({
    id,
    name,
    email,
    enteredBy: await users.nameOf(enteredBy),
    addedAt,
  })

  return {
    async listContacts(ask) {
      const { id } = ask.params
      await mustHaveClient(ask, id)
      const found = await clientContacts.of(id)
      const contacts = await Promise.all(found.map(replyOf))
      return { body: contacts.toSorted((a, b) => byName(a.name, b.name)) }
    },

    async addContact(ask) {
      const { agencyId, by, body, params, session, idempotencyKey, visible } = ask
      const clientId = params.id
      await mustHaveClient(ask, clientId)
      const contactId =
        idempotencyKey === null ? uuidv7() : idFromKey(agencyId, `addContact ${clientId}`, idempotencyKey)
      const known = idempotencyKey === null ? null : await clientContacts.get(contactId)
      if (known) {
        if (known.name === body.name && known.email === body.email) return { body: await replyOf(known) }
        throw problemOf({ reason: 'id-taken' })
      }
      const { team } = await ask.loadAgency()
      const user = await users.withEmail(body.email)
      if (user && memberOf(team, user.id))
        throw new Problem(409, 'contact-is-member', 'This address is of a member of the agency, who signs in instead.')
      const addedAt = clock.now()
      const contact = { id: contactId, clientId, agencyId, ...body, enteredBy: session.userId, addedAt }
      if (!(await clientContacts.put(contact)))
        throw new Problem(409, 'contact-listed-twice', 'This address is on the list already.')
      const outcome = await commands.client(clientId, { type: 'AddClientContact', contactId }, by)
      if ('refused' in outcome) {
        await clientContacts.remove(clientId, contactId)
        throw problemOf(outcome.refused)
      }
      await visible(outcome.appendedEvents)
      return { body: await replyOf(contact) }
    },

    async removeContact(ask) {
      const { by, params, visible } = ask
      await mustHaveClient(ask, params.id)
      const { contactId } = params
      const { appendedEvents } = accepted(
        await commands.client(params.id, { type: 'RemoveClientContact', contactId }, by),
      )
      // After a request that broke off here, the client cleanup removes the record.
      await clientContacts.remove(params.id, contactId)
      await visible(appendedEvents)
      return {}
    },
  }
}
