/** Where what is shown comes from: the agency's own log, or as much of it as an auditor's link opens. */
import type { AuditFound, AuditPost, HistoryEntry } from '../../../api/contract/index.ts'
import { addressOf, call } from '../../lib/call.ts'

export interface Filters {
  readonly text: string
  readonly client: string | null
  readonly status: AuditPost['status'] | null
  /** Null: as it is now. */
  readonly asOf: string | null
}

export interface AuditSource {
  readonly key: readonly string[]
  readonly search: (filters: Filters, cursor: string | undefined) => Promise<AuditFound>
  readonly history: (postId: string) => Promise<HistoryEntry[]>
  /** Where the file is that has what the filters let through. */
  readonly exportUrl: (filters: Filters, format: 'jsonl' | 'csv') => string
}

const queryOf = ({ text, client, status, asOf }: Filters) => ({
  text: text.trim() || undefined,
  client: client ?? undefined,
  status: status ?? undefined,
  asOf: asOf ?? undefined,
})
const exportQueryOf = ({ client, status, asOf }: Filters, format: 'jsonl' | 'csv') => ({
  client: client ?? undefined,
  status: status ?? undefined,
  to: asOf ?? undefined,
  format,
})

export const ownSource: AuditSource = {
  key: ['audit', 'own'],
  search: (filters, cursor) => call('GET /api/audit/posts', { query: { ...queryOf(filters), cursor } }),
  history: (id) => call('GET /api/posts/{id}/history', { params: { id } }),
  exportUrl: (filters, format) => addressOf('GET /api/audit/export', { query: exportQueryOf(filters, format) }),
}

export const linkSource = (token: string): AuditSource => ({
  key: ['audit', token],
  search: (filters, cursor) => call('GET /api/auditor/{token}/posts', { params: { token }, query: { ...queryOf(filters), cursor } }),
  history: (id) => call('GET /api/auditor/{token}/posts/{id}/history', { params: { token, id } }),
  exportUrl: (filters, format) => addressOf('GET /api/auditor/{token}/export', { params: { token }, query: exportQueryOf(filters, format) }),
})
