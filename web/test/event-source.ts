/** Server-sent events over `fetch`, because jsdom has no `EventSource`. It does not reconnect. */
export class FetchedEventSource extends EventTarget {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 2
  readyState: number = FetchedEventSource.CONNECTING
  readonly #controller = new AbortController()

  constructor(readonly url: string) {
    super()
    void this.#read().catch(() => {
      if (this.readyState === FetchedEventSource.CLOSED) return
      this.close()
      this.dispatchEvent(new Event('error'))
    })
  }

  close(): void {
    this.readyState = FetchedEventSource.CLOSED
    this.#controller.abort()
  }

  async #read(): Promise<void> {
    const { ok, body } = await fetch(this.url, { signal: this.#controller.signal })
    if (!ok || body === null) throw new Error('No stream')
    this.readyState = FetchedEventSource.OPEN
    this.dispatchEvent(new Event('open'))
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    let arrived = ''
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (arrived + piece.value).split('\n\n')
      arrived = blocks.pop() ?? ''
      for (const block of blocks) this.#dispatch(block)
    }
    throw new Error('The stream ended')
  }

  #dispatch(block: string): void {
    const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
    const data = fields.get('data')
    if (data === undefined) return
    this.dispatchEvent(new MessageEvent('message', { data, lastEventId: fields.get('id') ?? '' }))
  }
}
