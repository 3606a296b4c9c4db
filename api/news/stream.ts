/** One open stream of news. Whoever doesn't read what is written is cut off, and comes back to where it was. */
import type { Writable } from 'node:stream'
import type { Position } from '../../domain/core/event.ts'
import type { NewsMessage } from '../contract/index.ts'
import { newestOf } from './changes.ts'

const mostUnread = 256 * 1024

export interface Listener {
  readonly agencyId: string
  readonly sessionId: string
}

export class NewsStream implements Listener {
  readonly agencyId: string
  readonly sessionId: string
  readonly #to: Writable
  /** What came while the past was still being told; null since it has been. */
  #waiting: { readonly message: NewsMessage; readonly at: Position }[] | null = []
  #told: Position = ''

  constructor({ agencyId, sessionId }: Listener, to: Writable, onClosed: () => void) {
    this.agencyId = agencyId
    this.sessionId = sessionId
    this.#to = to
    to.once('close', onClosed)
    // A connection that broke is no error of ours.
    to.on('error', () => undefined)
  }

  /** The past first, then what came meanwhile. */
  begin(past: NewsMessage, at: Position): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    if (past.missed || past.changes.length > 0) this.#write(past, at)
    for (const { message, at: later } of waiting) if (later > at) this.#write(message, later)
    this.beat(waiting.at(-1)?.at ?? at)
  }

  tell(message: NewsMessage, at: Position): void {
    if (this.#waiting) this.#waiting.push({ message, at })
    else this.#write(message, at)
  }

  /** Keeps the connection open, and its reader's place where the log has gone on without any news for it. */
  beat(at: Position): void {
    if (this.#waiting) return
    this.#send(at > this.#told ? `id: ${at}\n\n` : ': still here\n\n')
    if (at > this.#told) this.#told = at
  }

  end(): void {
    this.#to.end()
  }

  #write({ missed, changes }: NewsMessage, at: Position): void {
    this.#told = at
    this.#send(`id: ${at}\ndata: ${JSON.stringify({ missed, changes: newestOf(changes) })}\n\n`)
  }

  #send(text: string): void {
    if (this.#to.writableEnded || this.#to.destroyed) return
    this.#to.write(text)
    if (this.#to.writableLength > mostUnread) this.#to.destroy()
  }
}
