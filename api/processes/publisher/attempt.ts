/** One attempt to publish one post: claim it, send it once, and record the one thing that came of it. */
import { v7 as uuidv7 } from 'uuid'
import type { HoldReason, PostCommand } from '../../../domain/post/commands.ts'
import type { PostRefusal } from '../../../domain/post/rules.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import { later } from '../../clock.ts'
import type { StaleRevision } from '../../handle.ts'
import type { Connection, Outcome } from '../../networks/port.ts'
import { history } from '../../streams.ts'
import { pause } from '../loop.ts'
import type { PublisherConfig } from './config.ts'
import { asPublisher, type Attributions, type PublisherPorts } from './ports.ts'

/** `left`: it wasn't this publisher's to send, or not yet. `account-waits`: nor are the account's others before then. */
export type Attempted =
  | { readonly kind: 'sent' | 'held' | 'left' }
  | { readonly kind: 'account-waits'; readonly until: string }

type Refused = PostRefusal | StaleRevision

/** What a refused claim says about the post; the others say that somebody else has it, or that it isn't due. */
const holds: Readonly<Partial<Record<Refused['reason'], HoldReason>>> = {
  'subscription-needed': 'subscription-needed',
  'not-connected': 'not-connected',
  'not-what-was-approved': 'changed-account',
}

export class Attempts {
  constructor(
    private readonly ports: PublisherPorts,
    private readonly config: PublisherConfig,
    private readonly known: Attributions,
  ) {}

  /** @throws Error when a store can't be reached: then nothing was sent, or what came of it is looked up later */
  async make(due: DuePostView): Promise<Attempted> {
    const { handler, clock, vault } = this.ports
    const now = clock.now()
    if (due.dueAt !== null && due.dueAt < later(now, -this.config.holdAfterMinutes * 60_000)) return this.#hold(due, 'overdue')
    const connection = await vault.get(due.accountId)
    if (!connection) return this.#withoutKeys(due)

    const attemptId = uuidv7()
    const claim = { type: 'ClaimPost', attemptId, until: later(now, this.config.attemptMs) } as const
    const claimed = await handler.post(due.id, claim, asPublisher(due, attemptId))
    if ('refused' in claimed) {
      const because = holds[claimed.refused.reason]
      return because ? this.#hold(due, because) : { kind: 'left' }
    }
    const outcome = await this.#send(due, claimed.state, connection, now)
    return this.#record(due, attemptId, outcome)
  }

  async #send(due: DuePostView, { approval, content, imageUrl }: Post, { tokens, remoteId }: Connection, claimedAt: string): Promise<Outcome> {
    const { handler, networks, clock } = this.ports
    const account = (await handler.loadClient(due.clientId)).state.accounts[due.accountId]
    if (remoteId !== (approval?.remoteAccountId ?? account?.remoteId)) return notSent('The account was just connected to another profile.')
    // A process that slept between claim and sending no longer owns the attempt.
    if (clock.now() > later(claimedAt, this.config.attemptMs / 2)) return notSent('The attempt began too late.')
    try {
      return await networks[due.platform].publish({ tokens, remoteId, content, imageUrl })
    } catch (error) {
      this.ports.log.error({ postId: due.id, err: error }, 'a connector threw while publishing')
      return { kind: 'unknown', cause: 'The network could not be asked to the end.' }
    }
  }

  async #record(due: DuePostView, attemptId: string, outcome: Outcome): Promise<Attempted> {
    if (outcome.kind === 'accepted') {
      const { remoteId, url } = outcome
      this.known.add(remoteId, due.id)
      await this.#surely(due, attemptId, { type: 'ConfirmPublished', attemptId, remoteId, url })
      return { kind: 'sent' }
    }
    const { cause } = outcome
    if (outcome.kind === 'unknown') {
      await this.#surely(due, attemptId, { type: 'RecordOutcomeUnknown', attemptId, cause })
      return { kind: 'sent' }
    }
    const { final, retryAfterSeconds } = outcome
    const { maxAttempts, firstRetryMs, longestRetryMs } = this.config
    const tries = await this.#tries(due.id)
    if (final || (retryAfterSeconds === null && tries >= maxAttempts)) {
      await this.#surely(due, attemptId, { type: 'RecordPublishingFailed', attemptId, cause })
      return { kind: 'sent' }
    }
    const backOff = Math.min(firstRetryMs * 2 ** Math.max(0, tries - 1), longestRetryMs)
    const wait = retryAfterSeconds === null ? backOff : Math.max(1, retryAfterSeconds) * 1000
    const retryAt = later(this.ports.clock.now(), wait)
    await this.#surely(due, attemptId, { type: 'RecordPublishingRejected', attemptId, cause, retryAt })
    return retryAfterSeconds === null ? { kind: 'sent' } : { kind: 'account-waits', until: retryAt }
  }

  /** A store that is away for a moment must not turn a known outcome into an unknown one. */
  async #surely(due: DuePostView, attemptId: string, command: PostCommand): Promise<void> {
    const { handler, log } = this.ports
    for (let left = 3; ; left--) {
      try {
        const result = await handler.post(due.id, command, asPublisher(due, attemptId))
        if ('refused' in result) log.warn({ postId: due.id, refused: result.refused.reason }, `${command.type} came too late`)
        return
      } catch (error) {
        if (left === 0) throw error
        await pause(200)
      }
    }
  }

  async #hold(due: DuePostView, because: HoldReason): Promise<Attempted> {
    const held = await this.ports.handler.post(due.id, { type: 'HoldPost', because }, asPublisher(due, uuidv7()))
    return { kind: 'refused' in held ? 'left' : 'held' }
  }

  /** A removed client's keys are gone already, and its posts are about to be. */
  async #withoutKeys(due: DuePostView): Promise<Attempted> {
    const { state: agency } = await this.ports.handler.loadAgency(due.agencyId)
    return due.clientId in agency.clients ? this.#hold(due, 'not-connected') : { kind: 'left' }
  }

  /** Attempts since somebody last gave the post its way. */
  async #tries(postId: string): Promise<number> {
    let tries = 0
    for (const { type } of await history(this.ports.handler.streams.store, `post-${postId}`)) {
      if (type === 'PostClaimed') tries += 1
      else if (restarts.has(type)) tries = 0
    }
    return tries
  }
}

const restarts = new Set(['PostApproved', 'PostScheduled', 'PostRetried', 'PostReleased'])

const notSent = (cause: string): Outcome => ({ kind: 'rejected', cause, final: false, retryAfterSeconds: null })
