/** What a text is written from beside its topic: how the client sounds, and what it said last. */
import type { PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { defaultTone } from '../../contract/tone.ts'

const lastTexts = 10

export const toneOf = ({ toneOfVoice }: { readonly toneOfVoice: string | null }, asked?: string): string =>
  asked || toneOfVoice || defaultTone

export type LastPost = Pick<PostView, 'id' | 'content' | 'createdAt'>

/** A client's last texts, newest first. @param unseen what was just written, which the views may not have yet */
export async function lastTextsOf(
  views: Pick<Views, 'posts'>,
  clientId: string,
  unseen: readonly LastPost[] = [],
): Promise<readonly string[]> {
  const seen = await views.posts.find({
    where: { clientId },
    sort: { field: 'createdAt', order: 'desc' },
    limit: lastTexts,
  })
  const late = unseen.filter(({ id }) => seen.every((post) => post.id !== id))
  const all = [...late, ...seen].sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
  return all.slice(0, lastTexts).map(({ content }) => content)
}

const clientsInMemory = 10_000

/** What somebody who writes one text after the other wrote last, by client. */
export class JustWritten {
  readonly #posts = new Map<string, readonly LastPost[]>()

  of = (clientId: string): readonly LastPost[] => this.#posts.get(clientId) ?? []

  add(clientId: string, post: LastPost): void {
    if (this.#posts.size >= clientsInMemory) this.#posts.clear()
    this.#posts.set(clientId, [post, ...this.of(clientId)].slice(0, lastTexts))
  }
}
