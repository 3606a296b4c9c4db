/** Who sent a post to review last. */
import { events as catalogue } from '../../../domain/event-store/catalogue.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import { postStream } from '../../core/load.ts'
import { eventsUpTo } from '../history/scope.ts'

const submissions = new Set(catalogue.namesOf(['PostSubmitted']))

/** Null: a process. */
export async function submitterOf(events: EventStore, postId: string): Promise<string | null> {
  let submitter: string | null = null
  for await (const { name, metadata } of eventsUpTo(events, postStream(postId), null))
    if (submissions.has(name)) submitter = metadata.actor.type === 'user' ? metadata.actor.id : null
  return submitter
}
