/**
 * Media made ready before a post's time, so that only the one mutation is left when it comes. Nothing here is seen by
 * followers or written down: what a restart forgets is made again.
 */
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { Post } from '../../../domain/post/state.ts'
import { later } from '../../core/clock.ts'
import { NetworkError } from '../../networks/port.ts'
import { Lanes } from '../lanes.ts'
import type { PublisherConfig } from './config.ts'
import { accountOf, type PublisherPorts } from './ports.ts'
import { loggerForPost } from './logger-for-post.ts'
import { submissionOf } from './submission.ts'

interface Prepared {
  /** What it was made from: another text, image or profile makes it worthless. */
  readonly approval: string
  /** Null while it is being made, or when it could not be: the attempt itself will tell. */
  readonly media: readonly string[] | null
  readonly at: string
}

/** Networks keep unpublished media for a day. */
const freshMs = 12 * 3_600_000
const maxAtOnce = 1_000

export class MediaPreparer {
  readonly #prepared = new Map<string, Prepared>()
  readonly #lanes: Lanes

  constructor(
    private readonly ports: PublisherPorts,
    private readonly config: PublisherConfig,
  ) {
    this.#lanes = new Lanes(config.prepareConcurrency)
  }

  /** Begins to make ready what is due soon. */
  async look(): Promise<void> {
    const { views, clock } = this.ports
    const now = clock.now()
    const dueAt = { gte: now, lt: later(now, this.config.prepareAheadMs) }
    const byAccount = new Map<string, DuePostView[]>()
    for (const due of await views.duePosts.all({ where: { waiting: true, dueAt } }, maxAtOnce)) {
      if (!due.hasImage || this.#prepared.has(due.id)) continue
      byAccount.set(due.accountId, [...(byAccount.get(due.accountId) ?? []), due])
    }
    for (const [accountId, posts] of byAccount) {
      void this.#lanes.run(
        accountId,
        posts.map((due) => async () => this.#prepare(due, now)),
      )
    }
    const old = later(now, -freshMs)
    for (const [id, { at }] of this.#prepared) if (at < old) this.#prepared.delete(id)
  }

  /** What was made ready of a post as it was approved; null when there is nothing. It can be taken once. */
  take(postId: string, post: Post): readonly string[] | null {
    const prepared = this.#prepared.get(postId)
    this.#prepared.delete(postId)
    return prepared &&
      prepared.approval === post.approval?.hash &&
      prepared.at > later(this.ports.clock.now(), -freshMs)
      ? prepared.media
      : null
  }

  /** Settles when nothing is being made. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  async #prepare(due: DuePostView, at: string): Promise<boolean> {
    const { handler, connections, networks, images } = this.ports
    const { state: post } = await handler.loadPost(due.id)
    const approval = post.approval?.hash
    if (approval === undefined || post.delivery !== 'none' || this.#prepared.has(due.id)) return true
    this.#prepared.set(due.id, { approval, media: null, at })
    try {
      const connection = await connections.usable(accountOf(due), this.config.attemptMs)
      const submission = connection && (await submissionOf(images, post, connection))
      const isThatProfile = connection?.remoteId === (post.approval?.remoteAccountId ?? connection?.remoteId)
      if (!submission || typeof submission === 'string' || !isThatProfile) return true
      const ready = await networks[due.platform].prepare(submission)
      if (ready.kind === 'ready' && this.#prepared.has(due.id))
        this.#prepared.set(due.id, { approval, media: ready.media, at })
    } catch (error) {
      if (!(error instanceof NetworkError))
        (await loggerForPost(this.ports, due.id)).warn(
          { err: error },
          'media could not be made ready before their time',
        )
    }
    return true
  }
}
