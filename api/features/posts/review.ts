/** Reviews several posts: a failure of one does not affect the others. */
import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { PostCard } from '../../contract/index.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import type { Handlers, OfAgency } from '../../http/handler.ts'
import { problemOf } from '../../http/sentences.ts'
import { approvalOf } from './change-command.ts'
import type { PostReader, ReaderOf } from './reader.ts'

interface Ports {
  readonly commands: Commands
  /** Null: the post doesn't exist for this agency. */
  readonly find: (postId: string, ask: Pick<OfAgency, 'loadAgency' | 'aggregates'>) => Promise<Post | null>
  readonly readerOf: ReaderOf
  readonly show: (postId: string, visible: boolean, reader: PostReader) => Promise<PostCard>
}

interface Judged {
  readonly id: string
  readonly sentence: string | null
  readonly isKnown: boolean
  readonly appendedEvents: readonly AppendedEvent[]
}

export function reviewHandlers({ commands, find, readerOf, show }: Ports): Handlers<'reviewPosts'> {
  /** No effects, so that all posts share the loads of agency, clients and accounts. */
  async function wouldRefuse(ids: readonly string[], { by, loadAgency }: OfAgency) {
    const aggregates = commands.newScope()
    const results = []
    for (const id of new Set(ids)) {
      const post = await find(id, { loadAgency, aggregates })
      const refusal =
        !post || post.deleted
          ? ({ reason: 'post-unknown' } as const)
          : (await commands.judgeApproval(id, by, aggregates))?.refused
      results.push({ id, done: false, sentence: refusal ? problemOf(refusal).message : null, post: null })
    }
    return results
  }

  return {
    async reviewPosts(ask) {
      const { body, by, visible, loadAgency } = ask
      const commandFor = (post: Post): PostCommand =>
        body.status === 'approved' ? approvalOf(post.round) : { type: 'RejectPost', reason: body.reason }

      async function judge(id: string): Promise<Judged> {
        // A scope for each post: a client can be removed while the others are reviewed.
        const aggregates = commands.newScope()
        const post = await find(id, { loadAgency, aggregates })
        if (!post || post.deleted)
          return { id, sentence: problemOf({ reason: 'post-unknown' }).message, isKnown: false, appendedEvents: [] }
        const ifRevision = body.revisions[id]
        const result = await commands.post(
          id,
          commandFor(post),
          ifRevision === undefined ? by : { ...by, ifRevision },
          aggregates,
        )
        if ('refused' in result)
          return { id, sentence: problemOf(result.refused).message, isKnown: true, appendedEvents: [] }
        // A post without a time takes the next free slot, and the next post must see that it's taken.
        if (result.state.scheduledFor !== post.scheduledFor) await visible(result.appendedEvents)
        return { id, sentence: null, isKnown: true, appendedEvents: result.appendedEvents }
      }

      if (body.dryRun) return { body: { results: await wouldRefuse(body.ids, ask) } }
      // One after the other, in the chosen order, because they may compete for the same slots.
      const judged: Judged[] = []
      for (const id of new Set(body.ids)) judged.push(await judge(id))
      const isVisible = await visible(judged.flatMap(({ appendedEvents }) => appendedEvents))
      const reader = await readerOf(ask)
      const results = judged.map(async ({ id, sentence, isKnown }) => {
        const post = isKnown ? await show(id, isVisible, reader) : null
        return { id, done: sentence === null, sentence, post }
      })
      return { body: { results: await Promise.all(results) } }
    },
  }
}
