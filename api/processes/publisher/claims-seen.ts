/**
 * How long this publisher has seen each claim of the others, by its own monotonic clock. A claim was made before it was
 * seen, so its attempt is over once it was seen for as long as an attempt may take, however far the clocks are apart.
 */
import type { DuePostView } from '../../../projections/due-posts/view.ts'
import type { PublisherConfig } from './config.ts'

type Claim = Pick<DuePostView, 'attemptId' | 'claimedAt' | 'until'>

export class ClaimsSeen {
  /** By attempt: when its claim was first seen. Only of claims that are open now. */
  #firstSeen = new Map<string, number>()

  /** @param elapsed milliseconds of a clock that never goes back */
  constructor(
    private readonly elapsed: () => number,
    private readonly config: Pick<PublisherConfig, 'attemptMs' | 'sendTimeoutMs'>,
  ) {}

  /** Notes the claims that are open now, and forgets the others. */
  see(open: readonly Claim[]): void {
    const now = this.elapsed()
    const before = this.#firstSeen
    this.#firstSeen = new Map(
      open.flatMap(({ attemptId }) => (attemptId === null ? [] : [[attemptId, before.get(attemptId) ?? now] as const])),
    )
  }

  /** Whether the claim was seen for longer than its attempt may take, which its publisher wrote into it. */
  isOver({ attemptId, claimedAt, until }: Claim): boolean {
    const since = attemptId === null ? undefined : this.#firstSeen.get(attemptId)
    if (since === undefined) return false
    const attemptMs = claimedAt === null || until === null ? 0 : Date.parse(until) - Date.parse(claimedAt)
    return this.elapsed() - since > Math.max(attemptMs, this.config.attemptMs) + this.config.sendTimeoutMs
  }
}
