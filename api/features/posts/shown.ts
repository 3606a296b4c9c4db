/** Posts as answers show them: from the views, or from the log where the views don't have the change yet. */
import { postCardsProjection } from '../../../projections/posts/cards.ts'
import { postsProjection } from '../../../projections/posts/projection.ts'
import type { PostView } from '../../../projections/posts/view.ts'
import type { Views } from '../../../projections/registry.ts'
import type { Newest } from '../../core/read-your-writes.ts'
import { notFound } from '../../http/problem.ts'
import type { OwnAddresses } from '../media/images.ts'
import { replies } from './lists.ts'
import type { PostReader } from './reader.ts'

interface Ports {
  readonly views: Views
  readonly newest: Newest
  readonly images: OwnAddresses
}

export function shownPosts({ views, newest, images }: Ports) {
  const { postOf, cardOf } = replies(images)
  const answerOf = async (post: PostView, reader: PostReader) => ({
    body: await postOf(post, reader),
    etag: `"${post.revision}"`,
  })
  return {
    answerOf,
    /** @param visible whether the views have the change. @throws Problem 404 */
    async shown(postId: string, visible: boolean, reader: PostReader) {
      const sought = { id: postId, view: views.posts, projection: postsProjection, stream: `post-${postId}` }
      const post = await newest(sought, visible)
      if (!post) throw notFound('This post')
      return answerOf(post, reader)
    },
    /** The same with only the beginning of its text. */
    async shownCard(postId: string, visible: boolean, reader: PostReader) {
      const stream = `post-${postId}`
      const card = await newest({ id: postId, view: views.postCards, projection: postCardsProjection, stream }, visible)
      if (!card) throw notFound('This post')
      return cardOf(card, reader)
    },
  }
}
