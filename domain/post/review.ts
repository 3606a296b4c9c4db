/** The rules from the first draft to a time on the calendar. */
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

export function review(post: Post, command: ReviewCommand, context: PostContext): PostDecision {
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
      if (scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      return [{ type: 'PostPlanned', data: { scheduledFor } }]
    }
    case 'SubmitPost':
      if (post.status === 'pending') return []
      if (!may('submit', post)) return wrongState('submit', post)
      return (
        blocked(post, post.scheduledFor, context) ?? [
          ...newlyStored(post, context),
          { type: 'PostSubmitted', data: {} },
        ]
      )
    case 'ApprovePost': {
      if (post.status === 'approved') return []
      if (!may('approve', post)) return wrongState('approve', post)
      const { scheduledFor } = post
      const time = scheduledFor !== null && scheduledFor > context.now ? scheduledFor : context.freeSlot
      return (
        blocked(post, time, context) ?? [
          ...newlyStored(post, context),
          { type: 'PostApproved', data: bind(post, time, context) },
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
      if (scheduledFor !== null && scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      const planned =
        post.scheduledFor !== null && post.scheduledFor > context.now ? post.scheduledFor : context.freeSlot
      const time = scheduledFor ?? planned
      return (
        blocked(post, time, context) ?? [
          ...newlyStored(post, context),
          { type: 'PostScheduled', data: bind(post, time, context) },
        ]
      )
    }
    case 'ReschedulePost': {
      const { scheduledFor } = command
      if (!may('reschedule', post) || post.scheduledFor === null) return wrongState('reschedule', post)
      if (post.scheduledFor === scheduledFor) return []
      if (scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
      return [{ type: 'PostRescheduled', data: { scheduledFor, from: post.scheduledFor } }]
    }
    case 'ReturnPostToDraft':
      if (post.status === 'draft') return []
      if (!may('return-to-draft', post)) return wrongState('return-to-draft', post)
      return [{ type: 'PostReturnedToDraft', data: { from: post.status } }]
  }
}

export function write(post: Post, command: Of<'WritePost'>, context: PostContext): PostDecision {
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
  if (!context.clientOnRoster) return refuse({ reason: 'client-unknown' })
  if (context.account?.platform !== platform) return refuse({ reason: 'account-unknown' })
  if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
  if (content.trim() === '') return refuse({ reason: 'content-empty' })
  const tooLong = contentTooLong(platform, content)
  if (tooLong) return refuse(tooLong)
  if (scheduledFor !== null && scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
  const written: PostEvent = {
    type: 'PostWritten',
    data: { ...asked, ...generatedAs(generation), ...(plan && { plan }) },
  }
  if (!command.submit) return [written]
  const draft = { content, platform, imageUrl, image: null }
  return (
    blocked(draft, scheduledFor, context) ?? [
      written,
      ...newlyStored(draft, context),
      { type: 'PostSubmitted', data: {} },
    ]
  )
}

/** The provenance fields of the events. */
function generatedAs(generation: Generated | null) {
  if (!generation) return { generationId: null }
  const { generationId, ...provenance } = generation
  return { generationId, provenance }
}

type Written = Extract<PostEvent, { type: 'PostWritten' }>['data']

const isSame = (a: Written | null, b: Written): boolean =>
  a !== null && (Object.keys(b) as (keyof Written)[]).every((field) => a[field] === b[field])

type Content = Pick<Post, 'content' | 'platform' | 'imageUrl' | 'image'>

/** The image that is stored, or will be with this command. */
const imageOf = ({ image }: Content, context: PostContext): StoredImage | null =>
  image ?? (context.image?.kind === 'stored' ? context.image.image : null)

/** The command that first submits or schedules a post stores its image: the reviewed image is the published one. */
function newlyStored(post: Content, context: PostContext): PostEvent[] {
  const image = imageOf(post, context)
  if (post.image !== null || post.imageUrl === null || image === null) return []
  return [{ type: 'PostImageStored', data: { imageUrl: post.imageUrl, image } }]
}

/** Why a post can't be submitted or scheduled: the standing, or the network's limits. Null if nothing blocks it. */
function blocked(post: Content, time: Instant | null, context: PostContext) {
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

function bind(post: Post, scheduledFor: Instant, context: PostContext) {
  const remoteAccountId = context.account?.remoteId ?? null
  const { content, imageUrl } = post
  const image = imageUrl === null ? null : imageOf(post, context)
  return { scheduledFor, remoteAccountId, approvalHash: approvalHash({ content, imageUrl, image, remoteAccountId }) }
}
