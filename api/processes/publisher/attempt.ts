/** One attempt to publish one post: claim it, prepare its media, send it once, and append its single outcome. */
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { standingOf } from '../../../domain/agency/state.ts'
import { plausibleEnd } from '../../../domain/core/waits.ts'
import type { PostCommand, PublisherHoldReason } from '../../../domain/post/commands.ts'
import type { PostRefusal } from '../../../domain/post/rules.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { LogBudgetUsedUp } from '../../core/log-budget.ts'
import { backoffMs } from '../../core/backoff.ts'
import { later } from '../../core/clock.ts'
import type { StaleRevision } from '../../core/command-handler.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { VaultError } from '../../networks/token-cipher.ts'
import { ConnectionLost, NetworkError, type Connection, type Outcome, type Rejection } from '../../networks/port.ts'
import { eventsIn } from '../../core/aggregates.ts'
import { pause } from '../../../projections/core/pause.ts'
import type { MediaPreparer } from './media-preparer.ts'
import type { PublisherConfig } from './config.ts'
import { accountOf, asPublisher, elapsedOf, type PublisherPorts } from './ports.ts'
import { restarts, loggerForPost } from './logger-for-post.ts'
import { submissionOf } from './submission.ts'

/** `left`: not claimed by this publisher. `account-waits`: the account's other posts must wait until then too. */
export type Attempted =
  | { readonly kind: 'sent' | 'held' | 'left' }
  | { readonly kind: 'account-waits'; readonly until: string }

type Refused = PostRefusal | StaleRevision | LogBudgetUsedUp

/** Refusals of a claim that put the post on hold; after any other, another publisher has it or it isn't due. */
const holds: Readonly<Partial<Record<Refused['reason'], PublisherHoldReason>>> = {
  'subscription-needed': 'subscription-needed',
  'not-connected': 'not-connected',
  'not-what-was-approved': 'changed-account',
}

/** An attempt that this publisher has claimed. */
interface Claimed {
  readonly due: DuePostView
  readonly attemptId: string
  readonly post: Post
  /**
   * Whether sending may still start, by both clocks: a process that was suspended for longer no longer owns the
   * attempt, and the time of day may have been set back meanwhile.
   */
  readonly mayStartSending: () => boolean
  readonly log: Logger
}

export class Attempts {
  constructor(
    private readonly ports: PublisherPorts,
    private readonly config: PublisherConfig,
    private readonly ahead: MediaPreparer,
  ) {}

  /** @throws Error when a store is unavailable: either nothing was sent, or the outcome is looked up later */
  async make(due: DuePostView): Promise<Attempted> {
    const { commands, clock } = this.ports
    const now = clock.now()
    if (await this.#isOverdue(due, now)) {
      // A post that is late because of a missing payment is released by the payment.
      const { state: agency } = await commands.loadAgency(due.agencyId)
      return this.#hold(due, standingOf(agency, now) === 'good' ? 'overdue' : 'subscription-needed')
    }

    const attemptId = uuidv7()
    const log = (await loggerForPost(this.ports, due.id)).child({ attemptId })
    const elapsed = elapsedOf(this.ports)
    const begunAt = elapsed()
    const claim = { type: 'ClaimPost', attemptId, until: later(now, this.config.attemptMs) } as const
    const claimed = await commands.post(due.id, claim, asPublisher(due, attemptId))
    if ('refused' in claimed) {
      const { refused } = claimed
      if (refused.reason === 'account-paused') return { kind: 'account-waits', until: refused.until }
      const because = holds[refused.reason]
      return because ? this.#hold(due, because) : { kind: 'left' }
    }
    const startsWithinMs = this.config.attemptMs / 2
    const mayStartSending = () => clock.now() <= later(now, startsWithinMs) && elapsed() - begunAt <= startsWithinMs
    const mine = { due, attemptId, post: claimed.state, mayStartSending, log }
    log.info('Started to publish a post')
    const connection = await this.#connect(mine)
    const outcome = 'kind' in connection ? connection : await this.#send(mine, connection)
    return this.#record(mine, outcome, 'kind' in connection ? null : connection)
  }

