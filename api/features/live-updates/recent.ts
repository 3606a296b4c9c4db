/**
 * Keeps each agency's newest changes in memory, so that a browser that reconnects gets its own agency's changes, and
 * neither the work nor the answer depends on the activity of others.
 */
import type { Position } from '../../../domain/core/event.ts'
import type { Change } from '../../contract/index.ts'

const maxOfAgency = 1_000
/** About 250 bytes each. */
const maxInAll = 20_000

interface Kept {
  changes: Change[]
  /** All later changes are kept. */
  from: Position
}

export class RecentChanges {
  /** Ordered by the last change, oldest first. */
  readonly #agencies = new Map<string, Kept>()
  #count = 0
  /** Agencies without an entry had no change after this position. */
  #floor: Position | null = null

  /** Starts with no knowledge of changes up to this position. */
  begin(position: Position): void {
    this.#agencies.clear()
    this.#count = 0
    this.#floor = position
  }

  /** @param changes in the log's order */
  add(agencyId: string, changes: readonly Change[]): void {
    if (this.#floor === null || changes.length === 0) return
    const kept = this.#agencies.get(agencyId) ?? { changes: [], from: this.#floor }
    const all = [...kept.changes, ...changes]
    const surplus = all.slice(0, Math.max(0, all.length - maxOfAgency))
    this.#count += changes.length - surplus.length
    this.#agencies.delete(agencyId)
    this.#agencies.set(agencyId, { changes: all.slice(surplus.length), from: surplus.at(-1)?.position ?? kept.from })
    this.#makeRoom()
  }

  /**
   * The agency's changes after a position, in the log's order. `too-many`: more changes than are kept per agency;
   * `unknown`: the position is from before this process started, or the agency's entry was evicted.
   */
  since(agencyId: string, position: Position): Change[] | 'too-many' | 'unknown' {
    const kept = this.#agencies.get(agencyId)
    if (this.#floor === null || position < (kept?.from ?? this.#floor))
      return kept?.changes.length === maxOfAgency ? 'too-many' : 'unknown'
    return kept?.changes.filter((change) => change.position > position) ?? []
  }

  #makeRoom(): void {
    for (const [agencyId, { changes }] of this.#agencies) {
      if (this.#count <= maxInAll) return
      this.#agencies.delete(agencyId)
      this.#count -= changes.length
      const last = changes.at(-1)?.position ?? ''
      if (this.#floor === null || last > this.#floor) this.#floor = last
    }
  }
}
