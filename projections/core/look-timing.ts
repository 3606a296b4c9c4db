/**
 * When to look whether a write is visible: not before it is likely to be, and then at growing intervals. The usual time
 * is learned from the waits themselves, so that a lone write takes few looks on a slow store as on a fast one.
 */
const shortestMs = 1
const longestFirstMs = 500
const longestAgainMs = 100
/** The first look is a little early, and each success tries an earlier one. */
const early = 0.9
const sooner = 0.85
const growth = 1.5

export class LookTiming {
  #usualMs = 5
  #misses = 0

  /** After a wait has begun. */
  get firstMs(): number {
    return this.#usualMs * early
  }

  /** After a look that found some wait unfinished. */
  get againMs(): number {
    return bounded((this.#usualMs / 3) * growth ** this.#misses, longestAgainMs)
  }

  /** @param looks since the wait began, the last of which found it finished @param tookMs from its begin */
  finished(looks: number, tookMs: number): void {
    this.#misses = 0
    this.#usualMs = bounded(looks <= 1 ? this.#usualMs * sooner : (this.#usualMs + tookMs) / 2, longestFirstMs)
  }

  /** A look finished no wait. */
  missed(): void {
    this.#misses += 1
  }
}

const bounded = (ms: number, longestMs: number) => Math.min(longestMs, Math.max(shortestMs, ms))
