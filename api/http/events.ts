/** Server-sent events that end. Events sent before a reader is attached are buffered. */
import type { Writable } from 'node:stream'

const beatMs = 10_000
/** A reader with more buffered data than this is disconnected. */
const maxWaitingBytes = 1024 * 1024

export interface Line<Event extends { readonly event: string }> {
  tell(event: Event): void
  /** Resolves with the first event. */
  readonly begun: Promise<void>
  readonly hasBegun: boolean
  /** Sends all events to a reader, until the end. */
  readTo(to: Writable, end: Promise<unknown>): void
}

export function openLine<Event extends { readonly event: string }>(): Line<Event> {
  const waiting: string[] = []
  let reader: Writable | null = null
  let hasBegun = false
  let begin = () => {}
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const write = (text: string) => {
    if (reader === null) waiting.push(text)
    else if (!reader.writableEnded && !reader.destroyed) {
      reader.write(text)
      if (reader.writableLength > maxWaitingBytes) reader.destroy()
    }
  }
  return {
    begun,
    get hasBegun() {
      return hasBegun
    },
    tell({ event, ...data }) {
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      hasBegun = true
      begin()
    },
    readTo(to, end) {
      // A broken connection is no error of the server.
      to.on('error', () => undefined)
      reader = to
      for (const text of waiting.splice(0)) write(text)
      const beat = setInterval(() => write(': still here\n\n'), beatMs)
      void end.finally(() => {
        clearInterval(beat)
        to.end()
      })
    },
  }
}
