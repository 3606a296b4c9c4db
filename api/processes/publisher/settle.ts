/** Settles attempts without a recorded outcome: they become unknown and are then looked up, never sent again. */
import { backoffMs } from '../../core/backoff.ts'
import { later } from '../../core/clock.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import { NetworkError, type LookUp } from '../../networks/port.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Job } from '../lanes.ts'
import type { PublisherConfig } from './config.ts'
import { Attribution } from './attribution.ts'
import { accountOf, asPublisher, type PublisherPorts } from './ports.ts'
import { loggerForPost } from './logger-for-post.ts'
import { submissionOf } from './submission.ts'

interface Looked {
  readonly times: number
  readonly nextAt: string
}

const maxAtOnce = 2_000
const looksForAnId = 5
/**
 * Our clock may have been ahead by this much when the attempt began, while the network dates the copy by its own clock:
 * an overlooked copy would be sent twice. Earlier copies of other posts are told apart by their ids.
 */
const clockErrorMs = 65 * 60_000

export class Settlement {
  /** By attempt: the number of look-ups since the start. */
  readonly #looked = new Map<string, Looked>()
  readonly #attribution: Attribution

  constructor(
    private readonly ports: PublisherPorts,
    private readonly config: PublisherConfig,
  ) {
    this.#attribution = new Attribution(ports)
  }

  /** Claims from before the restart: no process will record their outcome. */
  inherit(): Promise<void> {
    return this.#giveUp((post, now) => this.config.ownsAllClaims || isOver(post, now))
  }

  /** Expired claims, except those that this process is still handling. */
  sweep(isInFlight: (postId: string) => boolean): Promise<void> {
    return this.#giveUp((post, now) => isOver(post, now) && !isInFlight(post.id))
  }

  async #giveUp(isLost: (post: DuePostView, now: string) => boolean): Promise<void> {
    const { commands, views, clock } = this.ports
    const now = clock.now()
    for (const post of await views.duePosts.all({ where: { delivery: 'claimed' } }, maxAtOnce)) {
      if (post.attemptId === null || !isLost(post, now)) continue
      const cause = 'Publishing was interrupted, so it is not known whether the post went out.'
      const by = asPublisher(post, post.attemptId)
      const result = await commands.post(
        post.id,
        { type: 'RecordOutcomeUnknown', attemptId: post.attemptId, cause },
        by,
      )
      if (!('refused' in result))
        (await loggerForPost(this.ports, post.id)).warn(
          { attemptId: post.attemptId },
          'Recorded an interrupted attempt as unknown; the publisher will look it up',
        )
    }
  }

  /** One job for each unknown outcome that is due for a look-up, by social account. */
  async due(): Promise<ReadonlyMap<string, readonly Job[]>> {
    const { views, clock } = this.ports
    const now = clock.now()
    const jobs = new Map<string, Job[]>()
    const open = new Set<string>()
    for (const post of await views.duePosts.all({ where: { delivery: 'unknown' } }, maxAtOnce)) {
      const { attemptId } = post
      if (attemptId === null) continue
      open.add(attemptId)
      const looked = this.#looked.get(attemptId)
      if (looked && looked.nextAt > now) continue
      const job = async () => {
        try {
          await this.#settle(post, attemptId)
        } catch (error) {
          const log = await loggerForPost(this.ports, post.id)
          log.error({ attemptId, err: error }, 'Could not look up the outcome of an attempt')
          this.#again(attemptId)
        }
        return true
      }
      jobs.set(post.accountId, [...(jobs.get(post.accountId) ?? []), job])
    }
    for (const attemptId of this.#looked.keys()) if (!open.has(attemptId)) this.#looked.delete(attemptId)
    return jobs
  }

  async #settle(due: DuePostView, attemptId: string): Promise<void> {
    const { commands, clock } = this.ports
    const { state: post } = await commands.loadPost(due.id)
    // The view may lag behind: the outcome may be settled already.
    if (post.delivery !== 'unknown' || post.attemptId !== attemptId) return this.#again(attemptId)
    const since = due.claimedAt ?? clock.now()
    const found = await this.#lookUp(due, post, later(since, -clockErrorMs))
    const by = asPublisher(due, attemptId)
    const log = (await loggerForPost(this.ports, due.id)).child({ attemptId })
    if (found.kind === 'undecided') {
      // The post is certainly live; after some look-ups the publisher records it without URL and figures.
      if (found.isLive && (this.#looked.get(attemptId)?.times ?? 0) >= looksForAnId) {
        await commands.post(due.id, { type: 'ResolveAsLive', url: null, remoteId: null }, by)
        return this.#again(attemptId)
      }
      log.info({ cause: found.cause }, 'Looked up an unknown outcome: it is still unknown')
      return this.#again(attemptId)
    }
    const attributed = await this.#attribution.attribute(due, post, found.candidates)
    if (attributed.kind === 'not-yet') return this.#again(attemptId, later(clock.now(), this.config.firstLookUpMs))
    if (attributed.kind === 'mine') {
      const { remoteId, url } = attributed.candidate
      await commands.post(due.id, { type: 'ResolveAsLive', url, remoteId }, by)
      log.info({ remoteId }, 'Looked up an unknown outcome: the post is live')
      return this.#again(attemptId)
    }
    const acceptable = later(since, this.config.believeAbsentAfterMs)
    if (clock.now() < acceptable) return this.#again(attemptId, acceptable)
    await commands.post(due.id, { type: 'ResolveAsNotLive' }, by)
    log.info('Looked up an unknown outcome: the post is not live')
    this.#again(attemptId)
  }

  async #lookUp(due: DuePostView, post: Post, since: string): Promise<LookUp> {
    const { connections, networks, images } = this.ports
    try {
      const connection = await connections.usable(accountOf(due), this.config.attemptMs)
      if (!connection) return { kind: 'undecided', cause: 'The account is not connected.' }
      const { remoteId } = connection
      if (remoteId !== (post.approval?.remoteAccountId ?? remoteId))
        return { kind: 'undecided', cause: 'The account is connected to another profile.' }
      const submission = await submissionOf(images, post, connection)
      if (typeof submission === 'string') return { kind: 'undecided', cause: submission }
      return await networks[due.platform].lookUp(submission, post.prepared, since)
    } catch (error) {
      if (error instanceof NetworkError) return { kind: 'undecided', cause: error.message }
      throw error
    }
  }

  /** Schedules the next look-up after the backoff; a wait until a given instant doesn't count as a look-up. */
  #again(attemptId: string, at?: string): void {
    const { firstLookUpMs, longestLookUpMs } = this.config
    const times = (this.#looked.get(attemptId)?.times ?? 0) + (at === undefined ? 1 : 0)
    const { maxLookUps, rareLookUpMs } = this.config
    // From here on a user is asked; rare look-ups continue, in case the account is connected again days later.
    const wait = times >= maxLookUps ? rareLookUpMs : backoffMs(times, firstLookUpMs, longestLookUpMs)
    const soon = later(this.ports.clock.now(), wait)
    this.#looked.set(attemptId, { times, nextAt: at !== undefined && at < soon ? at : soon })
  }
}

const isOver = ({ until }: DuePostView, now: string) => until !== null && until < now
