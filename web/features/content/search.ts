import type { Platform } from '../../../api/contract/index.ts'

export const contentTabs = ['all', 'pending', 'approved', 'published', 'draft'] as const
export type ContentTab = (typeof contentTabs)[number]

export interface ContentSearch {
  readonly client?: string | undefined
  readonly tab?: ContentTab | undefined
  readonly platform?: Platform | undefined
  /** Words that the posts have. */
  readonly q?: string | undefined
}
