/** What was begun, so that it can be ended in the opposite order: when the program stops, and when a later part of its start fails. */
export class CleanupStack {
  readonly #ends: (() => Promise<unknown> | void)[] = []

  /** To be called before it begins, where the end does no harm to what never began: what fails half-way is ended too. */
  add(end: () => Promise<unknown> | void): void {
    this.#ends.push(end)
  }

  /** One that fails doesn't keep the others going. @throws the first failure, after everything has ended */
  async end(): Promise<void> {
    const failures: unknown[] = []
    for (const end of this.#ends.splice(0).reverse()) {
      try {
        await end()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}

/** Ends what was begun when the beginning fails; it is the beginning's failure that is told. */
export async function withCleanup<T>(
  begin: (cleanup: CleanupStack) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const cleanup = new CleanupStack()
  try {
    return { ...(await begin(cleanup)), close: () => cleanup.end() }
  } catch (error) {
    await cleanup.end().catch(() => {})
    throw error
  }
}
