/** The submitted versions of a post, from its stream: what was written in between is shown to no client. */
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '../../../domain/client/state.ts'
import { isClientsTurn } from '../../../domain/core/approval-round.ts'
import { imageHash, textHash } from '../../../domain/discussion/hashes.ts'
import { recorded } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { approvalHash } from '../../../domain/post/approval.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../../domain/post/state.ts'
import type { ReviewView } from '../../../projections/reviews/view.ts'
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
export const visibleVersion = (post: Post): SubmittedVersion & { readonly scheduledFor: string | null } => ({
  version: versionOf(post),
  ...(post.status === 'draft' ? (post.review?.submitted ?? nothing) : partsOf(post)),
})
const nothing = { content: '', imageUrl: null, image: null, scheduledFor: null }

/** The last submission, where the client sees another text or image now: a draft was scheduled without another one. */
export function replacedVersion(post: Post): SubmittedVersion | null {
  const submitted = post.review?.submitted
  const now = visibleVersion(post)
  if (!submitted || isDeepStrictEqual(lookOf(submitted), lookOf(now))) return null
  return { ...submitted, version: now.version }
}
const lookOf = ({ content, imageUrl, image }: Omit<SubmittedVersion, 'version'>) => [content, image?.hash ?? imageUrl]

/** What an approval of the visible version would be bound to. */
export const visibleHash = (post: Post, client: Client): string => hashFor(post, remoteIdOf(post, client))

const remoteIdOf = ({ accountId }: Post, client: Client) => client.accounts[accountId]?.remoteId ?? null
function hashFor(post: Post, remoteAccountId: string | null): string {
  const { content, imageUrl, image } = visibleVersion(post)
  return approvalHash({ content, imageUrl, image: imageUrl === null ? null : image, remoteAccountId })
}

/** Whether the client's step is open. */
export const isClientsTurnOn = ({ status, round }: Post): boolean =>
  status === 'pending' && round !== undefined && isClientsTurn(round)

/**
 * Whether a verdict decides on what is visible: one on another version or text doesn't, and neither does an approval
 * from before the client's step opened.
 */
export function isCurrent(
  post: Post,
  client: Client,
  { reviewerId, verdict, version }: ReviewView['verdicts'][number],
): boolean {
  if (version !== versionOf(post)) return false
  if (verdict === 'hold') return true
  if (verdict === 'approve' && isClientsTurnOn(post)) return false
  const given = post.review?.verdicts.find((known) => known.reviewerId === reviewerId)
  // As for a step, an approval from before a profile was connected fits the first one.
  return [remoteIdOf(post, client), null].some((remoteId) => hashFor(post, remoteId) === given?.hash)
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
    if (event.type === 'PostSubmitted') yield { version: versionOf(post), ...partsOf(post) }
  }
}

const partsOf = ({ content, imageUrl, image, scheduledFor }: Post) => ({ content, imageUrl, image, scheduledFor })
