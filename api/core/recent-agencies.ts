/**
 * Agencies as they were a moment ago, for the check of each request's membership: a read of the log for every request
 * would cost as much as the request itself. A command of this process is seen at once; one of another process when the
 * live updates hear of it, and at the latest after `maxAgeMs`.
 */
import type { Agency } from '../../domain/agency/state.ts'

const maxAgeMs = 2_000
const maxAgencies = 1_000

interface Entry {
  readonly agency: Agency
  /** -1: read for display, so the revision is unknown. */
  readonly revision: number
  /** By a monotonic clock. */
  readonly at: number
}

export class RecentAgencies {
  readonly #entries = new Map<string, Entry>()
  readonly #reading = new Map<string, Promise<Agency>>()
  constructor(private readonly read: (agencyId: string) => Promise<Agency>) {}

  /** Without waiting; null where it has to be read. */
  known(agencyId: string): Agency | null {
    const known = this.#entries.get(agencyId)
    return known && performance.now() - known.at < maxAgeMs ? known.agency : null
  }

  async get(agencyId: string): Promise<Agency> {
    return this.known(agencyId) ?? this.#reading.get(agencyId) ?? this.#refresh(agencyId)
  }

  /** After a command of this process. */
  keep(agencyId: string, agency: Agency, revision: number): void {
    if ((this.#entries.get(agencyId)?.revision ?? -1) > revision) return
    this.forget(agencyId)
    this.#set(agencyId, { agency, revision, at: performance.now() })
  }

  /** What is being read may be older than the change. */
  forget(agencyId: string): void {
    this.#entries.delete(agencyId)
    this.#reading.delete(agencyId)
  }

  #refresh(agencyId: string): Promise<Agency> {
    const reading: Promise<Agency> = this.read(agencyId).then(
      (agency) => {
        if (this.#reading.get(agencyId) !== reading) return this.#entries.get(agencyId)?.agency ?? agency
        this.#reading.delete(agencyId)
        // An agency that isn't open yet may be opened by another process the next moment.
        const { revision = -1 } = this.#entries.get(agencyId) ?? {}
        if (agency.ownerId !== null) this.#set(agencyId, { agency, revision, at: performance.now() })
        return agency
      },
      (error: unknown) => {
        if (this.#reading.get(agencyId) === reading) this.#reading.delete(agencyId)
        throw error
      },
    )
    this.#reading.set(agencyId, reading)
    return reading
  }

  #set(agencyId: string, entry: Entry): void {
    this.#entries.delete(agencyId)
    this.#entries.set(agencyId, entry)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxAgencies) return
      this.#entries.delete(oldest)
    }
  }
}
