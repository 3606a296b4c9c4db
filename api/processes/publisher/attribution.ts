/** Maps a network's post to our post, so that a look-up never attributes another post's copy. */
import type { Instant } from '../../../domain/core/event.ts'
import { later } from '../../core/clock.ts'
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { Post } from '../../../domain/post/state.ts'
import type { Candidate } from '../../networks/port.ts'
import type { RecordTable, Records } from '../../records/port.ts'
import type { PublisherPorts } from './ports.ts'

interface Taken {
  /** Platform and the network's post id. */
  readonly id: string
  readonly postId: string
  /** Absent in records from before they expired. */
  readonly at?: string
}

/** Longer than any look-up goes back; older attributions are in the log. */
const keptMs = 90 * 24 * 3_600_000
/** More than a claim and its sending last. */
const sendingMs = 3_600_000
/** Loaded for one look-up: with more, the copies can't be told apart anyway. */
const maxUnnamed = 100

export type Attributed =
  | { readonly kind: 'mine'; readonly candidate: Candidate }
  /** No candidate belongs to this post. */
  | { readonly kind: 'none' }
  /** A post with the same text is being sent right now: the two can't be told apart yet. */
  | { readonly kind: 'not-yet' }

export class Attribution {
  #taken: Promise<RecordTable<Taken>> | null = null

  constructor(
    private readonly ports: Pick<PublisherPorts, 'commands' | 'views' | 'clock'> & { readonly records: Records },
  ) {}

  /**
   * Each remote post is attributed to one post only, however many look-ups run, in however many processes.
   * @param since the earliest date that a candidate may have
   */
  async attribute(due: DuePostView, post: Post, candidates: readonly Candidate[], since: Instant): Promise<Attributed> {
    if (candidates.length === 0) return { kind: 'none' }
    const rivals = await this.#rivals(due, post)
    if (rivals.some(({ delivery }) => delivery === 'claimed')) return { kind: 'not-yet' }
    const free: Candidate[] = []
    for (const candidate of candidates) {
      if (rivals.some(({ remoteId }) => remoteId === candidate.remoteId)) continue
      if (!(await this.#isPublishedElsewhere(due, candidate.remoteId))) free.push(candidate)
    }
    const others = await this.#unnamed(due, post, since)
    // A copy at the address that a user gave is the other post's; each other one may be any of the copies.
    const left = free.filter(({ url }) => url === null || others.every((other) => other.url !== url))
    const maybeTaken = others.filter(({ url }) => url === null || free.every((candidate) => candidate.url !== url))
    if (left.length <= maybeTaken.length) return { kind: 'none' }
    for (const candidate of left)
      if (await this.#take(`${due.platform}/${candidate.remoteId}`, due.id)) return { kind: 'mine', candidate }
    return { kind: 'none' }
  }

  /**
   * The account's other posts with the same text that a user or an Instagram container said are live, without an id:
   * the network lists their copies too, if they may be as young as the candidates.
   */
  async #unnamed({ id, accountId }: DuePostView, { content }: Post, since: Instant): Promise<readonly Post[]> {
    const { views, commands } = this.ports
    const where = { unnamedIn: accountId, claimedAt: { gte: later(since, -sendingMs) } }
    const others = (await views.duePosts.all({ where }, maxUnnamed)).filter((other) => other.id !== id)
    const loaded = await Promise.all(others.map((other) => commands.loadPost(other.id)))
    return loaded.map(({ state }) => state).filter((other) => other.content === content)
  }

  /**
   * The account's other posts with the same text that may have been sent. Read from the log: the view may lag behind.
   */
  async #rivals({ id, accountId }: DuePostView, { content }: Post): Promise<readonly Post[]> {
    const { views, commands, clock } = this.ports
    // In the order of a post's states, so that none moves past both reads.
    const due = await views.duePosts.all({ where: { accountId, waiting: true, dueAt: { lt: later(clock.now(), 1) } } })
    const open = await views.duePosts.all({ where: { delivery: 'claimed' } })
    const others = [...open.filter((other) => other.accountId === accountId), ...due].filter((other) => other.id !== id)
    const loaded = await Promise.all(others.map((other) => commands.loadPost(other.id)))
    return loaded.map(({ state }) => state).filter((other) => other.content === content)
  }

  async #isPublishedElsewhere({ id, platform }: DuePostView, remoteId: string): Promise<boolean> {
    const holders = await this.ports.views.duePosts.all({ where: { remoteId } })
    return holders.some((holder) => holder.id !== id && holder.platform === platform)
  }

  async #take(id: string, postId: string): Promise<boolean> {
    const { records, clock } = this.ports
    this.#taken ??= records.table<Taken>({ table: 'remote_posts', indexed: ['at'] })
    const table = await this.#taken
    const at = clock.now()
    await table.removeBefore('at', later(at, -keptMs))
    return (await table.insert({ id, postId, at })) || (await table.get(id))?.record.postId === postId
  }
}
