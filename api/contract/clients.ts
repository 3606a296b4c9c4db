import { z } from 'zod'
import { clientChangesSchema, clientProfileSchema } from '../../domain/agency/commands.ts'
import { accountChangesSchema, newAccountSchema } from '../../domain/client/commands.ts'
import { idSchema, platformSchema } from '../../domain/core/values.ts'
import { clientView } from '../../projections/clients/view.ts'
import { socialAccountView } from '../../projections/social-accounts/view.ts'
import { cursorSchema } from './post-schemas.ts'
import { route } from './route.ts'

const byId = z.object({ id: idSchema })

export const clientReply = clientView.omit({ agencyId: true })
export type Client = z.infer<typeof clientReply>
/** The state of a connection: `ending` needs attention within two weeks, `broken` now. */
export const connectionStates = ['none', 'connected', 'ending', 'broken'] as const
export const socialAccountReply = socialAccountView
  .omit({ agencyId: true, isConnected: true, pausedUntil: true, pausedBecause: true })
  .extend({
    isConnected: z.boolean(),
    state: z.enum(connectionStates),
    /**
     * Waiting posts that would not be published: all when the connection is broken, those after its end when it is
     * ending.
     */
    endangeredPosts: z.int(),
    /** Why its posts wait although it is connected; null when they don't. */
    pause: z.object({ until: z.string(), because: z.string() }).nullable(),
  })
export type SocialAccount = z.infer<typeof socialAccountReply>

const byChoice = z.object({
  id: idSchema,
  choice: z
    .string()
    .regex(/^[\w-]{22}$/, 'Not a valid choice')
    .meta({ examples: ['Zm9vYmFyYmF6cXV4MTIzNA'] }),
})
export const profileChoice = z.object({ remoteId: z.string(), name: z.string() })
export type ProfileChoice = z.infer<typeof profileChoice>

/** The data that is removed with a client, for the confirmation. */
export const clientDetailsReply = clientReply.extend({
  socialAccounts: z.int(),
  posts: z.int(),
})

export const clientRoutes = {
  listClients: route({
    method: 'GET',
    path: '/api/clients',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: "The agency's clients, by name",
    reply: z.array(clientReply),
    status: 200,
  }),
  addClient: route({
    method: 'POST',
    path: '/api/clients',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Add a client brand (at most 10)',
    body: clientProfileSchema,
    reply: clientReply,
    status: 201,
    errors: { 402: 'The trial or subscription has ended', 409: 'The agency has 10 clients already' },
    idempotent: true,
  }),
  getClient: route({
    method: 'GET',
    path: '/api/clients/{id}',
    access: 'agency',
    needs: 'viewer',
    client: { param: 'id' },
    summary: 'One client, with what belongs to it',
    params: byId,
    reply: clientDetailsReply,
    status: 200,
  }),
  reviseClient: route({
    method: 'PATCH',
    path: '/api/clients/{id}',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: "Change a client's profile; absent fields stay",
    params: byId,
    body: clientChangesSchema,
    reply: clientReply,
    status: 200,
  }),
  removeClient: route({
    method: 'DELETE',
    path: '/api/clients/{id}',
    access: 'agency',
    needs: 'admin',
    client: { param: 'id' },
    summary: 'Remove a client with its accounts, posts and figures',
    params: byId,
    reply: null,
    status: 204,
  }),
  listSocialAccounts: route({
    method: 'GET',
    path: '/api/clients/{id}/social-accounts',
    access: 'agency',
    needs: 'viewer',
    client: { param: 'id' },
    summary: "A client's social accounts",
    params: byId,
    reply: z.array(socialAccountReply),
    status: 200,
  }),
  listAllSocialAccounts: route({
    method: 'GET',
    path: '/api/social-accounts',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: "The social accounts of all the agency's clients",
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(socialAccountReply),
    paged: true,
    status: 200,
  }),
  addSocialAccount: route({
    method: 'POST',
    path: '/api/clients/{id}/social-accounts',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary: 'Add a social account, not connected yet',
    params: byId,
    body: newAccountSchema,
    reply: socialAccountReply,
    status: 201,
    errors: { 409: 'The client has this account already' },
    idempotent: true,
  }),
  connectNewAccount: route({
    method: 'GET',
    path: '/api/clients/{id}/connect/{platform}',
    access: 'agency',
    needs: 'manager',
    client: { param: 'id' },
    summary:
      "Go to the network's consent page; the account is added with the profile's name when the browser comes back",
    params: byId.extend({ platform: platformSchema }),
    reply: null,
    status: 302,
    errors: { 503: 'The network is not set up on this server' },
  }),
  changeSocialAccount: route({
    method: 'PATCH',
    path: '/api/social-accounts/{id}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Change the name and address of an account that was never connected',
    params: byId,
    body: accountChangesSchema,
    reply: socialAccountReply,
    status: 200,
    errors: { 409: 'The account was connected, or the client has one of that name' },
  }),
  removeSocialAccount: route({
    method: 'POST',
    path: '/api/social-accounts/{id}/remove',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Remove an account that was never connected',
    params: byId,
    reply: null,
    status: 204,
    errors: { 409: 'The account was connected, or posts or a schedule name it' },
  }),
  connectSocialAccount: route({
    method: 'GET',
    path: '/api/social-accounts/{id}/connect',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: "Go to the network's consent page",
    params: byId,
    reply: null,
    status: 302,
    errors: { 503: 'The network is not set up on this server' },
  }),
  listProfileChoices: route({
    method: 'GET',
    path: '/api/social-accounts/{id}/choices/{choice}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'The profiles that a consent covered, to choose one from',
    params: byChoice,
    reply: z.array(profileChoice),
    status: 200,
  }),
  chooseProfile: route({
    method: 'POST',
    path: '/api/social-accounts/{id}/choices/{choice}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Connect one of the profiles that a consent covered',
    params: byChoice,
    body: z.object({
      remoteId: z
        .string()
        .min(1)
        .max(300)
        .meta({ examples: ['17841400000000000'] }),
    }),
    reply: socialAccountReply,
    status: 200,
    errors: { 409: 'The choice is too old' },
  }),
  disconnectSocialAccount: route({
    method: 'DELETE',
    path: '/api/social-accounts/{id}',
    access: 'agency',
    needs: 'manager',
    client: 'loaded',
    summary: 'Disconnect: its tokens are given back and wiped, its posts stay',
    params: byId,
    reply: null,
    status: 204,
  }),
  oauthCallback: route({
    method: 'GET',
    path: '/api/oauth/{platform}/callback',
    // Without a session, the browser is redirected to sign-in instead of getting an error.
    access: 'public',
    summary: 'Where a network sends the browser back to',
    params: z.object({ platform: platformSchema }),
    query: z.object({
      state: z
        .string()
        .max(200)
        .meta({ examples: ['q1w2e3r4t5'] })
        .optional(),
      code: z
        .string()
        .max(2000)
        .meta({ examples: ['AQD0x1y2z3'] })
        .optional(),
      error: z
        .string()
        .max(500)
        .meta({ examples: ['access_denied'] })
        .optional(),
    }),
    reply: null,
    status: 302,
  }),
}
