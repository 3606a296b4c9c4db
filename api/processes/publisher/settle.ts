/**
 * Settles attempts without a recorded outcome: they become unknown and are then looked up. A look-up finds a post live.
 * Only what the network or the log proves is not live is sent again; otherwise a user decides.
 */
import type { Instant } from '../../../domain/core/event.ts'
import { clockDifferenceMs, isOfFuture, later } from '../../core/clock.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import { NetworkError, type LookUp } from '../../networks/port.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Job } from '../lanes.ts'
import type { PublisherConfig } from './config.ts'
import { StoreUnavailable } from '../../../domain/event-store/port.ts'
import { Attribution } from './attribution.ts'
import { Backoff } from './backoff.ts'
import { ClaimsSeen } from './claims-seen.ts'
import { accountOf, asPublisher, elapsedOf, type PublisherPorts } from './ports.ts'
import { hour, nextLookUp, sentBy } from './look-ups.ts'
import { OutcomeLooks, type Look } from '../../features/posts/outcome-looks.ts'
import { loggerForPost } from './logger-for-post.ts'
import { submissionOf } from './submission.ts'

const maxAtOnce = 2_000
const againMs = 2_000
const settledMeanwhile = 'Looked up an unknown outcome: the attempt was settled meanwhile'
/**
 * Our clock may have been ahead by this much when the attempt began, while the network dates the copy by its own clock:
 * a live post would be overlooked. Earlier copies of other posts are told apart by their ids.
 */
const clockErrorMs = 65 * 60_000

type Looked = Pick<Look, 'at' | 'nextAt'>

export class Settlement {
  /** By attempt: the last look-up, and the next one. */
  readonly #looked = new Map<string, Looked>()
  readonly #attribution: Attribution
  readonly #looks: OutcomeLooks
  readonly #claimsSeen: ClaimsSeen
  readonly #backoff = new Backoff()

  constructor(
    private readonly ports: PublisherPorts,
    private readonly config: PublisherConfig,
  ) {
    this.#attribution = new Attribution(ports)
    this.#looks = new OutcomeLooks(ports.records)
    this.#claimsSeen = new ClaimsSeen(elapsedOf(ports), config)
  }

  /** Claims from before the restart: no process will record their outcome. */
  inherit(): Promise<void> {
    return this.#giveUp((post, now) => this.config.ownsAllClaims || this.#isOver(post, now))
  }

  /** Expired claims, except those that this process is still handling. */
  sweep(isInFlight: (postId: string) => boolean): Promise<void> {
    return this.#giveUp((post, now) => this.#isOver(post, now) && !isInFlight(post.id))
  }

  #isOver(post: DuePostView, now: Instant): boolean {
    const { until } = post
    return until !== null && (this.#reached(later(until, 1), now) || this.#claimsSeen.isOver(post))
  }

