/** The tabs of the Content Library, and the list that the server is asked for. */
import type { PostCounts, PostStatus } from '../../../api/contract/index.ts'
import { startOfDay } from '../../lib/dates.ts'
import { shiftDay } from '../../lib/month.ts'
import type { PostFilter } from '../../lib/queries.ts'
import type { ContentTab, PostLimits, SortOrder } from './search.ts'
import { words } from './words.ts'

export interface Tab {
  readonly label: string
  readonly shows: readonly PostStatus[] | null
  readonly counted?: true
  readonly empty: string
  readonly order: SortOrder
}

export const tabs: Readonly<Record<ContentTab, Tab>> = {
  all: { ...words.tabs.all, shows: null, order: 'newest' },
  // Posts in review are sorted by their time.
  pending: { ...words.tabs.pending, shows: ['pending'], counted: true, order: 'planned' },
  approved: {
    ...words.tabs.approved,
    shows: ['approved', 'scheduled'],
    counted: true,
    order: 'newest',
  },
  published: { ...words.tabs.published, shows: ['published'], order: 'newest' },
  draft: {
    ...words.tabs.draft,
    shows: ['draft', 'rejected'],
    order: 'newest',
  },
}

export const countOf = ({ shows }: Tab, { byStatus, total }: PostCounts): number =>
  shows === null ? total : shows.reduce((sum, status) => sum + byStatus[status], 0)

/** A status that the tab doesn't show limits nothing. */
export const statusIn = ({ shows }: Tab, { status }: PostLimits): PostStatus | undefined =>
  status !== undefined && (shows === null || (shows.length > 1 && shows.includes(status))) ? status : undefined

/** A tab without pending posts has none that wait. */
export const waitsIn = ({ shows }: Tab, { waits }: PostLimits) =>
  shows === null || shows.includes('pending') ? waits : undefined

/** Whether the list may lack posts of its tab. */
export const isLimited = (tab: Tab, limits: PostLimits): boolean =>
  [
    limits.q,
    limits.platform,
    limits.origin,
    limits.assigned,
    limits.from,
    limits.to,
    statusIn(tab, limits),
    waitsIn(tab, limits),
  ].some((limit) => limit !== undefined)

export function filterOf(tab: Tab, limits: PostLimits, zone: string): PostFilter {
  const { q, platform, origin, assigned, from, to, sort = tab.order } = limits
  const status = statusIn(tab, limits)
  const waits = waitsIn(tab, limits)
  const statuses = status ? [status] : tab.shows
  return {
    ...(statuses && { statuses }),
    ...(platform && { platform }),
    ...(q !== undefined && { q }),
    ...(origin && { origin }),
    ...(assigned && { assigned }),
    ...(waits && { waits }),
    ...(from !== undefined && { from: startOfDay(from, zone) }),
    ...(to !== undefined && { to: startOfDay(shiftDay(to, 1), zone) }),
    ...(sort !== 'newest' && { sort }),
  }
}
