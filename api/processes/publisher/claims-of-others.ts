/**
 * How long this process has seen other publishers' claims. A claim that it has seen for as long as an attempt takes is
 * over, or its publisher is dead or paused: the account's other posts need not wait until the claim is given up, for
 * which clocks are compared. Nothing is decided about the claimed post itself: its publisher may still be sending it.
 */
import type { DuePostView } from '../../../projections/due-posts/view.ts'

export class ClaimsOfOthers {
  /** By attempt: as many as there are claims. */
  #seen: ReadonlyMap<string, number> = new Map()

  constructor(
    private readonly attemptMs: number,
    /** Monotonic milliseconds. */
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /** @param claimed all claims of others at this moment @returns those whose attempt may be under way */
  underWay(claimed: readonly DuePostView[]): readonly DuePostView[] {
    const now = this.elapsed()
    this.#seen = new Map(
      claimed.map(({ id, attemptId }) => [keyOf(id, attemptId), this.#seen.get(keyOf(id, attemptId)) ?? now]),
    )
    return claimed.filter(({ id, attemptId }) => now - (this.#seen.get(keyOf(id, attemptId)) ?? now) <= this.attemptMs)
  }
}

const keyOf = (id: string, attemptId: string | null) => attemptId ?? id
