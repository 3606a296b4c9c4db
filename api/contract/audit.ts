/** What auditors see and keep, and the links by which an owner lets them. */
import { z } from 'zod'
import { newLinkSchema } from '../../domain/auditor-link/commands.ts'
import { idSchema, instantSchema } from '../../domain/core/values.ts'
import { postStatuses } from '../../domain/post/commands.ts'
import { auditorLinkView } from '../../projections/auditor-links/view.ts'
import { route } from './route.ts'

export const auditorLinkReply = auditorLinkView.omit({ agencyId: true }).extend({
  state: z.enum(['open', 'revoked', 'expired']),
})
export type AuditorLink = z.infer<typeof auditorLinkReply>

export const exportQuery = z.object({
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  client: idSchema.optional(),
  /** Only posts that were in this state at `to`, or are now. */
  status: z.enum([...postStatuses, 'deleted']).optional(),
  format: z.enum(['jsonl', 'csv']).default('jsonl'),
})

const checkpoint = z.object({
  at: z.string(),
  /** Of the log's last event that it covers. */
  position: z.string(),
  streams: z.int(),
  events: z.int(),
  root: z.string(),
  /** The whole of it as a compact JWS: what to keep outside. */
  signed: z.string(),
})
export type AuditCheckpoint = z.infer<typeof checkpoint>

export const auditRoutes = {
  exportAudit: route({
    method: 'GET',
    path: '/api/audit/export',
    access: 'agency',
    summary: 'Every event as JSON Lines or CSV, with a signed manifest at the end',
    query: exportQuery,
    reply: null,
    file: { jsonl: 'application/x-ndjson', csv: 'text/csv' },
    status: 200,
  }),
  listAuditCheckpoints: route({
    method: 'GET',
    path: '/api/audit/checkpoints',
    access: 'agency',
    summary: 'Signed statements of what the log held, the newest first',
    reply: z.array(checkpoint),
    status: 200,
  }),
  listAuditorLinks: route({
    method: 'GET',
    path: '/api/audit/links',
    access: 'agency',
    summary: "Auditors' links, the newest first",
    reply: z.array(auditorLinkReply),
    status: 200,
  }),
  issueAuditorLink: route({
    method: 'POST',
    path: '/api/audit/links',
    access: 'agency',
    summary: 'Let an auditor read, until a time; the address is told once and kept nowhere',
    body: newLinkSchema,
    reply: auditorLinkReply.extend({ url: z.string() }),
    status: 201,
    errors: { 409: 'Its end is not ahead, or too far' },
    idempotent: true,
  }),
  revokeAuditorLink: route({
    method: 'DELETE',
    path: '/api/audit/links/{id}',
    access: 'agency',
    summary: "Withdraw an auditor's link: it opens nothing from now on",
    params: z.object({ id: idSchema }),
    reply: null,
    status: 204,
  }),
}
