/** The input for a text beside its topic: the client's voice and last posts. */
import type { PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import { defaultTone } from '../../contract/tone.ts'

const lastTexts = 10

export const toneOf = ({ toneOfVoice }: { readonly toneOfVoice: string | null }, asked?: string): string =>
  asked || toneOfVoice || defaultTone

export type LastPost = Pick<PostView, 'id' | 'content' | 'createdAt'>

/** A client's last texts, newest first. @param unseen just written, so possibly missing in the views */
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

/** Remembers the last texts of one writer, by client. */
export class JustWritten {
  readonly #posts = new Map<string, readonly LastPost[]>()

  of = (clientId: string): readonly LastPost[] => this.#posts.get(clientId) ?? []

  add(clientId: string, post: LastPost): void {
    if (this.#posts.size >= clientsInMemory) this.#posts.clear()
    this.#posts.set(clientId, [post, ...this.of(clientId)].slice(0, lastTexts))
  }
}
