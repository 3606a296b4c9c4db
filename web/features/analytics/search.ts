/** What Analytics shows; all of it is in the address. */
import type { AnalyticsSort } from '../../../api/contract/index.ts'
import { day, oneOf, text, type Search } from '../../lib/search.ts'

/** Relative periods, which move with the day that an address is opened on. */
export const presets = ['7d', '30d', '90d', 'month', 'last-month'] as const
export type Preset = (typeof presets)[number]

export const columns = [
  'published',
  'views',
  'likes',
  'comments',
  'shares',
  'engagement',
] as const satisfies readonly AnalyticsSort[]

export interface AnalyticsSearch {
  readonly client?: string | undefined
  readonly period?: Preset | undefined
  /** Days in the agency's time zone; both are included. Only both together are a period. */
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly sort?: AnalyticsSort | undefined
  readonly order?: 'asc' | undefined
}

export const analyticsSearch = (search: Search): AnalyticsSearch => ({
  client: text(search, 'client'),
  period: oneOf(search, 'period', presets),
  from: day(search, 'from'),
  to: day(search, 'to'),
  sort: oneOf(search, 'sort', columns),
  order: oneOf(search, 'order', ['asc']),
})
