/** Things that go wrong on demand, so that tests can see what becomes of a post. */
import { z } from 'zod'
import type { Platform } from '../../../domain/core/values.ts'

export const faultKinds = [
  'timeout-before',
  'timeout-after',
  'reset-before',
  'reset-after',
  'error-before',
  'error-after',
  'rate-limited',
  'unauthorized',
  'slow',
] as const

/** `before` and `after` tell whether the post was taken when it went wrong. */
export const faultSchema = z.object({
  platform: z.string(),
  remoteId: z.string(),
  kind: z.enum(faultKinds),
  /** How many of the account's next posts it strikes. */
  times: z.int().min(1).default(1),
  retryAfterSeconds: z.int().min(1).default(30),
  /** How long `slow` takes. */
  delayMs: z.int().min(0).default(1_000),
})
export type Fault = z.output<typeof faultSchema>

export class Faults {
  readonly #planned = new Map<string, Fault[]>()

  plan(fault: Fault): void {
    const key = `${fault.platform}/${fault.remoteId}`
    const planned = this.#planned.get(key) ?? []
    planned.push(...Array.from({ length: fault.times }, () => fault))
    this.#planned.set(key, planned)
  }

  /** The next fault that is planned for an account, if any; it is used up. */
  next(platform: Platform, remoteId: string): Fault | null {
    return this.#planned.get(`${platform}/${remoteId}`)?.shift() ?? null
  }

  clear(): void {
    this.#planned.clear()
  }
}
