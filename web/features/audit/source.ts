/** The source of the audit screens: the agency's own log, or the part that an auditor's link opens. */
import type { AuditFound, AuditPost, CalendarEntry, HistoryEntry } from '../../../api/contract/index.ts'
import { addressOf, call } from '../../lib/call.ts'
import { allPages, page, type Page } from '../../lib/pages.ts'
import { instantAt } from '../../lib/wall-clock.ts'

export interface Filters {
  readonly text: string
  readonly client: string | null
  readonly status: AuditPost['status'] | null
  /** Only posts on which this member acted. Not of a link: auditors don't see the team. */
  readonly person: string | null
  /** Written from that day on, and until that one: `2026-03-01`, or nothing. */
  readonly from: string
  readonly to: string
  /** Null: as it is now. */
  readonly asOf: string | null
}

export interface CalendarAsked extends Pick<Filters, 'asOf' | 'client'> {
  /** `2026-03` */
  readonly month: string
}

export interface AuditSource {
  readonly key: readonly string[]
  readonly search: (filters: Filters, zone: string, cursor: string | undefined) => Promise<AuditFound>
  /** A page of a post's events; the newest without an address. */
  readonly history: (postId: string, at: string | null) => Promise<Page<HistoryEntry[]>>
  readonly calendar: (asked: CalendarAsked, signal: AbortSignal) => Promise<CalendarEntry[]>
  /** The address of the export with the filters by client, status and time; the text search does not filter it. */
  readonly exportUrl: (filters: Filters, format: 'jsonl' | 'csv', zone: string) => Promise<string>
}

const bounds = async ({ from, to }: Filters, zone: string) => ({
  from: from === '' ? undefined : await instantAt(from, '00:00', zone),
  to: to === '' ? undefined : await instantAt(to, '23:59', zone),
})

const queryOf = ({ text, client, status, asOf }: Filters) => ({
  text: text.trim() || undefined,
  client: client ?? undefined,
  status: status ?? undefined,
  asOf: asOf ?? undefined,
})
const exportQueryOf = async (filters: Filters, format: 'jsonl' | 'csv', zone: string) => {
  const { from, to } = await bounds(filters, zone)
  const until = [to, filters.asOf ?? undefined].filter((each) => each !== undefined).toSorted()[0]
  return { client: filters.client ?? undefined, status: filters.status ?? undefined, from, to: until, format }
}

export const ownSource: AuditSource = {
  key: ['audit', 'own'],
  search: async (filters, zone, cursor) =>
    call('GET /api/audit/posts', {
      query: { ...queryOf(filters), ...(await bounds(filters, zone)), person: filters.person ?? undefined, cursor },
    }),
  history: (id, at) => page('GET /api/posts/{id}/history', at, { params: { id } }),
  // Now is the last moment of the past: removed clients' posts are asked for as any.
  calendar: ({ month, asOf, client }, signal) =>
    allPages('GET /api/calendar', signal, {
      query: { month, asOf: asOf ?? new Date().toISOString(), client: client ?? undefined },
    }),
  exportUrl: async (filters, format, zone) =>
    addressOf('GET /api/audit/export', { query: await exportQueryOf(filters, format, zone) }),
}

export const linkSource = (token: string): AuditSource => ({
  key: ['audit', token],
  search: async (filters, zone, cursor) =>
    call('GET /api/auditor/{token}/posts', {
      params: { token },
      query: { ...queryOf(filters), ...(await bounds(filters, zone)), cursor },
    }),
  history: (id, at) => page('GET /api/auditor/{token}/posts/{id}/history', at, { params: { token, id } }),
  calendar: ({ month, asOf, client }, signal) =>
    allPages('GET /api/auditor/{token}/calendar', signal, {
      params: { token },
      query: { month, asOf: asOf ?? undefined, client: client ?? undefined },
    }),
  exportUrl: async (filters, format, zone) =>
    addressOf('GET /api/auditor/{token}/export', {
      params: { token },
      query: await exportQueryOf(filters, format, zone),
    }),
})
