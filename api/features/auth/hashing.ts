/** Hashes and verifies passwords. Each hash occupies a core for some hundredths of a second, so few run at once. */
import { availableParallelism } from 'node:os'
import argon2 from 'argon2'
import { Problem } from '../../http/problem.ts'
import { Crowded, FairQueue, type Asker, type Bounds } from '../../../domain/core/fair-queue.ts'

export type { Asker }

/** Argon2id's memory in KiB, passes and threads. */
export interface HashCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's parameters for Argon2id. No setting changes them: only tests hash at a lower cost. */
const owaspCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * At most two: file and DNS operations need the other two of the pool's four threads. One core stays free for
 * everything else, because a flood of sign-ins keeps all the others busy.
 */
export const defaultBounds: Bounds = {
  atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)),
  maxWaiting: 50,
  maxOfSource: 4,
}

export class Hashing {
  readonly #queue: FairQueue
  readonly #parameters: HashCost & { readonly type: typeof argon2.argon2id }
  constructor(bounds = defaultBounds, cost = owaspCost) {
    this.#queue = new FairQueue(bounds)
    this.#parameters = { type: argon2.argon2id, ...cost }
  }

  /** @throws Problem 503 when the queue is full */
  hash(asker: Asker, password: string): Promise<string> {
    return this.#run(asker, () => argon2.hash(password, this.#parameters))
  }

  /** @throws Problem 503 when the queue is full */
  verify(asker: Asker, hash: string, password: string): Promise<boolean> {
    return this.#run(asker, () => argon2.verify(hash, password))
  }

  /** The hash of a random code with the given salt, as base64. @throws Problem 503 when the queue is full */
  digest(asker: Asker, code: string, salt: Buffer): Promise<string> {
    return this.#run(asker, async () =>
      (await argon2.hash(code, { ...this.#parameters, salt, raw: true })).toString('base64'),
    )
  }

  /** Whether the hash was made with other than the current parameters. */
  isOutdated(hash: string): boolean {
    return argon2.needsRehash(hash, this.#parameters)
  }

  async #run<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#queue.run(asker, work)
    } catch (error) {
      if (!(error instanceof Crowded)) throw error
      const sentence = error.byItself
        ? 'Too many of these requests came at once.'
        : 'Too many people are signing in or setting a password at this moment.'
      throw new Problem(503, 'busy', `${sentence} Please try again in a few seconds.`, { 'Retry-After': '2' })
    }
  }
}
