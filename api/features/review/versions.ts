/** The submitted versions of a post, from its stream: what was written in between is shown to no client. */
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import { postStream } from '../../core/load.ts'
import { eventsUpTo } from '../history/scope.ts'

export interface SubmittedVersion {
  readonly version: number
  readonly content: string
  readonly imageUrl: string | null
  readonly image: { readonly hash: string } | null
}

/** The number of submissions so far. */
export const versionOf = ({ review }: Post): number => review?.version ?? 0

/** Reads no further than to the submission, and no more events than this. */
const maxEvents = 5_000

/** Null where the post was submitted less often. */
export async function submittedVersion(
  events: EventStore,
  postId: string,
  version: number,
): Promise<SubmittedVersion | null> {
  let post = initialPost
  for await (const stored of eventsUpTo(events, postStream(postId), null)) {
    if (stored.revision >= maxEvents) return null
    const event = recorded(stored) as unknown as PostEvent
    post = evolvePost(post, event)
    if (event.type === 'PostSubmitted' && versionOf(post) === version) return shownOf(post)
  }
  return null
}

export const shownOf = (post: Post): SubmittedVersion => ({
  version: versionOf(post),
  content: post.content,
  imageUrl: post.imageUrl,
  image: post.image,
})
