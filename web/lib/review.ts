/** Several posts judged in one go: in portions, so that it can be told how far it is. */
import type { PostCard } from '../../api/contract/index.ts'
import { call } from './call.ts'
import { formatSoon } from './dates.ts'
import { errorText } from './error-text.ts'
import { postActionWords as words } from './post-action-words.ts'
import { afterPostChange } from './refetch.ts'

export type Judgement = { readonly status: 'approved' } | { readonly status: 'rejected'; readonly reason?: string }

export interface Reviewed {
  readonly done: readonly string[]
  /** Those of `done` of which one step was approved: the post waits for the next one. */
  readonly steps: readonly string[]
  /** The times that they got. */
  readonly times: readonly string[]
  /** By id: why it was refused. */
  readonly refused: ReadonlyMap<string, string>
}

const batch = 20

/** The server takes so many at once. */
const checkedAtOnce = 100

/** Why some of the posts could not be approved, by id; nothing is changed. */
export async function refusalsOf(posts: readonly Pick<PostCard, 'id'>[]): Promise<ReadonlyMap<string, string>> {
  const refused = new Map<string, string>()
  for (let from = 0; from < posts.length; from += checkedAtOnce) {
    const ids = posts.slice(from, from + checkedAtOnce).map(({ id }) => id)
    const { results } = await call('POST /api/posts/bulk', { body: { ids, status: 'approved', dryRun: true } })
    for (const { id, sentence } of results) if (sentence !== null) refused.set(id, sentence)
  }
  return refused
}

/** Sends the revision that the user read; the server refuses another one. */
export async function review(
  posts: readonly Pick<PostCard, 'id' | 'revision'>[],
  judgement: Judgement,
  onProgress: (count: number) => void,
): Promise<Reviewed> {
  const done: string[] = []
  const steps: string[] = []
  const times: string[] = []
  const refused = new Map<string, string>()
  for (let from = 0; from < posts.length; from += batch) {
    onProgress(from)
    const some = posts.slice(from, from + batch)
    const revisions = Object.fromEntries(some.map(({ id, revision }) => [id, revision]))
    try {
      const { results } = await call('POST /api/posts/bulk', {
        body: { ids: some.map(({ id }) => id), revisions, ...judgement },
      })
      for (const { id, sentence, post } of results) {
        if (sentence !== null) refused.set(id, sentence)
        else {
          done.push(id)
          if (judgement.status === 'approved' && post?.status === 'pending') steps.push(id)
          else if (post?.scheduledFor) times.push(post.scheduledFor)
        }
      }
    } catch (error) {
      // The others weren't tried: what stopped these would stop them too.
      for (const { id } of posts.slice(from)) refused.set(id, errorText(error))
      break
    }
  }
  await afterPostChange()
  return { done, steps, times, refused }
}

/** The times that approved posts got: a post whose planned time had passed took the next free slot. */
export function timesSentence(times: readonly string[], zone: string): string | null {
  const [first, ...rest] = [...new Set(times)].toSorted()
  if (first === undefined) return null
  const last = rest.at(-1)
  const from = formatSoon(first, zone)
  return last === undefined ? words.scheduledFor(from) : words.scheduledFrom(from, formatSoon(last, zone))
}
