/** The ends of the streams that were appended to last, so that a stream's next event can be checked against its end. */
import type { StoredEvent } from '../../../domain/core/event.ts'
import type { EventStore } from '../../../domain/event-store/port.ts'

export interface RecentHead {
  readonly revision: number
  readonly hash: string
}

/** Streams in memory; the end of any other is read from the log. */
const maxStreams = 10_000

export class RecentHeads {
  readonly #heads = new Map<string, RecentHead>()
  constructor(private readonly events: Pick<EventStore, 'read'>) {}

  get size(): number {
    return this.#heads.size
  }

  /** The event before one that was just read; null when there is none. */
  async before({ stream, revision }: StoredEvent): Promise<RecentHead | null> {
    const known = this.#heads.get(stream)
    if (known) return known
    if (revision === 0) return null
    for await (const [found] of this.events.read(stream, revision - 1))
      return found?.revision === revision - 1 ? { revision: revision - 1, hash: found.metadata.hash } : null
    return null
  }

  /** Remembers an event as the end of its stream. */
  keep({ stream, revision, metadata: { hash } }: StoredEvent): void {
    this.#heads.delete(stream)
    this.#heads.set(stream, { revision, hash })
    if (this.#heads.size <= maxStreams) return
    for (const oldest of this.#heads.keys()) {
      this.#heads.delete(oldest)
      return
    }
  }

  forget(): void {
    this.#heads.clear()
  }
}
