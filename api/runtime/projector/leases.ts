/**
 * Work shared out between processes: each piece is led by whoever has its lease, and each has about as many as the others.
 * No clock is compared between machines: a lease is dead when its beat was not seen to change for as long as it lasts.
 */
import { randomUUID } from 'node:crypto'
import type { RecordDefinition, RecordTable, Records } from '../../records/port.ts'

export interface LeaseRecord {
  /** `lease:<piece>`, or `holder:<who>` for one that is there. */
  readonly id: string
  readonly kind: 'lease' | 'holder'
  readonly holder: string
  /** Another one each time it is renewed. */
  readonly beat: string
}

export const leases = { table: 'leases', indexed: ['kind'] } as const satisfies RecordDefinition<LeaseRecord>
/** So long one lasts whose holder says nothing. */
export const leaseMs = 5_000

export interface Shares {
  /** What this process leads from now on. */
  readonly taken: readonly string[]
  /** What it doesn't lead any more; must be let go before `give`. */
  readonly lost: readonly string[]
  /** What it has too much of: to be stopped, then given back. */
  readonly surplus: readonly string[]
}

export class Leases {
  readonly #held = new Map<string, number>()
  readonly #seen = new Map<string, { readonly beat: string; readonly since: number }>()
  readonly #holder = randomUUID()

  private constructor(
    private readonly table: RecordTable<LeaseRecord>,
    private readonly pieces: readonly string[],
    private readonly lifeMs: number,
    private readonly elapsed: () => number,
  ) {}

  /** @param elapsed milliseconds on this machine, never set back */
  static async open(
    records: Records,
    pieces: readonly string[],
    lifeMs: number,
    elapsed: () => number = () => performance.now(),
  ): Promise<Leases> {
    const table = await records.table<LeaseRecord>(leases)
    return new Leases(table, pieces, lifeMs, elapsed)
  }

  /** Renews what it has, takes what is free or dead up to its share. To be repeated well within a lease's life. */
  async round(): Promise<Shares> {
    await this.table.put({ id: `holder:${this.#holder}`, kind: 'holder', holder: this.#holder, beat: randomUUID() })
    const others = (await this.table.find('kind', 'holder', 1_000)).filter(({ holder }) => holder !== this.#holder)
    const alive = others.filter((record) => !this.#isDead(record))
    for (const { id } of others.filter((record) => this.#isDead(record))) {
      await this.table.remove(id)
      this.#seen.delete(id)
    }

    const lost = await this.#renew()
    const share = Math.ceil(this.pieces.length / (alive.length + 1))
    const taken = this.#held.size < share ? await this.#take(share) : []
    return { taken, lost, surplus: [...this.#held.keys()].slice(share) }
  }

  /** Gives pieces back for others to take at once. */
  async give(pieces: Iterable<string>): Promise<void> {
    for (const piece of pieces) if (this.#held.delete(piece)) await this.table.remove(`lease:${piece}`)
  }

  /** Gives everything back and is not there any more. */
  async leave(): Promise<void> {
    await this.give([...this.#held.keys()])
    await this.table.remove(`holder:${this.#holder}`)
  }

  async #renew(): Promise<string[]> {
    const lost: string[] = []
    for (const [piece, version] of this.#held) {
      if (await this.table.replace(this.#lease(piece), version)) {
        await this.#remember(piece)
      } else {
        this.#held.delete(piece)
        lost.push(piece)
      }
    }
    return lost
  }

  async #take(share: number): Promise<string[]> {
    const taken: string[] = []
    for (const piece of this.pieces) {
      if (this.#held.size >= share) break
      if (this.#held.has(piece)) continue
      const found = await this.table.get(`lease:${piece}`)
      const isFree = found === null || this.#isDead(found.record)
      const won =
        isFree &&
        (found === null
          ? await this.table.insert(this.#lease(piece))
          : await this.table.replace(this.#lease(piece), found.version))
      if (won && (await this.#remember(piece))) taken.push(piece)
    }
    return taken
  }

  /** False when another one took it in this very moment. */
  async #remember(piece: string): Promise<boolean> {
    const found = await this.table.get(`lease:${piece}`)
    if (found?.record.holder !== this.#holder) return false
    this.#held.set(piece, found.version)
    return true
  }

  #isDead({ id, beat }: LeaseRecord): boolean {
    const now = this.elapsed()
    const seen = this.#seen.get(id)
    if (seen?.beat !== beat) {
      this.#seen.set(id, { beat, since: now })
      return false
    }
    return now - seen.since > this.lifeMs
  }

  #lease(piece: string): LeaseRecord {
    return { id: `lease:${piece}`, kind: 'lease', holder: this.#holder, beat: randomUUID() }
  }
}
