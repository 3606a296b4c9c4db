export const contentTabs = ['all', 'pending', 'approved', 'published', 'draft'] as const
export type ContentTab = (typeof contentTabs)[number]

export interface ContentSearch {
  readonly client?: string | undefined
  readonly tab?: ContentTab | undefined
}
