/**
 * Keeps a flood out of the log: limits lines per window, for each source and in total. Suppressed lines are counted and
 * reported.
 */

export interface Budget {
  readonly perSource: number
  readonly inAll: number
}

export interface Suppressed {
  readonly lines: number
  readonly sources: number
  /** The sources with the most lines, with their counts. */
  readonly most: readonly (readonly [source: string, lines: number])[]
}

const windowMs = 60_000
/** The limit on sources counted separately per window. Lines of further sources are suppressed. */
const maxSources = 2_000
const maxNamed = 5

/**
 * A window starts with its first line and ends by a timer, so that the last count is reported without a further line.
 */
export class LineBudget {
  readonly #sources = new Map<string, { written: number; suppressed: number }>()
  #written = 0
  /** Lines of sources beyond `maxSources`. */
  #uncounted = 0
  #timer: NodeJS.Timeout | null = null

  /** @param tell called at the end of each window with suppressed lines */
  constructor(
    private readonly budget: Budget,
    private readonly tell: (suppressed: Suppressed) => void,
  ) {}

  /** Counts a line. False: suppress it. */
  mayWrite(source: string): boolean {
    this.#timer ??= setTimeout(() => this.end(), windowMs).unref()
    const counted = this.#of(source)
    if (counted === null) {
      this.#uncounted += 1
      return false
    }
    if (counted.written >= this.budget.perSource || this.#written >= this.budget.inAll) {
      counted.suppressed += 1
      return false
    }
    counted.written += 1
    this.#written += 1
    return true
  }

  /** Ends the window. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const suppressed = [...this.#sources].flatMap(([source, counted]) =>
      counted.suppressed > 0 ? [[source, counted.suppressed] as const] : [],
    )
    const lines = suppressed.reduce((sum, [, count]) => sum + count, this.#uncounted)
    this.#sources.clear()
    this.#written = 0
    this.#uncounted = 0
    if (lines === 0) return
    this.tell({
      lines,
      sources: suppressed.length,
      most: suppressed.toSorted(([, a], [, b]) => b - a).slice(0, maxNamed),
    })
  }

  #of(source: string) {
    const known = this.#sources.get(source)
    if (known !== undefined || this.#sources.size >= maxSources) return known ?? null
    const fresh = { written: 0, suppressed: 0 }
    this.#sources.set(source, fresh)
    return fresh
  }
}
