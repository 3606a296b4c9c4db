/** A stack of cleanups, run in reverse order: when the program stops, and when a later part of its start fails. */
export class CleanupStack {
  readonly #ends: (() => Promise<unknown> | void)[] = []

  /**
   * Call it before the start of the part if its cleanup is safe without it, so that a half-started part is cleaned up
   * too.
   */
  add(end: () => Promise<unknown> | void): void {
    this.#ends.push(end)
  }

  /** Runs all cleanups, even after a failure. @throws the first failure, after all have run */
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

/** Runs the cleanups when `begin` fails, and throws the error of `begin`. */
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
