/** Chance that can be had again: the same seed and number give the same choices. */
export class Random {
  #state: number
  constructor(seed: number, number = 0) {
    this.#state = mixed(seed ^ Math.imul(number + 1, 0x9e3779b1))
  }

  /** From 0 up to, but not, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return mixed(this.#state) / 4_294_967_296
  }

  /** Both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(of: number): boolean {
    return this.next() < of
  }

  /** @throws Error when there is nothing to pick from */
  pick<T>(items: readonly T[]): T {
    const index = Math.floor(this.next() * items.length)
    if (index >= items.length) throw new Error('Nothing to pick from')
    return items[index] as T
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item)
  }
}

function mixed(value: number): number {
  let mixing = value | 0
  mixing = Math.imul(mixing ^ (mixing >>> 16), 0x85ebca6b)
  mixing = Math.imul(mixing ^ (mixing >>> 13), 0xc2b2ae35)
  return (mixing ^ (mixing >>> 16)) >>> 0
}
