import type { Logger } from 'pino'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Clock } from '../../clock.ts'
import type { By, Handler } from '../../handle.ts'
import type { Networks } from '../../networks/port.ts'
import type { Vault } from '../../networks/vault.ts'

export interface PublisherPorts {
  readonly handler: Handler
  readonly views: Pick<Views, 'duePosts' | 'figuresDue'>
  readonly networks: Networks
  readonly vault: Vault
  readonly clock: Clock
  readonly log: Logger
}

/** All that becomes of one attempt is told as one story. */
export const asPublisher = ({ agencyId }: DuePostView, attemptId: string): By => ({
  actor: { type: 'process', id: 'publisher' },
  agencyId,
  correlationId: attemptId,
})

/** Which post each network's post belongs to, as far as this process knows before the views do. */
export class Attributions {
  readonly #postOf = new Map<string, string>()

  add(remoteId: string, postId: string): void {
    this.#postOf.set(remoteId, postId)
    if (this.#postOf.size <= 10_000) return
    const oldest = this.#postOf.keys().next()
    if (!oldest.done) this.#postOf.delete(oldest.value)
  }

  isOfAnother(remoteId: string, postId: string): boolean {
    const known = this.#postOf.get(remoteId)
    return known !== undefined && known !== postId
  }
}
