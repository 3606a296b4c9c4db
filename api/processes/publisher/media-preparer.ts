/**
 * Prepares a post's media before its time, so that only the publishing request is left. The media stay invisible to
 * followers, and nothing is stored: after a restart they are prepared again.
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
  /** The approval they were made for: they are useless for another text, image or profile. */
  readonly approval: string
  /** Null while in progress or after a failure: the attempt itself then reports the cause. */
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

  /** Starts preparing the media of posts that are due soon. */
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

  /** The prepared media of the post as approved, or null. They can be taken once. */
  take(postId: string, post: Post): readonly string[] | null {
    const prepared = this.#prepared.get(postId)
    this.#prepared.delete(postId)
    return prepared &&
      prepared.approval === post.approval?.hash &&
      prepared.at > later(this.ports.clock.now(), -freshMs)
      ? prepared.media
      : null
  }

  /** Resolves when no preparation is in progress. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  async #prepare(due: DuePostView, at: string): Promise<boolean> {
    const { commands, connections, networks, images } = this.ports
    try {
      const { state: post } = await commands.loadPost(due.id)
      const approval = post.approval?.hash
      if (approval === undefined || post.delivery !== 'none' || this.#prepared.has(due.id)) return true
      this.#prepared.set(due.id, { approval, media: null, at })
      const connection = await connections.usable(accountOf(due), this.config.attemptMs)
      const submission = connection && (await submissionOf(images, post, connection))
      const isThatProfile = connection?.remoteId === (post.approval?.remoteAccountId ?? connection?.remoteId)
      if (!submission || typeof submission === 'string' || !isThatProfile) return true
      const ready = await networks[due.platform].prepare(submission)
      if (ready.kind === 'ready' && this.#prepared.has(due.id))
        this.#prepared.set(due.id, { approval, media: ready.media, at })
    } catch (error) {
      if (!(error instanceof NetworkError))
        (await loggerForPost(this.ports, due.id)).warn({ err: error }, 'Could not prepare media in advance')
    }
    return true
  }
}
