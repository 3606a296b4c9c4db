import type { Platform, PostOrigin, PostStatus } from '../../../api/contract/index.ts'
import { platformList } from '../../lib/platforms.ts'
import { day, oneOf, text, type Search } from '../../lib/search.ts'

export const contentTabs = ['all', 'pending', 'approved', 'published', 'draft'] as const
export type ContentTab = (typeof contentTabs)[number]

export const sortOrders = ['newest', 'oldest', 'planned'] as const
export type SortOrder = (typeof sortOrders)[number]

export const origins = ['user', 'schedule', 'import'] as const satisfies readonly PostOrigin[]
export const states = [
  'draft',
  'pending',
  'approved',
  'scheduled',
  'published',
  'rejected',
] as const satisfies readonly PostStatus[]

/** What a list is limited to, and its order; all of it is in the address. */
export interface PostLimits {
  readonly platform?: Platform | undefined
  /** Words that the posts have. */
  readonly q?: string | undefined
  readonly status?: PostStatus | undefined
  readonly origin?: PostOrigin | undefined
  /** Assigned to oneself. */
  readonly assigned?: 'me' | undefined
  /** Pending posts that wait for the own approval, or for no one who is left. */
  readonly waits?: 'me' | 'client' | 'nobody' | undefined
  /** Days in the agency's time zone, `2025-01-05`; both are included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Absent: the order of the tab. */
  readonly sort?: SortOrder | undefined
}

export interface ContentSearch extends PostLimits {
  /** A client's id, or `all`. */
  readonly client?: string | undefined
  readonly tab?: ContentTab | undefined
}

export const contentSearch = (search: Search): ContentSearch => ({
  client: text(search, 'client'),
  tab: oneOf(search, 'tab', contentTabs),
  platform: oneOf(search, 'platform', platformList),
  q: text(search, 'q'),
  status: oneOf(search, 'status', states),
  origin: oneOf(search, 'origin', origins),
  assigned: oneOf(search, 'assigned', ['me']),
  waits: oneOf(search, 'waits', ['me', 'client', 'nobody']),
  from: day(search, 'from'),
  to: day(search, 'to'),
  sort: oneOf(search, 'sort', sortOrders),
})
