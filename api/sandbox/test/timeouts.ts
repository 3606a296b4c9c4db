/** Timeouts of connectors that expire when the sandbox leaves a request without an answer, instead of after a time. */
import type { ClientRequest, IncomingMessage } from 'node:http'
import type { StartTimeout } from '../../networks/http.ts'

export class Timeouts {
  readonly #running = new Map<ClientRequest, () => void>()
  #held: (() => void)[] | null = null

  readonly start: StartTimeout = (request, _, expire) => {
    this.#running.set(request, expire)
    return () => this.#running.delete(request)
  }

  /** Both ends of a connection are in this process, and a connection carries one request at a time. */
  readonly leftOpen = ({ socket }: Pick<IncomingMessage, 'socket'>): void => {
    for (const [request, expire] of this.#running) {
      if (request.socket?.localPort !== socket.remotePort) continue
      if (this.#held) this.#held.push(expire)
      else expire()
    }
  }

  /** From now on requests stay open, until the returned function lets all of them expire. */
  hold(): () => void {
    this.#held = []
    return () => {
      const held = this.#held ?? []
      this.#held = null
      for (const expire of held) expire()
    }
  }
}
