import type { ConnectOutcome } from '../../lib/connect-outcomes.ts'

export const clientTabs = ['overview', 'accounts', 'schedule', 'posts', 'approval'] as const
export type ClientTab = (typeof clientTabs)[number]

export interface ClientSearch {
  readonly tab?: ClientTab | undefined
  /** The result of the visit to a network's consent page, and its account. */
  readonly connect?: ConnectOutcome | undefined
  readonly account?: string | undefined
  /** The profiles to choose from, after a consent that covered several. */
  readonly choice?: string | undefined
  /** Opens the composer. */
  readonly compose?: true | undefined
  /** The day of the new post: `2025-01-05`. */
  readonly on?: string | undefined
  /** The post that the new one starts as a copy of. */
  readonly from?: string | undefined
}
