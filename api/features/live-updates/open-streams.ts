/**
 * The open streams of a process, by agency and by session: what an event sends costs what its agency has open. A stream
 * leaves when it closes, and one that isn't read is closed (`maxUnread`), so there are at most as many as connections.
 */
import { Problem } from '../../http/problem.ts'
import type { Listener, LiveUpdatesStream } from './stream.ts'

/** A hidden tab closes its stream, so this is the number of visible windows. */
const maxOfSession = 6
const maxOfAgency = 60

const none: ReadonlySet<LiveUpdatesStream> = new Set()

export class OpenStreams {
  readonly #ofAgency = new Map<string, Set<LiveUpdatesStream>>()
  readonly #ofSession = new Map<string, Set<LiveUpdatesStream>>()

  /** @throws Problem 429 when the session or the agency has too many */
  admit({ agencyId, sessionId }: Pick<Listener, 'agencyId' | 'sessionId'>): void {
    if (this.ofSession(sessionId).size >= maxOfSession || this.ofAgency(agencyId).size >= maxOfAgency)
      throw new Problem(429, 'too-many', 'Too many windows are open at once. Close one, or use Refresh.', {
        'Retry-After': '60',
      })
  }

  add(stream: LiveUpdatesStream): void {
    insert(this.#ofAgency, stream.agencyId, stream)
    insert(this.#ofSession, stream.sessionId, stream)
  }

  remove(stream: LiveUpdatesStream): void {
    take(this.#ofAgency, stream.agencyId, stream)
    take(this.#ofSession, stream.sessionId, stream)
  }

  /** A copy: streams may end while they are visited. */
  get all(): readonly LiveUpdatesStream[] {
    return [...this.#ofAgency.values()].flatMap((streams) => [...streams])
  }

  ofAgency(agencyId: string): ReadonlySet<LiveUpdatesStream> {
    return this.#ofAgency.get(agencyId) ?? none
  }

  ofSession(sessionId: string): ReadonlySet<LiveUpdatesStream> {
    return this.#ofSession.get(sessionId) ?? none
  }
}

type Index = Map<string, Set<LiveUpdatesStream>>

function insert(index: Index, key: string, stream: LiveUpdatesStream): void {
  index.set(key, (index.get(key) ?? new Set()).add(stream))
}

function take(index: Index, key: string, stream: LiveUpdatesStream): void {
  const streams = index.get(key)
  if (streams?.delete(stream) === true && streams.size === 0) index.delete(key)
}
