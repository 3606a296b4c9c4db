/** Finds a slot's post in the log, even if it was moved or deleted, so that no view leads to it. */
import type { Instant } from '../../../domain/core/event.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Commands } from '../../core/commands.ts'
import { lastIn } from '../../core/aggregates.ts'
import { plannedPostId } from './post-id.ts'

export interface SlotPost {
  /** The post's id, even before it is written. */
  readonly postId: string
  /** Null until it is written. */
  readonly post: Post | null
}

export async function slotPost(
  commands: Commands,
  scheduleId: string,
  revision: number,
  slot: Instant,
): Promise<SlotPost> {
  for (let turn = 0; ; turn++) {
    const postId = plannedPostId(scheduleId, revision, slot, turn)
    const { state: post } = await commands.loadPost(postId)
    if (!post.exists) return { postId, post: null }
    if (!post.deleted || !(await wasTakenBack(commands, postId))) return { postId, post }
  }
}

async function wasTakenBack({ ports: { events } }: Commands, postId: string): Promise<boolean> {
  const last = await lastIn(events, `post-${postId}`, ({ type }) => type === 'PostDeleted')
  return last !== null && 'because' in last.data && last.data.because === 'schedule-changed'
}
