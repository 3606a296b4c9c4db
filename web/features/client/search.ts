export const clientTabs = ['overview', 'accounts', 'posts'] as const
export type ClientTab = (typeof clientTabs)[number]

export interface ClientSearch {
  readonly tab?: ClientTab | undefined
  /** A network's answer after the consent page. */
  readonly connected?: string | undefined
  readonly connectError?: string | undefined
  /** Opens the composer. */
  readonly compose?: true | undefined
}
