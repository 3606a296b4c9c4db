/** The version of a post that a comment is about, from the post's log. */
import type { EventStore } from '../../../domain/event-store/port.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { Anchor } from '../../../domain/discussion/commands.ts'
import { isOfEarlierVersion } from '../../../domain/discussion/anchor.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import { postStream } from '../../core/load.ts'
import { eventsUpTo } from '../history/scope.ts'

/** The first state of the post that fits the anchor; null without one. */
export async function commentedVersion(
  events: EventStore,
  postId: string,
  anchor: Anchor,
): Promise<Pick<Post, 'content' | 'imageUrl'> | null> {
  let post = initialPost
  for await (const stored of eventsUpTo(events, postStream(postId), null)) {
    const next = evolvePost(post, recorded(stored) as PostEvent)
    const isOther = next.content !== post.content || next.image !== post.image || next.imageUrl !== post.imageUrl
    post = next
    if (isOther && !isOfEarlierVersion(anchor, post)) return post
  }
  return null
}
