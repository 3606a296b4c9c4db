/** What a read of the past costs: points for the posts that it folds from the log, beside the one of each request. */

/** Folding this many posts takes about as long as a list. */
export const postsAPoint = 25

/** Counts points against the agency or the address that asked. @throws Problem 429 with Retry-After */
export type Charge = (points: number) => Promise<void>

export class ReadCost {
  #posts = 0
  constructor(private readonly charge: Charge) {}

  /** Before each post. @throws Problem 429 with Retry-After */
  async post(): Promise<void> {
    this.#posts += 1
    if (this.#posts % postsAPoint === 0) await this.charge(1)
  }
}
