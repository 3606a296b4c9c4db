/**
 * The position tokens given out last, one per agency: pages ask for several lists at once, and each answer has a token.
 * A token in use is older than the newest position, so its reader asks for changes that don't concern it. Each period
 * has a new token whether or not the position changed, so that an agency learns nothing of the others' activity.
 */
const periodMs = 50
const maxTokens = 1_000

export class RecentTokens {
  readonly #tokens = new Map<string, { readonly token: string; readonly until: number }>()

  /** @param now milliseconds of a clock that never goes back */
  constructor(
    private readonly make: (agencyId: string) => string,
    private readonly now = () => performance.now(),
  ) {}

  of(agencyId: string): string {
    const now = this.now()
    const known = this.#tokens.get(agencyId)
    if (known && now < known.until) return known.token
    if (this.#tokens.size >= maxTokens) this.#tokens.clear()
    const token = this.make(agencyId)
    this.#tokens.set(agencyId, { token, until: now + periodMs })
    return token
  }

  /** For an agency that has a change: its next answer names a position after it. */
  forget(agencyId: string): void {
    this.#tokens.delete(agencyId)
  }

  get size(): number {
    return this.#tokens.size
  }
}
