import { z } from 'zod'
import { agencyNameSchema, brandColorSchema, memberRoleSchema } from '../../domain/agency/commands.ts'
import { emailAddress } from '../../domain/core/documented.ts'
import { platformSchema, standings, timeZoneSchema, webUrlOrNothingSchema } from '../../domain/core/values.ts'
import { agencyView } from '../../projections/agency/view.ts'
import { route } from './route.ts'

export const agencyBody = z.object({
  name: agencyNameSchema,
  email: z
    .string()
    .trim()
    .toLowerCase()
    .meta(emailAddress)
    .pipe(z.email('Valid email is required').max(254, 'Valid email is required')),
  /** IANA name, from the browser; UTC when absent. */
  timeZone: timeZoneSchema.optional(),
})

export const secondFactorBody = z.object({ isRequired: z.boolean() })
export const agencyChangesBody = z.object({ timeZone: timeZoneSchema })

export const agencyBrandBody = z.object({
  /** The address of an uploaded image; null: no logo. */
  logoUrl: webUrlOrNothingSchema,
  color: z
    .union([brandColorSchema, z.literal('')], 'Enter a colour like #3b82f6')
    .nullable()
    .transform((color) => color?.toLowerCase() || null),
})

export const agencyReply = agencyView.omit({ subscriptions: true }).extend({
  email: z.string(),
  /** What clients see at the head of a review. */
  brand: z.object({ logoUrl: z.string().nullable(), color: z.string().nullable() }),
  /** The agency's permissions: `good`, or the reason why it is restricted to reading and removing. */
  standing: z.enum(standings),
  /** Whether card payments are set up on this server. */
  payments: z.boolean(),
  /** More than one active subscription is paid for. */
  doublePaid: z.boolean(),
  /** Posts held for lack of a subscription. */
  heldPosts: z.int(),
  /** By when the signed-in member must have a second factor; null: none is needed, or there is one. */
  secondFactorDueAt: z.string().nullable(),
  /** Whether that time is over, by the server's clock. */
  isSecondFactorOverdue: z.boolean(),
  /** The signed-in member. */
  me: z.object({
    memberId: z.string(),
    role: memberRoleSchema,
    /** The clients that the member works for. */
    clients: z.union([z.literal('all'), z.array(z.string())]),
  }),
})
export type Agency = z.infer<typeof agencyReply>

export const dashboardReply = z.object({
  totalClients: z.int(),
  clientLimit: z.int(),
  /** Approved and scheduled posts. */
  activePosts: z.int(),
  /** Posts due in the current week (Sunday to Saturday in the agency's zone). */
  dueThisWeek: z.int(),
  /** Engagement per view, in whole percent. */
  engagementPercent: z.int(),
  /** Connections that need attention, broken ones first. */
  connectionWarnings: z.array(
    z.object({
      accountId: z.string(),
      accountName: z.string(),
      platform: platformSchema,
      clientId: z.string(),
      clientName: z.string(),
      state: z.enum(['broken', 'ending']),
      /** Waiting posts that depend on the connection. */
      posts: z.int(),
    }),
  ),
})
export type DashboardFigures = z.infer<typeof dashboardReply>

export const agencyRoutes = {
  getAgency: route({
    method: 'GET',
    path: '/api/agency',
    access: 'user',
    beforeFactor: true,
    summary: 'The agency that the session works in',
    reply: agencyReply,
    status: 200,
    errors: {
      403: 'No longer a member of the agency that the session worked in (`no-longer-member`). Every other route answers the same until this one has said it',
      404: 'There is no agency yet',
    },
  }),
  openAgency: route({
    method: 'POST',
    path: '/api/agency',
    access: 'user',
    summary: 'Set up the agency; its 7-day trial starts',
    body: agencyBody,
    reply: agencyReply,
    status: 201,
    errors: { 409: 'The user has an agency already' },
  }),
  changeAgency: route({
    method: 'PATCH',
    path: '/api/agency',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Change the agency's time zone",
    body: agencyChangesBody,
    reply: agencyReply,
    status: 200,
  }),
  requireSecondFactor: route({
    method: 'PATCH',
    path: '/api/agency/second-factor',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Whether each member needs a second factor: seven days later, the others can only add one',
    body: secondFactorBody,
    reply: agencyReply,
    status: 200,
  }),
  brandAgency: route({
    method: 'PATCH',
    path: '/api/agency/brand',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Set the logo and the colour that the agency's clients see; the logo is an uploaded image",
    body: agencyBrandBody,
    reply: agencyReply,
    status: 200,
    errors: { 409: 'The logo is no image of this server' },
  }),
  getDashboard: route({
    method: 'GET',
    path: '/api/dashboard',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'The figures on the dashboard',
    reply: dashboardReply,
    status: 200,
  }),
}
