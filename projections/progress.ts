/** Shows the progress of long work: a bar on a terminal, otherwise a line at intervals. */

export interface Screen {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const redrawEveryMs = 100
const lineEveryMs = 5_000
const barWidth = 24

export class Progress {
  #done = 0
  #drawn = 0
  readonly #began: number

  constructor(
    readonly label: string,
    /** Null where counting the events would take as long as the work. */
    readonly total: number | null,
    readonly screen: Screen,
    readonly now: () => number = () => performance.now(),
    readonly unit: string = 'events',
  ) {
    this.#began = now()
    this.#drawn = this.#began
  }

  add(events: number): void {
    this.#done += events
    const at = this.now()
    if (at - this.#drawn < (this.screen.isTTY ? redrawEveryMs : lineEveryMs)) return
    this.#drawn = at
    this.screen.write(this.screen.isTTY ? `\r${this.#bar()}\u001b[K` : `${this.#text()}\n`)
  }

  /** The final message, on its own line. */
  end(outcome: string): void {
    const seconds = (this.now() - this.#began) / 1000
    const clear = this.screen.isTTY ? '\r\u001b[K' : ''
    this.screen.write(
      `${clear}${this.label}: ${outcome}, ${count(this.#done)} ${this.unit} in ${seconds.toFixed(1)} s\n`,
    )
  }

  #bar(): string {
    if (this.total === null) return this.#text()
    const filled = Math.round(barWidth * Math.min(1, this.#done / Math.max(1, this.total)))
    return `${this.label.padEnd(16)} [${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${this.#figures()}`
  }

  #text(): string {
    return `${this.label}: ${this.#figures()}`
  }

  #figures(): string {
    const perSecond = this.#done / Math.max(0.001, (this.now() - this.#began) / 1000)
    if (this.total === null) return `${count(this.#done)} ${this.unit}, ${count(Math.round(perSecond))} a second`
    const left = Math.ceil(Math.max(0, this.total - this.#done) / Math.max(1, perSecond))
    return `${count(this.#done)}/${count(this.total)} ${this.unit}, ${count(Math.round(perSecond))} ev/s, ${left} s left`
  }
}

const count = (value: number) => value.toLocaleString('en-US')
