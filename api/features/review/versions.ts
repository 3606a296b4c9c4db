/** The submitted versions of a post, from its stream: what was written in between is shown to no client. */
import { imageHash, textHash } from '../../../domain/discussion/hashes.ts'
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

/** What the client sees of a post now: of a draft, whose text may not have been submitted yet, the last submission. */
export async function visibleVersion(events: EventStore, postId: string, post: Post): Promise<SubmittedVersion> {
  const submitted = post.status === 'draft' ? await submittedVersion(events, postId, versionOf(post)) : null
  return submitted ?? shownOf(post)
}

/** The submitted versions with these hashes of a text or an image, by hash: each has one. */
export async function versionsWith(
  events: EventStore,
  postId: string,
  hashes: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SubmittedVersion>> {
  const found = new Map<string, SubmittedVersion>()
  if (hashes.size === 0) return found
  for await (const version of submittedVersions(events, postId)) {
    for (const hash of [textHash(version.content), imageHash(version)])
      if (hash !== null && hashes.has(hash) && !found.has(hash)) found.set(hash, version)
    if (found.size === hashes.size) break
  }
  return found
}

/** Null where the post was submitted less often. */
export async function submittedVersion(
  events: EventStore,
  postId: string,
  version: number,
): Promise<SubmittedVersion | null> {
  for await (const submitted of submittedVersions(events, postId)) if (submitted.version === version) return submitted
  return null
}

/** In their order. */
async function* submittedVersions(events: EventStore, postId: string): AsyncGenerator<SubmittedVersion> {
  let post = initialPost
  for await (const stored of eventsUpTo(events, postStream(postId), null)) {
    if (stored.revision >= maxEvents) return
    const event = recorded(stored) as unknown as PostEvent
    post = evolvePost(post, event)
    if (event.type === 'PostSubmitted') yield shownOf(post)
  }
}

export const shownOf = (post: Post): SubmittedVersion => ({
  version: versionOf(post),
  content: post.content,
  imageUrl: post.imageUrl,
  image: post.image,
})
