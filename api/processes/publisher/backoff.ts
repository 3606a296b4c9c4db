/** The publisher's backoff per post, in real time: it does not depend on the injected clock. */
import { backoffMs } from '../../core/backoff.ts'

const shortMs = 500
const firstMs = 1_000
const longestMs = 60_000

export class Backoff {
  readonly #until = new Map<string, { readonly at: number; readonly failures: number }>()

  isActive(postId: string): boolean {
    const wait = this.#until.get(postId)
    return wait !== undefined && wait.at > performance.now()
  }

  pause(postId: string): void {
    this.#set(postId, shortMs, 0)
  }

  /** After an error: doubles each time until an attempt succeeds. */
  failed(postId: string): void {
    const failures = (this.#until.get(postId)?.failures ?? 0) + 1
    this.#set(postId, backoffMs(failures, firstMs, longestMs), failures)
  }

  #set(postId: string, ms: number, failures: number): void {
    const now = performance.now()
    this.#until.set(postId, { at: now + ms, failures })
    if (this.#until.size > 5_000) for (const [id, { at }] of this.#until) if (at <= now) this.#until.delete(id)
  }
}
