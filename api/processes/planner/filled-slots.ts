/**
 * Slots known to have, or to have had, their post, by agency. Only saves reads: the log is authoritative. An event that
 * concerns an agency makes the planner forget its slots, since another planner may have withdrawn their posts.
 */
const maxSlots = 200_000

export class FilledSlots {
  readonly #slots = new Map<string, Set<string>>()
  #size = 0

  has(agencyId: string, slot: string): boolean {
    return this.#slots.get(agencyId)?.has(slot) ?? false
  }

  add(agencyId: string, slot: string): void {
    if (this.#size >= maxSlots) {
      this.#slots.clear()
      this.#size = 0
    }
    const slots = this.#slots.get(agencyId) ?? new Set<string>()
    this.#slots.set(agencyId, slots)
    this.#size -= slots.size
    this.#size += slots.add(slot).size
  }

  remove(agencyId: string, slot: string): void {
    if (this.#slots.get(agencyId)?.delete(slot)) this.#size -= 1
  }

  forget(agencyId: string): void {
    this.#size -= this.#slots.get(agencyId)?.size ?? 0
    this.#slots.delete(agencyId)
  }
}
