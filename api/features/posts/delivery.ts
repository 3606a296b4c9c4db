/** "Why isn't it posted?": each attempt to publish a post, its outcome, and the next safe action. */
import { isAtLeast, type MemberRole } from '../../../domain/agency/roles.ts'
import { standingOf } from '../../../domain/agency/state.ts'
import type { Fact, Instant, Recorded } from '../../../domain/core/event.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'
import type { PostEvent } from '../../../domain/post/events.ts'
import { abilitiesFor } from '../../../domain/post/rights.ts'
import { evolvePost, initialPost } from '../../../domain/post/state.ts'
import type { LogReads } from '../history/log-reads.ts'
import { routes, type Attempt, type PostDelivery } from '../../contract/index.ts'
import type { Commands } from '../../core/commands.ts'
import type { Handlers } from '../../http/handler.ts'
import { notFound } from '../../http/problem.ts'
import { eventsIn } from '../../core/aggregates.ts'
import type { Clock } from '../../core/clock.ts'
import { actingIn, approvalsIn } from './acting.ts'
import { evidenceOf } from './evidence.ts'
import type { OutcomeLooks } from './outcome-looks.ts'
import { causeOf, whyNot } from './why-not.ts'

/** The events about publishing attempts and about the reasons for waiting. */
const publishing: ReadonlySet<string> = new Set<PostEvent['type']>([
  'PostClaimed',
  'PublishingRejected',
  'PublishingFailed',
  'PublishingOutcomeUnknown',
  'PostFoundAbsent',
  'PostPublished',
  'PostHeld',
])
/** The newest ones; a post that was tried hundreds of times shows its last attempts. */
const maxAttempts = 500

interface Ports {
  readonly commands: Commands
  readonly clock: Clock
  readonly reads: LogReads
  readonly outcomeLooks: OutcomeLooks
}

export const deliveryHandlers = ({ commands, clock, reads, outcomeLooks }: Ports): Handlers<'getPostDelivery'> => ({
  async getPostDelivery({ agencyId, by, me, loadAgency, params: { id } }) {
    const { post, events, isOwn } = await reads.run(agencyId, () => publishingOf(commands.ports.events, id, agencyId))
    const agency = await loadAgency()
    if (!isOwn || post.deleted || !(post.clientId in agency.clients)) throw notFound('This post')
    const { state: client } = await commands.loadClient(post.clientId)
    const account = client.accounts[post.accountId] ?? null
    const now = clock.now()
    const attempts = attemptsOf(events)
    const open = post.delivery === 'unknown' ? attempts.at(-1) : undefined
    const said = whyNot(post, causeOf(events), { account, now, standing: standingOf(agency, now) })
    const abilities: readonly string[] = abilitiesFor(
      post,
      actingIn(agency, by.actor, post.clientId),
      approvalsIn(agency, post.clientId, client.approvalPolicy),
    )
    return {
      body: {
        ...said,
        act: isFor(said.act, abilities, me.role) ? said.act : null,
        attempts,
        evidence: open
          ? evidenceOf({ platform: post.platform, attemptedAt: open.at }, await outcomeLooks.of(open.attemptId), now)
          : null,
      },
    }
  },
})

/** Whether the member may do what helps: acts on the post as its `can` says, connecting by the route's least role. */
function isFor(act: PostDelivery['act'], abilities: readonly string[], role: MemberRole): boolean {
  if (act === null || act === 'wait' || act === 'check') return true
  return act === 'reconnect' ? isAtLeast(role, routes.connectSocialAccount.needs) : abilities.includes(act)
}

/** Reads the post and its publishing events. Of another agency's post, only the first events are read. */
async function publishingOf(store: EventStore, id: string, agencyId: string) {
  const seen: Recorded[] = []
  let post = initialPost
  for await (const event of eventsIn(store, `post-${id}`)) {
    if (event.metadata.agencyId !== agencyId) break
    post = evolvePost(post, event as PostEvent)
    if (publishing.has(event.type)) seen.push(event)
    if (seen.length > 2 * maxAttempts) seen.splice(0, maxAttempts)
  }
  return { post, events: seen.slice(-maxAttempts), isOwn: post.exists }
}

interface Said extends Fact {
  readonly metadata: { readonly at: Instant }
}

/** Every attempt with its outcome, oldest first. */
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
        attempts.push({
          attemptId,
          number,
          at: metadata.at,
          endedAt: null,
          outcome: 'under-way',
          cause: null,
          remedy: null,
          retryAt: null,
          url: null,
        })
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
