/** Keeps values by their keys up to a limit: a new one drops the one that was used longest ago. */
export class RecentlyUsed<T extends object> {
  readonly #kept = new Map<string, T>()
  constructor(private readonly max: number) {}

  get size(): number {
    return this.#kept.size
  }

  /** The value of the key, made if it is not kept. */
  get(key: string, make: () => T): T {
    const known = this.#kept.get(key)
    const value = known ?? make()
    // A map lists its keys in the order in which they were set.
    this.#kept.delete(key)
    this.#kept.set(key, value)
    const [oldest] = this.#kept.size > this.max ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    return value
  }

  clear(): void {
    this.#kept.clear()
  }
}
