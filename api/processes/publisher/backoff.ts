/** The publisher's backoff per post, in real time: it does not depend on the injected clock. */
const shortMs = 500
const firstLongMs = 1_000
const longestMs = 60_000

export class Backoff {
  readonly #until = new Map<string, { readonly at: number; readonly failures: number }>()

  isResting(postId: string): boolean {
    const rest = this.#until.get(postId)
    return rest !== undefined && rest.at > performance.now()
  }

  rest(postId: string): void {
    this.#set(postId, shortMs, 0)
  }

  /** After an error: doubles each time until an attempt succeeds. */
  restLonger(postId: string): void {
    const failures = (this.#until.get(postId)?.failures ?? 0) + 1
    this.#set(postId, Math.min(firstLongMs * 2 ** (failures - 1), longestMs), failures)
  }

  #set(postId: string, ms: number, failures: number): void {
    const now = performance.now()
    this.#until.set(postId, { at: now + ms, failures })
    if (this.#until.size > 5_000) for (const [id, { at }] of this.#until) if (at <= now) this.#until.delete(id)
  }
}
