/** From the first words to a time on the calendar. */
import { contentTooLong } from '../core/content-limits.ts'
import { refuse } from '../core/decider.ts'
import type { Instant } from '../core/event.ts'
import type { StoredImage } from '../core/values.ts'
import { problemsWith } from '../core/preflight.ts'
import type { Generated } from '../core/provenance.ts'
import { approvalHash } from './approval.ts'
import type { PostEvent } from './events.ts'
import { wrongState, type Of, type PostDecision, type PostContext, type PostRefusal } from './rules.ts'
import type { Post } from './state.ts'
import { may } from './state-table.ts'

export type ReviewCommand = Of<
  | 'ReviseContent'
  | 'ReplaceImage'
  | 'PlanPost'
  | 'SubmitPost'
  | 'ApprovePost'
  | 'RejectPost'
  | 'SchedulePost'
  | 'ReschedulePost'
  | 'ReturnPostToDraft'
>

export function review(post: Post, command: ReviewCommand, given: PostContext): PostDecision {
  switch (command.type) {
    case 'ReviseContent': {
      const { content, generation } = command
      if (post.status === 'draft' && post.content === content) return []
      if (!may('edit', post)) return wrongState('edit', post)
      if (content.trim() === '') return refuse({ reason: 'content-empty' })
      const tooLong = contentTooLong(post.platform, content)
      if (tooLong) return refuse(tooLong)
      return [{ type: 'PostContentRevised', data: { content, ...generatedAs(generation) } }]
    }
    case 'ReplaceImage': {
      if (post.status === 'draft' && post.imageUrl === command.imageUrl) return []
      if (!may('edit', post)) return wrongState('edit', post)
      return [{ type: 'PostImageReplaced', data: { imageUrl: command.imageUrl } }]
    }
    case 'PlanPost': {
      const { scheduledFor } = command
      if (post.status === 'draft' && post.scheduledFor === scheduledFor) return []
      if (!may('plan', post)) return wrongState('plan', post)
      if (scheduledFor <= given.now) return refuse({ reason: 'scheduled-in-the-past' })
      return [{ type: 'PostPlanned', data: { scheduledFor } }]
    }
    case 'SubmitPost':
      if (post.status === 'pending') return []
      if (!may('submit', post)) return wrongState('submit', post)
      return (
        blocked(post, post.scheduledFor, given) ?? [...newlyStored(post, given), { type: 'PostSubmitted', data: {} }]
      )
    case 'ApprovePost': {
      if (post.status === 'approved') return []
      if (!may('approve', post)) return wrongState('approve', post)
      const { scheduledFor } = post
      const time = scheduledFor !== null && scheduledFor > given.now ? scheduledFor : given.freeSlot
      return (
        blocked(post, time, given) ?? [
          ...newlyStored(post, given),
          { type: 'PostApproved', data: bind(post, time, given) },
        ]
      )
    }
    case 'RejectPost':
      if (post.status === 'rejected' && (command.reason === null || command.reason === post.rejectionReason)) return []
      if (!may('reject', post)) return wrongState('reject', post)
      return [{ type: 'PostRejected', data: { reason: command.reason } }]
    case 'SchedulePost': {
      const { scheduledFor } = command
      const holds = scheduledFor === null || scheduledFor === post.scheduledFor
      if (post.status === 'scheduled' && holds) return []
      if (!may('schedule', post)) return wrongState('schedule', post)
      if (scheduledFor !== null && scheduledFor <= given.now) return refuse({ reason: 'scheduled-in-the-past' })
      const planned = post.scheduledFor !== null && post.scheduledFor > given.now ? post.scheduledFor : given.freeSlot
      const time = scheduledFor ?? planned
      return (
        blocked(post, time, given) ?? [
          ...newlyStored(post, given),
          { type: 'PostScheduled', data: bind(post, time, given) },
        ]
      )
    }
    case 'ReschedulePost': {
      const { scheduledFor } = command
      if (!may('reschedule', post) || post.scheduledFor === null) return wrongState('reschedule', post)
      if (post.scheduledFor === scheduledFor) return []
      if (scheduledFor <= given.now) return refuse({ reason: 'scheduled-in-the-past' })
      return [{ type: 'PostRescheduled', data: { scheduledFor, from: post.scheduledFor } }]
    }
    case 'ReturnPostToDraft':
      if (post.status === 'draft') return []
      if (!may('return-to-draft', post)) return wrongState('return-to-draft', post)
      return [{ type: 'PostReturnedToDraft', data: { from: post.status } }]
  }
}

