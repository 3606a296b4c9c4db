/**
 * One open stream of live updates. A stream that is not read fast enough is closed; the browser reconnects with its
 * last event id.
 */
import type { Writable } from 'node:stream'
import type { Position } from '../../../domain/core/event.ts'
import type { ChangesMessage } from '../../contract/index.ts'
import { whenClosed } from '../../http/when-closed.ts'
import type { ClientScope } from '../../../domain/agency/roles.ts'
import { changesFor, newestOf } from './changes.ts'

export const maxUnread = 256 * 1024
/** Messages that may arrive while the past is read. The browser reconnects with its last event id. */
const maxWaiting = 1_000

export interface Listener {
  readonly agencyId: string
  readonly sessionId: string
  readonly userId: string
  /** The clients that the user hears of. */
  readonly scope: ClientScope
}

export class LiveUpdatesStream implements Listener {
  readonly agencyId: string
  readonly sessionId: string
  readonly userId: string
  scope: ClientScope
  readonly #to: Writable
  readonly #encrypt: (position: Position) => string
  /** Changes that arrive before the past is sent; null afterwards. */
  #waiting: { readonly message: ChangesMessage; readonly at: Position }[] | null = []

  /** @param encrypt encrypts a position for the agency */
  constructor(
    { agencyId, sessionId, userId, scope }: Listener,
    to: Writable,
    encrypt: (position: Position) => string,
    onClosed: () => void,
  ) {
    this.agencyId = agencyId
    this.sessionId = sessionId
    this.userId = userId
    this.scope = scope
    this.#to = to
    this.#encrypt = encrypt
    whenClosed(to, onClosed)
    // A broken connection is no error of the server.
    to.on('error', () => undefined)
  }

  /** Sends the past, then the changes that arrived meanwhile. */
  begin(past: ChangesMessage, at: Position): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#write(past, at)
    for (const { message, at: later } of waiting) if (later > at) this.#write(message, later)
    this.beat(waiting.at(-1)?.at ?? at)
  }

  tell(message: ChangesMessage, at: Position): void {
    if (this.#waiting && this.#waiting.length >= maxWaiting) this.#to.destroy()
    else if (this.#waiting) this.#waiting.push({ message, at })
    else this.#write(message, at)
  }

  /**
   * Keeps the connection open and updates the browser's last event id. Every beat sends a fresh token, so that none
   * reveals whether the log grew.
   */
  beat(at: Position): void {
    if (!this.#waiting) this.#send(`id: ${this.#encrypt(at)}\n\n`)
  }

  end(): void {
    this.#to.end()
  }

  #write(message: ChangesMessage, at: Position): void {
    const { missed, changes } = changesFor(this.scope, message)
    if (!missed && changes.length === 0) return
    const result = newestOf(changes).map((change) => ({ ...change, position: this.#encrypt(change.position) }))
    this.#send(`id: ${this.#encrypt(at)}\ndata: ${JSON.stringify({ missed, changes: result })}\n\n`)
  }

  #send(text: string): void {
    if (this.#to.writableEnded || this.#to.destroyed) return
    this.#to.write(text)
    if (this.#to.writableLength > maxUnread) this.#to.destroy()
  }
}