  /** By the clock that noted the instant, which may be behind this one while its publisher is still sending. */
  #reached(at: Instant, now: Instant): boolean {
    return now >= (this.config.ownsAllClaims ? at : later(at, clockDifferenceMs))
  }

  async #giveUp(isLost: (post: DuePostView, now: string) => boolean): Promise<void> {
    const { views, clock } = this.ports
    const now = clock.now()
    const claimed = await views.duePosts.all({ where: { delivery: 'claimed' } }, maxAtOnce)
    this.#claimsSeen.see(claimed)
    for (const post of claimed) {
      const { id, attemptId } = post
      if (attemptId === null || !isLost(post, now) || this.#backoff.isActive(id)) continue
      try {
        await this.#giveUpOne(post, attemptId)
      } catch (error) {
        // One post's own error must not keep the others from being given up, and thereby from being sent.
        if (error instanceof StoreUnavailable) throw error
        const log = await loggerForPost(this.ports, id)
        log.error({ attemptId, err: error }, 'Could not record an interrupted attempt as unknown')
        this.#backoff.failed(id)
      }
    }
  }

  async #giveUpOne(post: DuePostView, attemptId: string): Promise<void> {
    const cause = 'Publishing was interrupted, so it is not known whether the post went out.'
    const command = { type: 'RecordOutcomeUnknown', attemptId, cause } as const
    const result = await this.ports.commands.post(post.id, command, asPublisher(post, attemptId))
    if (!('refused' in result))
      (await loggerForPost(this.ports, post.id)).warn(
        { attemptId },
        'Recorded an interrupted attempt as unknown; the publisher will look it up',
      )
  }

  /** One job for each unknown outcome that is due for a look-up, by social account. */
  async due(): Promise<ReadonlyMap<string, readonly Job[]>> {
    const { views, clock } = this.ports
    const now = clock.now()
    const jobs = new Map<string, Job[]>()
    const open = new Set<string>()
    // Newest first: outcomes that stay unknown for ever must not hide those that a look-up may still settle.
    const query = { where: { delivery: 'unknown' }, sort: { field: 'claimedAt', order: 'desc' } } as const
    // An account's oldest first: of equal texts, the earlier copy belongs to the earlier post.
    for (const post of (await views.duePosts.all(query, maxAtOnce)).toReversed()) {
      const { attemptId } = post
      if (attemptId === null) continue
      open.add(attemptId)
      if (isEarly(this.#looked.get(attemptId), now)) continue
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
    const now = clock.now()
    const last = await this.#looks.of(attemptId)
    // Another worker, or this one before its restart, looked already.
    if (last && isEarly(last, now)) return void this.#looked.set(attemptId, last)
    const claimedAt = due.claimedAt ?? now
    const began = claimedAt < now ? claimedAt : now
    const since = later(began, -clockErrorMs)
    const found = await this.#lookUp(due, post, since)
    const log = (await loggerForPost(this.ports, due.id)).child({ attemptId })
    if (found.kind === 'absent' && (!wasSent(post) || this.#reached(sentBy(claimedAt, this.config), now))) {
      const result = await commands.post(due.id, { type: 'ResolveAsNotLive', attemptId }, asPublisher(due, attemptId))
      if ('refused' in result) log.info(settledMeanwhile)
      else log.info('Looked up an unknown outcome: the post is provably not live')
      return this.#again(attemptId)
    }
    const live = await this.#liveAs(due, post, found, { claimedAt, since })
    if (live === 'not-yet') return this.#again(attemptId)
    if (live) {
      const { remoteId, url } = live
      const command = { type: 'ResolveAsLive', attemptId, url, remoteId } as const
      const result = await commands.post(due.id, command, asPublisher(due, attemptId))
      if ('refused' in result) log.info(settledMeanwhile)
      else log.info({ remoteId }, 'Looked up an unknown outcome: the post is live')
      return this.#again(attemptId)
    }
    const cause = found.kind === 'undecided' ? found.cause : null
    log.info({ cause }, 'Looked up an unknown outcome: it is still unknown')
    const nextAt = nextLookUp(claimedAt, now, this.config)
    await this.#looks.add({ id: attemptId, at: now, cause, nextAt })
    this.#looked.set(attemptId, { at: now, nextAt })
  }

  /** How the network shows that the post is live; null if it does not. */
  async #liveAs(
    due: DuePostView,
    post: Post,
    found: LookUp,
    { claimedAt, since }: { readonly claimedAt: Instant; readonly since: Instant },
  ) {
    if (found.kind === 'undecided') {
      // The post is certainly live. If it is never listed, the publisher records it without address and figures.
      const isNeverListed = this.ports.clock.now() >= later(sentBy(claimedAt, this.config), hour)
      return found.isLive && isNeverListed ? { url: null, remoteId: null } : null
    }
    if (found.kind === 'absent') return null
    const attributed = await this.#attribution.attribute(due, post, found.candidates, since)
    if (attributed.kind === 'mine') return attributed.candidate
    return attributed.kind === 'not-yet' ? 'not-yet' : null
  }

  async #lookUp(due: DuePostView, post: Post, since: string): Promise<LookUp> {
    if (!wasSent(post)) return { kind: 'absent' }
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

  /** Not a scheduled look-up: for a view that lags, a rival that is being sent, or an error on this server. */
  #again(attemptId: string): void {
    const at = this.ports.clock.now()
    this.#looked.set(attemptId, { at, nextAt: later(at, againMs) })
  }
}

/** A look-up from the future comes from a clock that ran ahead: what followed from it is wrong too. */
const isEarly = (looked: Looked | undefined, now: Instant) =>
  looked !== undefined && !isOfFuture(looked.at, now) && (looked.nextAt === null || looked.nextAt > now)

/** An image's upload is recorded before the post is sent, and refused once the attempt is given up. */
const wasSent = ({ imageUrl, prepared }: Post) => imageUrl === null || prepared.length > 0
