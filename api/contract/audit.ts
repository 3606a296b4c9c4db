/** Auditors' data and documents, and the links that give auditors access. */
import { z } from 'zod'
import { newLinkSchema } from '../../domain/auditor-link/commands.ts'
import { idSchema, instantSchema, platformSchema } from '../../domain/core/values.ts'
import { postStatuses } from '../../domain/post/commands.ts'
import { auditorLinkView } from '../../projections/auditor-links/view.ts'
import { calendarEntry, cursorSchema, historyEntry, monthSchema } from './post-schemas.ts'
import { route } from './route.ts'

export const auditorLinkReply = auditorLinkView.omit({ agencyId: true, issuedBy: true }).extend({
  state: z.enum(['open', 'revoked', 'expired']),
})
export type AuditorLink = z.infer<typeof auditorLinkReply>

export const exportQuery = z.object({
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  client: idSchema.optional(),
  /** Only posts in this state at `to`, or now. */
  status: z.enum([...postStatuses, 'deleted']).optional(),
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
})

/** The signature alone has the event counts, because they reveal the size of the whole installation. */
const checkpoint = z.object({
  at: z.string(),
  root: z.string(),
  /** The whole checkpoint as a compact JWS: the copy to keep elsewhere. */
  signed: z.string(),
})
export type AuditCheckpoint = z.infer<typeof checkpoint>

/** A post's state at an instant, deleted posts included. */
const auditPost = z.object({
  id: z.string(),
  clientId: z.string(),
  clientName: z.string(),
  platform: platformSchema,
  status: z.enum([...postStatuses, 'deleted']),
  /** The beginning of its text. */
  content: z.string(),
  scheduledFor: z.string().nullable(),
  createdAt: z.string(),
  lastAt: z.string(),
  /** The number of its events by then. */
  events: z.int(),
})
export type AuditPost = z.infer<typeof auditPost>

const searchQuery = z.object({
  client: idSchema.optional(),
  status: z.enum([...postStatuses, 'deleted']).optional(),
  text: z
    .string()
    .trim()
    .max(200, 'Search for 200 characters or fewer')
    .meta({ examples: ['autumn'] })
    .optional(),
  /** Posts created from this instant on, or up to it. */
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  asOf: instantSchema.optional(),
  cursor: cursorSchema.optional(),
})
const found = z.object({ items: z.array(auditPost), next: z.string().nullable() })
export type AuditFound = z.infer<typeof found>

const byToken = z.object({
  token: z
    .string()
    .min(1)
    .max(2_000)
    .meta({ examples: ['eyJhbGciOiJFZERTQSJ9~eyJsaW5rIjoiMCJ9~c2lnbmF0dXJl'] }),
})
const noClient = { 404: "A client that is unknown, or another agency's" } as const
const noLink = { 403: 'The link is withdrawn or over' } as const

