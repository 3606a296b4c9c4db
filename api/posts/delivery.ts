/** "Why isn't it posted?": each attempt to publish a post, what came of it, and the next safe act. */
import { standingOf } from '../../domain/agency/decider.ts'
import type { SocialAccount } from '../../domain/client/decider.ts'
import type { Fact, Instant } from '../../domain/core/event.ts'
import type { Standing } from '../../domain/core/values.ts'
import type { HoldReason, Remedy } from '../../domain/post/commands.ts'
import type { PostEvent } from '../../domain/post/events.ts'
import { evolvePost, initialPost, type Post } from '../../domain/post/state.ts'
import type { Attempt, PostDelivery } from '../contract/index.ts'
import type { Handler } from '../handle.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/problem.ts'
import { subscriptionSentence } from '../http/sentences.ts'
import { networkNames } from '../contract/network-names.ts'
import { history } from '../streams.ts'
import type { Clock } from '../clock.ts'

export const deliveryHandlers = ({ handler, clock }: { readonly handler: Handler; readonly clock: Clock }): Handlers<'getPostDelivery'> => ({
  async getPostDelivery({ agencyId, loadAgency, params: { id } }) {
    const events = await history(handler.ports.events, `post-${id}`)
    const post = events.reduce<Post>((state, event) => evolvePost(state, event as PostEvent), initialPost)
    const agency = await loadAgency()
    const isKnown = events[0]?.metadata.agencyId === agencyId && !post.deleted && post.clientId in agency.clients
    if (!isKnown) throw notFound('This post')
    const account = (await handler.loadClient(post.clientId)).state.accounts[post.accountId] ?? null
    const now = clock.now()
    return { body: { ...whyNot(post, account, causeOf(events), { now, standing: standingOf(agency, now) }), attempts: attemptsOf(events) } }
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

interface Circumstances {
  readonly now: Instant
  readonly standing: Standing
}

interface Cause {
  readonly cause: string | null
  readonly remedy: Remedy | null
  readonly because: HoldReason | null
}

/** What was last said about why it isn't live. */
function causeOf(events: readonly Fact[]): Cause {
  let last: Cause = { cause: null, remedy: null, because: null }
  for (const fact of events) {
    const event = fact as PostEvent
    if (event.type === 'PublishingRejected' || event.type === 'PublishingFailed') last = { ...last, cause: event.data.cause, remedy: event.data.remedy ?? null }
    else if (event.type === 'PublishingOutcomeUnknown') last = { ...last, cause: event.data.cause }
    else if (event.type === 'PostHeld') last = { ...last, because: event.data.because }
  }
  return last
}

const heldSentences: Readonly<Record<HoldReason, string>> = {
  overdue: 'Its time passed more than an hour ago, so we ask before it goes out.',
  'subscription-needed': 'It is held because the trial or subscription has ended.',
  'not-connected': 'Its account is not connected. Connect it, then release the post.',
  'changed-account': 'Its account is connected to another profile than the one it was approved for. Return it to drafts and approve it again.',
}

/** Once what it was held for is over. */
const overSentences: Readonly<Record<HoldReason, string>> = {
  overdue: heldSentences.overdue,
  'subscription-needed': 'It was held because the trial or subscription had ended. You can release it now.',
  'not-connected': 'It was held because its account was not connected. It is connected now, so you can release the post.',
  'changed-account': 'It was held because its account was connected to another profile. It is the right one again, so you can release the post.',
}

const actsAfter: Readonly<Record<Remedy, PostDelivery['act']>> = { wait: 'retry', reconnect: 'reconnect', edit: 'return-to-draft', check: 'check' }

const remedySentences: Readonly<Record<Remedy, string>> = {
  wait: 'You can try again.',
  reconnect: 'Connect the account again, then try again.',
  edit: 'Return it to drafts, change it, and approve it again.',
  check: 'Look at the profile first: the post may be live already.',
}

/** What helps is not said twice: some causes end with it. */
function withAdvice(cause: string, remedy: Remedy): string {
  if (remedy === 'reconnect' && /\bconnect\b/i.test(cause)) return /try again/i.test(cause) ? cause : `${cause} Then try again.`
  if (remedy === 'check' && /look at the profile/i.test(cause)) return `${cause} The post may be live already.`
  return `${cause} ${remedySentences[remedy]}`
}

/** Why a post isn't live, or that it is, in plain words, and the one act that helps. */
export function whyNot(post: Post, account: SocialAccount | null, { cause, remedy, because }: Cause, { now, standing }: Circumstances): Omit<PostDelivery, 'attempts'> {
  const { status, delivery, approval, scheduledFor, retryAt, url, platform } = post
  const say = (sentence: string, act: PostDelivery['act'] = null, at: Instant | null = null) => ({ sentence, act, at })
  const name = networkNames[platform]
  if (status === 'published') return say(url === null ? `It is live on ${name}.` : `It is live on ${name}, at the address below.`)
  if (status === 'draft' || status === 'rejected') return say('It is not on its way: only approved or scheduled posts are published.')
  if (status === 'pending') return say('It waits for review.', 'approve')
  // The account is taken away only with its client, and its posts with that.
  const isConnected = account === null || account.isConnected
  const isOther = approval !== null && approval.remoteAccountId !== null && isConnected && account !== null && account.remoteId !== approval.remoteAccountId
  switch (delivery) {
    case 'claimed':
      return say('It is being published right now.')
    case 'unknown':
      return say(`${cause ?? 'The network gave no answer.'} We keep looking for it on ${name} and never send it twice. If you can see it there, or are sure that it is not, tell us.`, 'resolve')
    case 'held':
      return held(because ?? 'overdue')
    case 'failed':
      return failed(cause ?? `${name} refused it.`, remedy ?? 'wait')
    case 'rejected':
      return inTheWay() ?? say(`${cause ?? `${name} turned it down.`} We try again by ourselves.`, 'wait', retryAt)
    case 'none':
      return onItsWay()
  }

  function held(reason: HoldReason) {
    const isOver = { overdue: false, 'subscription-needed': true, 'not-connected': isConnected, 'changed-account': isConnected && !isOther }[reason]
    if (standing !== 'good') return say(subscriptionSentence[standing])
    if (isOther) return say(heldSentences['changed-account'], 'return-to-draft')
    if (reason === 'changed-account' && !isConnected) return say(heldSentences['not-connected'], 'reconnect')
    return isOver ? say(overSentences[reason], 'release') : say(heldSentences[reason], reason === 'not-connected' ? 'reconnect' : 'release')
  }

  function failed(why: string, helps: Remedy) {
    if (helps === 'reconnect' && isConnected) return say(`${why.replace(/ ?Connect (it|the account)( again)?\b.*$/, '')} It is connected again by now, so you can try again.`.trim(), 'retry')
    return say(withAdvice(why, helps), actsAfter[helps])
  }

  /** What would hold it when its time comes. */
  function inTheWay() {
    if (!isConnected) return say('Its account is not connected, so it would be held. Connect it first.', 'reconnect')
    if (isOther) return say('Its account is connected to another profile than the one it was approved for, so it would be held. Return it to drafts and approve it again.', 'return-to-draft')
    return standing === 'good' ? null : say(`${subscriptionSentence[standing]} Until then its posts are held when their time comes.`)
  }

  function onItsWay() {
    const obstacle = inTheWay()
    if (obstacle) return obstacle
    if (scheduledFor !== null && scheduledFor > now) return say('It goes out at its time.', 'wait', scheduledFor)
    const pausedUntil = account?.pausedUntil ?? null
    if (pausedUntil !== null && pausedUntil > now) return say(`${name} asked us to slow down, so this account's posts wait. It keeps its turn.`, 'wait', pausedUntil)
    return say('It is due and goes out in a moment.', 'wait')
  }
}
