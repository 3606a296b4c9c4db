import type { PostCommand } from '../../../domain/post/commands.ts'
import type { Post } from '../../../domain/post/state.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { Views } from '../../../projections/registry.ts'
import { auditScopeOf } from '../history/scope.ts'
import type { Past } from '../history/past.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import type { AppendedEvent } from '../../core/command-handler.ts'
import type { Commands } from '../../core/commands.ts'
import { accepted, type Handlers, type OfAgency } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import type { OwnAddresses } from '../media/images.ts'
import { tellOfHoldEnd, type ReleasePorts } from '../review/release-letters.ts'
import { changeOf } from './change-command.ts'
import { generationOf } from './generation.ts'
import { importHandlers } from './import/routes.ts'
import { listHandlers, replies } from './lists.ts'
import { pastReader, readerFor } from './reader.ts'
import { releaseHeldHandlers } from './release-held.ts'
import { reviewHandlers } from './review.ts'
import { shownPosts } from './shown.ts'
import { writeHandlers } from './write.ts'

export interface PostPorts extends ReleasePorts {
  readonly commands: Commands
  readonly views: Views
  readonly newest: Newest
  readonly images: OwnAddresses
  readonly past: Past
}

const maxTries = 5

type Names =
  | 'listPosts'
  | 'countPosts'
  | 'listAllPosts'
  | 'countAllPosts'
  | 'writePost'
  | 'writePostGroup'
  | 'getPost'
  | 'changePost'
  | 'deletePost'
  | 'resolvePost'
  | 'publishPost'
  | 'skipStep'
  | 'reassignStep'
  | 'retryPost'
  | 'releasePost'
  | 'releaseHeldPosts'
  | 'reviewPosts'
  | 'importPosts'
  | 'readImportHeader'

type Asking = OfAgency & {
  readonly params: { readonly id: string }
  readonly visible: (appendedEvents: readonly AppendedEvent[]) => Promise<boolean>
}

export function postHandlers(ports: PostPorts): Handlers<Names> {
  const { commands, views, newest, images, past } = ports
  const { postOf } = replies(images)
  const readerOf = readerFor(views)
  const { answerOf, shown, shownCard } = shownPosts({ views, newest, images })

  /** A post of another agency or of a removed client gets the same answer as an unknown one. */
  async function find(
    postId: string,
    { loadAgency, aggregates }: Pick<OfAgency, 'loadAgency' | 'aggregates'>,
  ): Promise<Post | null> {
    const [{ state }, { clients }] = await Promise.all([commands.loadPost(postId, aggregates), loadAgency()])
    return state.exists && state.clientId in clients ? state : null
  }

  async function mustHavePost(ask: Asking): Promise<Post> {
    const post = await find(ask.params.id, ask)
    if (!post) throw notFound('This post')
    return post
  }

  async function command(ask: Asking, wanted: PostCommand | ((post: Post) => Promise<PostCommand>)) {
    for (let tries = 1; ; tries++) {
      const post = await mustHavePost(ask)
      if (post.deleted) throw notFound('This post')
      const command = typeof wanted === 'function' ? await wanted(post) : wanted
      const result = await commands.post(ask.params.id, command, ask.by, ask.aggregates)
      // The command depends on the state. If that changed since it was read, derive the command again.
      const wasOther =
        'refused' in result && typeof wanted === 'function' && (await mustHavePost(ask)).status !== post.status
      if (wasOther && tries < maxTries) continue
      const { state, appendedEvents } = accepted(result)
      if (post.isHeldByClient && !state.isHeldByClient) await tellOfHoldEnd(ports, ask.params.id, ask.agencyId)
      return shown(ask.params.id, await ask.visible(appendedEvents), await readerOf(ask))
    }
  }

  return {
    ...writeHandlers({ commands, readerOf, shown, shownCard }),

    async getPost(ask) {
      if (ask.query.asOf !== undefined) {
        const post = await past.post(
          postsProjection,
          auditScopeOf(ask.agencyId, ask.me.clients),
          ask.params.id,
          ask.query.asOf,
        )
        if (!post) throw notFound('This post')
        return { body: await postOf(post, pastReader) }
      }
      const {
        agencyId,
        loadAgency,
        params: { id },
      } = ask
      // The log is read only when the view lacks the post: the event store may be down.
      const seen = await views.posts.get(id)
      if (!seen) {
        await mustHavePost(ask)
        return shown(id, true, await readerOf(ask))
      }
      if (seen.agencyId !== agencyId || !(seen.clientId in (await loadAgency()).clients)) throw notFound('This post')
      return answerOf(seen, await readerOf(ask))
    },

    changePost: ({ body, ...ask }) =>
      command(ask, async (post) =>
        'content' in body
          ? {
              type: 'ReviseContent',
              content: body.content,
              generation: await generationOf(commands, post.clientId, body, ask),
            }
          : changeOf(body, post),
      ),

    async deletePost(ask) {
      await mustHavePost(ask)
      const { state, appendedEvents } = accepted(
        await commands.post(ask.params.id, { type: 'DeletePost', because: 'asked' }, ask.by, ask.aggregates),
      )
      if (state.isHeldByClient && appendedEvents.length > 0) await tellOfHoldEnd(ports, ask.params.id, ask.agencyId)
      await ask.visible(appendedEvents)
      return {}
    },

    resolvePost: (ask) =>
      command(
        ask,
        ask.body.live === false
          ? { type: 'ResolveAsNotLive', attemptId: ask.body.attemptId }
          : { type: 'ResolveAsLive', attemptId: ask.body.attemptId, url: ask.body.live, remoteId: null },
      ),

    skipStep: (ask) => command(ask, { type: 'SkipStep', stepId: ask.params.stepId, reason: ask.body.reason }),

    reassignStep: (ask) => command(ask, { type: 'ReassignStep', stepId: ask.params.stepId, ...ask.body }),

    publishPost: (ask) => command(ask, { type: 'PublishPostNow' }),

    retryPost: (ask) => command(ask, { type: 'RetryPost', scheduledFor: ask.body.scheduledFor }),

    releasePost: (ask) => command(ask, { type: 'ReleasePost', scheduledFor: ask.body.scheduledFor }),

    ...listHandlers({ views, images, past }),
    ...releaseHeldHandlers({ commands, views }),
    ...reviewHandlers({ commands, find, readerOf, show: shownCard }),
    ...importHandlers({ commands }),
  }
}