export function write(post: Post, command: Of<'WritePost'>, given: PostContext): PostDecision {
  const { clientId, accountId, platform, content, imageUrl, scheduledFor, generation, plan } = command
  const asked = {
    clientId,
    accountId,
    platform,
    content,
    imageUrl,
    scheduledFor,
    generationId: generation?.generationId ?? null,
  }
  if (post.exists) {
    if (!isSame(post.writtenAs, asked)) return refuse({ reason: 'id-taken' })
    return post.deleted ? refuse({ reason: 'made-and-deleted' }) : []
  }
  if (!given.clientOnRoster) return refuse({ reason: 'client-unknown' })
  if (given.account?.platform !== platform) return refuse({ reason: 'account-unknown' })
  if (given.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: given.standing })
  if (content.trim() === '') return refuse({ reason: 'content-empty' })
  const tooLong = contentTooLong(platform, content)
  if (tooLong) return refuse(tooLong)
  if (scheduledFor !== null && scheduledFor <= given.now) return refuse({ reason: 'scheduled-in-the-past' })
  const written: PostEvent = {
    type: 'PostWritten',
    data: { ...asked, ...generatedAs(generation), ...(plan && { plan }) },
  }
  if (!command.submit) return [written]
  const draft = { content, platform, imageUrl, image: null }
  return (
    blocked(draft, scheduledFor, given) ?? [written, ...newlyStored(draft, given), { type: 'PostSubmitted', data: {} }]
  )
}

/** How the events say where a text comes from. */
function generatedAs(generation: Generated | null) {
  if (!generation) return { generationId: null }
  const { generationId, ...provenance } = generation
  return { generationId, provenance }
}

type Written = Extract<PostEvent, { type: 'PostWritten' }>['data']

const isSame = (a: Written | null, b: Written): boolean =>
  a !== null && (Object.keys(b) as (keyof Written)[]).every((field) => a[field] === b[field])

type Content = Pick<Post, 'content' | 'platform' | 'imageUrl' | 'image'>

/** The image that is stored, or is about to be. */
const imageOf = ({ image }: Content, given: PostContext): StoredImage | null =>
  image ?? (given.image?.kind === 'stored' ? given.image.image : null)

/** An image is stored by the act that first sends the post on its way: what is reviewed then is what is published. */
function newlyStored(post: Content, given: PostContext): PostEvent[] {
  const image = imageOf(post, given)
  if (post.image !== null || post.imageUrl === null || image === null) return []
  return [{ type: 'PostImageStored', data: { imageUrl: post.imageUrl, image } }]
}

/** Why a post can't go on its way: the standing, or what its network doesn't take. Null when nothing is in the way. */
function blocked(post: Content, time: Instant | null, given: PostContext) {
  const { standing, quota } = given
  if (standing !== 'good') return refuse<PostRefusal>({ reason: 'subscription-needed', standing })
  const { content, platform } = post
  if (content.trim() === '') return refuse<PostRefusal>({ reason: 'content-empty' })
  const image = post.imageUrl === null ? null : imageOf(post, given)
  const [problem] = problemsWith({ platform, content, hasImage: post.imageUrl !== null, image })
  if (problem) return refuse<PostRefusal>(problem)
  if (post.imageUrl !== null && post.image === null && given.image?.kind === 'unusable') {
    return refuse<PostRefusal>({ reason: 'image-unusable', sentence: given.image.sentence })
  }
  if (quota !== null && quota.left <= 0 && time !== null && time < quota.until) {
    return refuse<PostRefusal>({ reason: 'quota-used-up', platform, until: quota.until })
  }
  return null
}

function bind(post: Post, scheduledFor: Instant, given: PostContext) {
  const remoteAccountId = given.account?.remoteId ?? null
  const { content, imageUrl } = post
  const image = imageUrl === null ? null : imageOf(post, given)
  return { scheduledFor, remoteAccountId, approvalHash: approvalHash({ content, imageUrl, image, remoteAccountId }) }
}
