/** Every event of a post, in order, with the post as it was right after each. */
import type { PostEvent } from '../../domain/post/events.ts'
import { evolvePost, initialPost } from '../../domain/post/state.ts'
import type { Users } from '../auth/users.ts'
import type { HistoryEntry } from '../contract/index.ts'
import type { Handler } from '../handle.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import { history } from '../streams.ts'

export const historyHandlers = ({
  handler,
  users,
}: {
  readonly handler: Handler
  readonly users: Users
}): Handlers<'getPostHistory'> => ({
  async getPostHistory({ agencyId, params: { id } }) {
    const events = await history(handler.ports.events, `post-${id}`)
    // Judged by the events themselves: the post, and its client, may be gone.
    if (events[0]?.metadata.agencyId !== agencyId) throw notFound('This post')
    const names = new Map<string, string>()
    const entries: HistoryEntry[] = []
    let post = initialPost
    for (const event of events) {
      post = evolvePost(post, event as PostEvent)
      const { at, hash, actor } = event.metadata
      const { status, delivery, content, imageUrl, scheduledFor, deleted } = post
      const name = names.get(actor.id) ?? (actor.type === 'user' ? await users.nameOf(actor.id) : 'SocialAI')
      names.set(actor.id, name)
      entries.push({
        revision: event.revision,
        type: event.type,
        at,
        actor: { ...actor, name },
        status,
        delivery,
        content,
        imageUrl,
        scheduledFor,
        deleted,
        data: { ...event.data },
        hash,
      })
    }
    return { body: entries }
  },
})
