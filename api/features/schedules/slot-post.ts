/** The post of a slot, as the log has it: also one that was moved elsewhere or deleted, which no view leads to any more. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { CommandHandler } from '../../core/command-handler.ts'
import { lastIn } from '../../core/aggregates.ts'
import { plannedPostId } from './post-id.ts'

export interface SlotPost {
  /** The id that it has, or is to have. */
  readonly postId: string
  /** Null while nobody has written it. */
  readonly post: Post | null
}

export async function slotPost(
  handler: CommandHandler,
  scheduleId: string,
  revision: number,
  slot: Instant,
): Promise<SlotPost> {
  for (let turn = 0; ; turn++) {
    const postId = plannedPostId(scheduleId, revision, slot, turn)
    const { state: post } = await handler.loadPost(postId)
    if (!post.exists) return { postId, post: null }
    if (!post.deleted || !(await wasTakenBack(handler, postId))) return { postId, post }
  }
}

async function wasTakenBack({ ports: { events } }: CommandHandler, postId: string): Promise<boolean> {
  const last = await lastIn(events, `post-${postId}`, ({ type }) => type === 'PostDeleted')
  return last !== null && 'because' in last.data && last.data.because === 'schedule-changed'
}