export const auditorAbout = z.object({
  label: z.string(),
  agencyName: z.string(),
  timeZone: z.string(),
  /** Null: the whole agency. */
  clientId: z.string().nullable(),
  expiresAt: z.string(),
  /** When the history starts. */
  since: z.string(),
  /** The clients in the link's scope, removed ones included. */
  clients: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type AuditorAbout = z.infer<typeof auditorAbout>

const auditPerson = z.object({
  /** Of the membership: for `person` in the search. */
  id: z.string(),
  /** Today's name; null once the person was erased. */
  name: z.string().nullable(),
  isFormer: z.boolean(),
})
export type AuditPerson = z.infer<typeof auditPerson>

const auditAbout = z.object({
  /** When the history starts. */
  since: z.string(),
  /** Every client there ever was, by its last name. */
  clients: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The members, and up to 200 people who left. */
  people: z.array(auditPerson),
})

export const auditRoutes = {
  getAuditAbout: route({
    method: 'GET',
    path: '/api/audit',
    access: 'agency',
    needs: 'viewer',
    client: 'list',
    summary: 'Since when there is a past, of which clients, and of whom',
    reply: auditAbout,
    status: 200,
  }),
  searchAudit: route({
    method: 'GET',
    path: '/api/audit/posts',
    access: 'agency',
    needs: 'viewer',
    client: { query: 'client' },
    summary: 'Posts as they were at an instant (now, when none is given), also deleted ones, the newest first',
    query: searchQuery.extend({
      /** Only posts on which this member acted, a former one included. */
      person: idSchema.optional(),
    }),
    reply: found,
    status: 200,
    errors: noClient,
  }),
  openAuditorLink: route({
    method: 'GET',
    path: '/api/auditor/{token}',
    access: 'public',
    summary: "What an auditor's link opens",
    params: byToken,
    reply: auditorAbout,
    status: 200,
    errors: noLink,
  }),
  searchAsAuditor: route({
    method: 'GET',
    path: '/api/auditor/{token}/posts',
    access: 'public',
    summary: 'As /api/audit/posts, within the link’s scope',
    params: byToken,
    query: searchQuery,
    reply: found,
    status: 200,
    errors: noLink,
  }),
  getHistoryAsAuditor: route({
    method: 'GET',
    path: '/api/auditor/{token}/posts/{id}/history',
    access: 'public',
    summary: 'As /api/posts/{id}/history, within the link’s scope',
    params: byToken.extend({ id: idSchema }),
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(historyEntry),
    paged: true,
    status: 200,
    errors: noLink,
  }),
  getCalendarAsAuditor: route({
    method: 'GET',
    path: '/api/auditor/{token}/calendar',
    access: 'public',
    summary: "A month's posts as they stood at an instant, within the link’s scope",
    params: byToken,
    query: z.object({
      month: monthSchema,
      asOf: instantSchema.optional(),
      client: idSchema.optional(),
      cursor: cursorSchema.optional(),
    }),
    reply: z.array(calendarEntry),
    paged: true,
    status: 200,
    errors: noLink,
  }),
  exportAsAuditor: route({
    method: 'GET',
    path: '/api/auditor/{token}/export',
    access: 'public',
    summary: 'As /api/audit/export, within the link’s scope',
    params: byToken,
    query: exportQuery,
    reply: null,
    file: { jsonl: 'application/x-ndjson', csv: 'text/csv' },
    status: 200,
    errors: noLink,
  }),
  exportAudit: route({
    method: 'GET',
    path: '/api/audit/export',
    access: 'agency',
    needs: 'manager',
    client: { query: 'client' },
    summary: 'Every event as JSON Lines or CSV, with a signed manifest at the end',
    query: exportQuery,
    reply: null,
    file: { jsonl: 'application/x-ndjson', csv: 'text/csv' },
    status: 200,
    errors: noClient,
  }),
  listAuditCheckpoints: route({
    method: 'GET',
    path: '/api/audit/checkpoints',
    access: 'agency',
    needs: 'viewer',
    client: 'agency',
    summary: 'Signed statements of what the log held, the newest first',
    reply: z.array(checkpoint),
    status: 200,
  }),
  listAuditorLinks: route({
    method: 'GET',
    path: '/api/audit/links',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Auditors' links, the newest first, page by page",
    query: z.object({ cursor: cursorSchema.optional() }),
    reply: z.array(auditorLinkReply),
    paged: true,
    status: 200,
  }),
  issueAuditorLink: route({
    method: 'POST',
    path: '/api/audit/links',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: 'Let an auditor read, until a time; the address is told once and kept nowhere',
    body: newLinkSchema,
    reply: auditorLinkReply.extend({ url: z.string() }),
    status: 201,
    errors: { ...noClient, 409: 'Its end is not ahead, or too far' },
    idempotent: true,
  }),
  revokeAuditorLink: route({
    method: 'DELETE',
    path: '/api/audit/links/{id}',
    access: 'agency',
    needs: 'admin',
    client: 'agency',
    summary: "Withdraw an auditor's link: it opens nothing from now on",
    params: z.object({ id: idSchema }),
    reply: null,
    status: 204,
  }),
}
