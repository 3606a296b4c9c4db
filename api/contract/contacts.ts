/** The people of a client who may be asked for review. They have no account. */
import { z } from 'zod'
import { contactLimit, maxContactName } from '../../domain/client/commands.ts'
import { notBlank } from '../../domain/core/documented.ts'
import { hasVisible } from '../../domain/core/visible.ts'
import { idSchema, isStorable } from '../../domain/core/values.ts'
import { email } from './auth.ts'
import { route } from './route.ts'

const ofClient = z.object({ id: idSchema })

const contactReply = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The name of the member who entered the contact. */
  enteredBy: z.string(),
  addedAt: z.string(),
})
export type ClientContact = z.infer<typeof contactReply>

export const contactBody = z.object({
  name: z
    .string()
    .trim()
    .refine(hasVisible, 'Required')
    .max(maxContactName, `A name has at most ${maxContactName} characters`)
    .refine(isStorable, "The name has an invisible character that can't be stored")
    .meta({ ...notBlank, examples: ['Nora Lind'] }),
  email,
})

export const contactRoutes = {
  listContacts: route({
    method: 'GET',
    path: '/api/clients/{id}/contacts',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: "A client's contacts, by name",
    params: ofClient,
    reply: z.array(contactReply),
    status: 200,
  }),
  addContact: route({
    method: 'POST',
    path: '/api/clients/{id}/contacts',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'Add a person of the client, who may be asked for review',
    params: ofClient,
    body: contactBody,
    reply: contactReply,
    status: 201,
    errors: { 409: `${contactLimit} contacts, a contact with the address, or the address of a member` },
    idempotent: true,
  }),
  removeContact: route({
    method: 'DELETE',
    path: '/api/clients/{id}/contacts/{contactId}',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'Remove a contact with the address: the name stays with what they did until they are erased',
    params: ofClient.extend({ contactId: idSchema }),
    reply: null,
    status: 204,
  }),
}
