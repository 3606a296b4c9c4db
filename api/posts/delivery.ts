/** "Why isn't it posted?": each attempt to publish a post, what came of it, and the next safe act. */
import { standingOf } from '../../domain/agency/state.ts'
import type { Fact, Instant } from '../../domain/core/event.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../domain/post/state.ts'
import type { Attempt } from '../contract/index.ts'
import type { Handler } from '../handle.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import { history } from '../streams.ts'
import type { Clock } from '../clock.ts'
import { causeOf, whyNot } from './why-not.ts'

export const deliveryHandlers = ({ handler, clock }: { readonly handler: Handler; readonly clock: Clock }): Handlers<'getPostDelivery'> => ({
  async getPostDelivery({ agencyId, loadAgency, params: { id } }) {
    const events = await history(handler.ports.events, `post-${id}`)
    const post = events.reduce<Post>((state, event) => evolvePost(state, event as PostEvent), initialPost)
    const agency = await loadAgency()
    const isKnown = events[0]?.metadata.agencyId === agencyId && !post.deleted && post.clientId in agency.clients
    if (!isKnown) throw notFound('This post')
    const account = (await handler.loadClient(post.clientId)).state.accounts[post.accountId] ?? null
    const now = clock.now()
    return { body: { ...whyNot(post, causeOf(events), { account, now, standing: standingOf(agency, now) }), attempts: attemptsOf(events) } }
  },
})

interface Said extends Fact {
  readonly metadata: { readonly at: Instant }
}

/** Every attempt in order, oldest first, with the one thing that came of it. */
export function attemptsOf(events: readonly Said[]): Attempt[] {
  const attempts: Attempt[] = []
  const end = (attemptId: string, change: Partial<Attempt>) => {
    const index = attempts.findLastIndex((attempt) => attempt.attemptId === attemptId)
    const attempt = attempts[index]
    if (attempt) attempts[index] = { ...attempt, ...change }
  }
  for (const { metadata, ...fact } of events) {
    const event = fact as PostEvent
    const endedAt = metadata.at
    switch (event.type) {
      case 'PostClaimed': {
        const { attemptId, number } = event.data
        attempts.push({ attemptId, number, at: metadata.at, endedAt: null, outcome: 'under-way', cause: null, remedy: null, retryAt: null, url: null })
        break
      }
      case 'PublishingRejected': {
        const { attemptId, cause, remedy = 'wait', retryAt } = event.data
        end(attemptId, { endedAt, outcome: 'turned-down', cause, remedy, retryAt })
        break
      }
      case 'PublishingFailed': {
        const { attemptId, cause, remedy = null } = event.data
        end(attemptId, { endedAt, outcome: 'failed', cause, remedy })
        break
      }
      case 'PublishingOutcomeUnknown':
        end(event.data.attemptId, { endedAt, outcome: 'unknown', cause: event.data.cause })
        break
      case 'PostFoundAbsent':
        end(event.data.attemptId, { endedAt, outcome: 'not-live' })
        break
      case 'PostPublished':
        end(event.data.attemptId, { endedAt, outcome: 'live', url: event.data.url })
        break
    }
  }
  return attempts
}
