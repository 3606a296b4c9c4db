/**
 * The newest changes of each agency, in memory, so that whoever comes back is told by its own agency's changes alone: neither
 * the work nor the answer depends on what others did meanwhile.
 */
import type { Position } from '../../../domain/core/event.ts'
import type { Change } from '../../contract/index.ts'

const maxOfAgency = 1_000
/** About 250 bytes each. */
const maxInAll = 20_000

interface Kept {
  changes: Change[]
  /** All later changes are here. */
  from: Position
}

export class RecentChanges {
  /** The agency whose last change is the oldest comes first. */
  readonly #agencies = new Map<string, Kept>()
  #count = 0
  /** Agencies that are not here had no change after this. */
  #floor: Position | null = null

  /** Nothing is known of what happened up to here. */
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
   * The agency's changes after a position, in the log's order. `too-many`: it changed more since than is kept of one agency;
   * `unknown`: the position is from before this process began, or of an agency that had to make room.
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
