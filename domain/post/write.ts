/** The rules of writing a new post. */
import { contentTooLong } from '../core/content-limits.ts'
import { refuse } from '../core/decider.ts'
import type { PostEvent } from './events.ts'
import { generatedAs } from './generated.ts'
import { bind, blocked, newlyStored } from './readiness.ts'
import { refusedOwn, type Of, type PostContext, type PostDecision } from './rules.ts'
import type { Post } from './state.ts'
import { submission } from './steps.ts'

export function write(post: Post, command: Of<'WritePost'>, context: PostContext): PostDecision {
  const { clientId, accountId, platform, content, imageUrl, scheduledFor, generation, plan, groupId, imported } =
    command
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
  const { rights, userId } = context.acting
  if (rights === 'read' || (rights === 'write' && command.as === 'scheduled'))
    return refuse({ reason: 'right-missing' })
  if (context.account?.platform !== platform) return refuse({ reason: 'account-unknown' })
  if (context.standing !== 'good') return refuse({ reason: 'subscription-needed', standing: context.standing })
  if (content.trim() === '') return refuse({ reason: 'content-empty' })
  const tooLong = contentTooLong(platform, content)
  if (tooLong) return refuse(tooLong)
  if (scheduledFor !== null && scheduledFor <= context.now) return refuse({ reason: 'scheduled-in-the-past' })
  const written: PostEvent = {
    type: 'PostWritten',
    data: {
      ...asked,
      ...generatedAs(generation),
      ...(plan && { plan }),
      ...(groupId !== undefined && { groupId }),
      ...(imported && { imported }),
    },
  }
  if (command.as === 'draft') return [written]
  const draft = { content, platform, imageUrl, image: null }
  // A post that is scheduled at once is approved by who writes it.
  const authors = { textBy: userId, imageBy: userId, imageUrl }
  if (command.as === 'scheduled' && context.approvals.policy) return refuse({ reason: 'approval-needed' })
  const refused = command.as === 'scheduled' ? refusedOwn(authors, context) : null
  if (refused) return refused
  const time = command.as === 'scheduled' ? (scheduledFor ?? context.freeSlot) : null
  return (
    blocked(draft, time ?? scheduledFor, context) ?? [
      written,
      ...newlyStored(draft, context),
      time === null
        ? submission(authors, context.approvals.policy, context)
        : { type: 'PostScheduled', data: bind(draft, time, context) },
    ]
  )
}

type Written = Extract<PostEvent, { type: 'PostWritten' }>['data']

const isSame = (a: Written | null, b: Written): boolean =>
  a !== null && (Object.keys(b) as (keyof Written)[]).every((field) => a[field] === b[field])