  /** A connection whose tokens stay valid for the longest possible attempt. */
  async #connect({ due, post, log }: Claimed): Promise<Connection | Rejection> {
    const { connections, commands } = this.ports
    try {
      const connection = await connections.usable(accountOf(due), this.config.attemptMs)
      if (!connection) return notSent('The account is not connected. Connect it, then try again.', 'reconnect')
      const { remoteId } = (await commands.loadClient(due.clientId)).state.accounts[due.accountId] ?? { remoteId: null }
      const isThatProfile = connection.remoteId === (post.approval?.remoteAccountId ?? remoteId)
      return isThatProfile ? connection : notSent('The account was just connected to another profile.')
    } catch (error) {
      if (error instanceof ConnectionLost) return notSent(error.message, 'reconnect')
      if (error instanceof NetworkError) return notSent(error.message)
      return troubled(log, error)
    }
  }

  async #send({ due, attemptId, post, mayStartSending, log }: Claimed, connection: Connection): Promise<Outcome> {
    const { networks, clock, commands } = this.ports
    const network = networks[due.platform]
    let isSent = false
    try {
      const submission = await submissionOf(this.ports.images, post, connection)
      if (typeof submission === 'string') return notSent(submission, 'edit')
      const made = this.ahead.take(due.id, post)
      const prepared = made ? ({ kind: 'ready', media: made } as const) : await network.prepare(submission)
      if (prepared.kind === 'rejected') return prepared
      const { media } = prepared
      if (media.length > 0) {
        const recorded = await commands.post(
          due.id,
          { type: 'RecordPrepared', attemptId, media },
          asPublisher(due, attemptId),
        )
        if ('refused' in recorded) return notSent('The attempt was given up meanwhile.')
      }
      log.info({ media: media.length }, 'Prepared the media on the network')
      if (!mayStartSending()) return notSent('The attempt began too late.')
      if (clock.now() < (post.scheduledFor ?? ''))
        return notSent('The clock was set back, and its time has not come yet.')
      isSent = true
      return await network.publish(submission, media)
    } catch (error) {
      if (!isSent) return troubled(log, error)
      log.error({ err: error }, 'The connector threw an error while publishing')
      return { kind: 'unknown', cause: 'The network could not be asked to the end.' }
    }
  }

  async #record(mine: Claimed, outcome: Outcome, connection: Connection | null): Promise<Attempted> {
    const { due, attemptId, log } = mine
    log.info(
      outcome.kind === 'accepted'
        ? { outcome: outcome.kind, remoteId: outcome.remoteId }
        : { outcome: outcome.kind, cause: outcome.cause },
      'Finished an attempt to publish',
    )
    if (outcome.kind === 'accepted') {
      const { remoteId, url } = outcome
      await this.#surely(mine, { type: 'ConfirmPublished', attemptId, remoteId, url })
      return { kind: 'sent' }
    }
    const { cause } = outcome
    if (outcome.kind === 'unknown') {
      await this.#surely(mine, { type: 'RecordOutcomeUnknown', attemptId, cause })
      return { kind: 'sent' }
    }
    const tries = await this.#tries(due.id)
    const remedy = await this.#remedyOf(due, outcome, connection, tries)
    const { retryAfterSeconds } = outcome
    const { maxAttempts, firstRetryMs, longestRetryMs } = this.config
    if (remedy !== 'wait' || (retryAfterSeconds === null && tries >= maxAttempts)) {
      await this.#surely(mine, { type: 'RecordPublishingFailed', attemptId, cause, remedy })
      return { kind: 'sent' }
    }
    const wait =
      retryAfterSeconds === null
        ? backoffMs(tries, firstRetryMs, longestRetryMs)
        : Math.max(1, retryAfterSeconds) * 1000
    const waitUntil = later(this.ports.clock.now(), wait)
    // Never before the planned time, even if the clock was set back meanwhile.
    const retryAt =
      mine.post.scheduledFor !== null && mine.post.scheduledFor > waitUntil ? mine.post.scheduledFor : waitUntil
    await this.#surely(mine, { type: 'RecordPublishingRejected', attemptId, cause, remedy, retryAt })
    if (retryAfterSeconds === null) return { kind: 'sent' }
    // Recorded once for the whole account, so that each of its posts can show why it waits.
    const pausing = { type: 'PauseSocialAccount', accountId: due.accountId, until: waitUntil, cause } as const
    await this.ports.commands.client(due.clientId, pausing, asPublisher(due, attemptId))
    return { kind: 'account-waits', until: waitUntil }
  }

  /** Rejected tokens are refreshed once, if possible; otherwise the connection is lost. */
  async #remedyOf(
    due: DuePostView,
    { remedy, cause }: Rejection,
    connection: Connection | null,
    tries: number,
  ): Promise<Rejection['remedy']> {
    if (remedy !== 'reconnect' || connection === null) return remedy
    const { connections } = this.ports
    const account = accountOf(due)
    const mayGo =
      tries === 1
        ? await connections.revive(account, connection, cause)
        : !(await connections.lost(account, connection, cause))
    return mayGo ? 'wait' : 'reconnect'
  }

  /** Retries, so that a briefly unavailable store does not turn a known outcome into an unknown one. */
  async #surely({ due, attemptId, log }: Claimed, command: PostCommand): Promise<void> {
    const { commands } = this.ports
    for (let left = 3; ; left--) {
      try {
        const result = await commands.post(due.id, command, asPublisher(due, attemptId))
        if ('refused' in result)
          log.warn({ refused: result.refused.reason }, `The post refused ${command.type}: the attempt is over`)
        return
      } catch (error) {
        if (left === 0) throw error
        await pause(200)
      }
    }
  }

  async #hold(due: DuePostView, because: PublisherHoldReason): Promise<Attempted> {
    const held = await this.ports.commands.post(due.id, { type: 'HoldPost', because }, asPublisher(due, uuidv7()))
    return { kind: 'refused' in held ? 'left' : 'held' }
  }

  /** A pause that the network asked for does not count: only other delays make a post overdue. */
  async #isOverdue({ clientId, accountId, dueAt }: DuePostView, now: string): Promise<boolean> {
    const longAgo = later(now, -this.config.holdAfterMinutes * 60_000)
    if (dueAt === null || dueAt >= longAgo) return false
    const account = (await this.ports.commands.loadClient(clientId)).state.accounts[accountId]
    return (plausibleEnd(account?.pausedUntil ?? null, now) ?? '') < longAgo
  }

  /** Attempts since a user last approved, scheduled, retried or released the post. */
  async #tries(postId: string): Promise<number> {
    let tries = 0
    for await (const { type } of eventsIn(this.ports.commands.ports.events, `post-${postId}`)) {
      if (type === 'PostClaimed') tries += 1
      else if (restarts.has(type)) tries = 0
    }
    return tries
  }
}

/** Nothing was sent: records the obstacle and retries. @throws StoreUnavailable: then it can't be recorded either */
function troubled(log: Logger, error: unknown): Rejection {
  if (error instanceof StoreUnavailable) throw error
  log.error({ err: error }, 'Could not prepare a post')
  if (error instanceof VaultError)
    return notSent("This server can't read the keys of the account. Ask its operator, or connect the account again.")
  return notSent('Something went wrong on this server before the post was sent. Ask its operator to look at the log.')
}

const notSent = (cause: string, remedy: Rejection['remedy'] = 'wait'): Rejection => ({
  kind: 'rejected',
  cause,
  remedy,
  retryAfterSeconds: null,
})
