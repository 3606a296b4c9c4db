/** What a post must have before it is submitted or scheduled: standing, the network's limits, a stored image. */
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import { problemsWith } from '../core/preflight.ts'
import type { StoredImage } from '../core/values.ts'
import type { PostEvent } from './events.ts'
import type { PostContext, PostRefusal } from './rules.ts'
import type { Post } from './state.ts'
import { approvalHash } from './approval.ts'

type Content = Pick<Post, 'content' | 'platform' | 'imageUrl' | 'image'>

/** The image that is stored, or will be with this command. */
export const imageOf = ({ image }: Content, context: PostContext): StoredImage | null =>
  image ?? (context.image?.kind === 'stored' ? context.image.image : null)

/** The command that first submits or schedules a post stores its image: the reviewed image is the published one. */
export function newlyStored(post: Content, context: PostContext): PostEvent[] {
  const image = imageOf(post, context)
  if (post.image !== null || post.imageUrl === null || image === null) return []
  return [{ type: 'PostImageStored', data: { imageUrl: post.imageUrl, image } }]
}

/** Why a post can't be submitted or scheduled: the standing, or the network's limits. Null if nothing blocks it. */
export function blocked(post: Content, time: Instant | null, context: PostContext) {
  const { standing, quota } = context
  if (standing !== 'good') return refuse<PostRefusal>({ reason: 'subscription-needed', standing })
  const { content, platform } = post
  if (content.trim() === '') return refuse<PostRefusal>({ reason: 'content-empty' })
  const image = post.imageUrl === null ? null : imageOf(post, context)
  const [problem] = problemsWith({ platform, content, hasImage: post.imageUrl !== null, image })
  if (problem) return refuse<PostRefusal>(problem)
  if (post.imageUrl !== null && post.image === null && context.image?.kind === 'unusable') {
    return refuse<PostRefusal>({ reason: 'image-unusable', sentence: context.image.sentence })
  }
  if (quota !== null && quota.left <= 0 && time !== null && time < quota.until) {
    return refuse<PostRefusal>({ reason: 'quota-used-up', platform, until: quota.until })
  }
  return null
}

/** Binds a time's approval to the content, the image and the profile that it is for. */
export function bind(post: Content, scheduledFor: Instant, context: PostContext) {
  const remoteAccountId = context.account?.remoteId ?? null
  const { content, imageUrl } = post
  const image = imageUrl === null ? null : imageOf(post, context)
  return { scheduledFor, remoteAccountId, approvalHash: approvalHash({ content, imageUrl, image, remoteAccountId }) }
}
