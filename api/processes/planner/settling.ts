/**
 * Agencies with a recent event or post: the views may not show it yet, so that the planner looks at them again in each
 * round.
 */
const maxAgencies = 10_000

interface Times {
  readonly lookAt: number
  readonly until: number
}

export class Settling {
  /** In monotonic milliseconds, by agency; in the order of the events. */
  readonly #times = new Map<string, Times>()

  constructor(
    private readonly settleMs: number,
    private readonly everyMs: number,
    private readonly elapsed: () => number = () => performance.now(),
  ) {}

  /** An event or a post now. */
  add(agencyId: string): void {
    this.#times.delete(agencyId)
    const now = this.elapsed()
    if (this.settleMs > 0 && this.#times.size < maxAgencies)
      this.#times.set(agencyId, { lookAt: now + this.everyMs, until: now + this.settleMs })
  }

  /** The agencies to look at again, each once in a round's time. */
  take(limit: number): readonly string[] {
    const now = this.elapsed()
    const taken: string[] = []
    for (const [agencyId, { lookAt, until }] of this.#times) {
      if (taken.length >= limit) break
      if (lookAt > now) continue
      taken.push(agencyId)
      if (until <= now) this.#times.delete(agencyId)
      else this.#times.set(agencyId, { lookAt: now + this.everyMs, until })
    }
    return taken
  }
}
