/** Every event of a post, in order, with the post as it was right after each. */
import type { EventStore } from '../../domain/event-store/port.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { evolvePost, initialPost } from '../../domain/post/state.ts'
import { isIn, type AuditScope } from '../audit/scope.ts'
import type { Users } from '../auth/users.ts'
import type { HistoryEntry } from '../contract/index.ts'
import type { Handler } from '../handle.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import { history } from '../streams.ts'

interface Ports {
  readonly events: EventStore
  /** By a person's id, as whoever reads may know it. */
  readonly nameOf: (userId: string) => Promise<string>
}

/** @throws Problem 404 for a post that is not in the scope */
export async function historyOf({ events, nameOf }: Ports, scope: AuditScope, postId: string): Promise<HistoryEntry[]> {
  const all = await history(events, `post-${postId}`)
  // Judged by the events themselves: the post, and its client, may be gone.
  if (!isIn(scope, all)) throw notFound('This post')
  const names = new Map<string, string>()
  const entries: HistoryEntry[] = []
  let post = initialPost
  for (const event of all) {
    post = evolvePost(post, event as PostEvent)
    const { at, hash, actor } = event.metadata
    const { status, delivery, content, imageUrl, scheduledFor, deleted } = post
    const name = names.get(actor.id) ?? (actor.type === 'user' ? await nameOf(actor.id) : 'SocialAI')
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
  return entries
}

export const historyHandlers = ({ handler, users }: { readonly handler: Handler; readonly users: Users }): Handlers<'getPostHistory'> => ({
  getPostHistory: async ({ agencyId, params: { id } }) => ({
    body: await historyOf({ events: handler.ports.events, nameOf: (userId) => users.nameOf(userId) }, { agencyId, clientId: null }, id),
  }),
})
