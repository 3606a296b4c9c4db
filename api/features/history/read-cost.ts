/** What a long read costs: points for the posts that it folds or looks at, beside the one of each request. */

/** Folding this many posts takes about as long as a list. */
export const postsAPoint = 25
/** Looking at so many posts of a search takes about as long. */
export const lookedAPoint = 1_000

/** Counts points against the agency or the address that asked. @throws Problem 429 with Retry-After */
export type Charge = (points: number) => Promise<void>

export class ReadCost {
  #posts = 0
  #looked = 0
  constructor(private readonly charge: Charge) {}

  /** Before each post. @throws Problem 429 with Retry-After */
  async post(): Promise<void> {
    this.#posts += 1
    if (this.#posts % postsAPoint === 0) await this.charge(1)
  }

  /** After posts that a search looked at. @throws Problem 429 with Retry-After */
  readonly looked = async (posts: number): Promise<void> => {
    this.#looked += posts
    const points = Math.floor(this.#looked / lookedAPoint)
    this.#looked -= points * lookedAPoint
    if (points > 0) await this.charge(points)
  }
}
