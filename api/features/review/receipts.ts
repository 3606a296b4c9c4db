/** What the person behind a link said about a post, signed: nothing of the others who review it. */
import type { Receipt } from '../../contract/index.ts'
import type { Handlers } from '../../http/handler.ts'
import { openLink, type AccessPorts } from './access.ts'
import type { ReviewedPosts } from './shown-posts.ts'

export interface OwnReceipts {
  /** @param of the reviewer whose own are asked for */
  readonly receipts: (
    scope: { readonly agencyId: string; readonly clientId: string },
    postId: string,
    of: string,
  ) => Promise<Receipt[]>
}

interface Ports extends AccessPorts, OwnReceipts {
  readonly posts: Pick<ReviewedPosts, 'one'>
}

export const ownReceiptHandlers = (ports: Ports): Handlers<'listOwnReceipts'> => ({
  async listOwnReceipts(ask) {
    const found = await openLink(ports, ask)
    const { postId } = ask.body
    await ports.posts.one(found, postId)
    const { agencyId, clientId } = found.token
    // A person who gave no name has said nothing yet.
    if (found.reviewerId === null) return { body: [] }
    return { body: await ports.receipts({ agencyId, clientId }, postId, found.reviewerId) }
  },
})
