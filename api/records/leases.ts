/**
 * Shares work between processes: each piece is led by the holder of its lease, and all processes have about the same
 * number. No clocks are compared between machines: a lease is dead when its beat has not changed for its lifetime.
 */
import { randomUUID } from 'node:crypto'
import type { RecordDefinition, RecordTable, Records } from './port.ts'

export interface LeaseRecord {
  /** `lease:<piece>`, or `holder:<id>` for a process that is alive. */
  readonly id: string
  /** Preceded by the group's name, if it has one. */
  readonly kind: string
  readonly holder: string
  /** Changes with each renewal. */
  readonly beat: string
}

export const leases = { table: 'leases', indexed: ['kind'] } as const satisfies RecordDefinition<LeaseRecord>
/** The lifetime of a lease without renewal. */
export const leaseMs = 5_000

export interface LeaseOptions {
  readonly lifeMs: number
  /**
   * The processes that share the same pieces; the pieces of different groups have different names. Absent for the
   * projectors, which came first.
   */
  readonly group?: string
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

export interface Shares {
  /** The pieces that this process leads from now on. */
  readonly taken: readonly string[]
  /** The pieces that it no longer leads; stop them before `give`. */
  readonly lost: readonly string[]
  /** The pieces beyond its share: stop them, then give them back. */
  readonly surplus: readonly string[]
}

export class Leases {
  readonly #held = new Map<string, number>()
  readonly #seen = new Map<string, { readonly beat: string; readonly since: number }>()
  readonly #holder = randomUUID()

  private constructor(
    private readonly table: RecordTable<LeaseRecord>,
    private readonly pieces: readonly string[],
    private readonly kinds: { readonly lease: string; readonly holder: string },
    private readonly lifeMs: number,
    private readonly elapsed: () => number,
  ) {}

  static async open(
    records: Records,
    pieces: readonly string[],
    { lifeMs, group, elapsed = () => performance.now() }: LeaseOptions,
  ): Promise<Leases> {
    const table = await records.table<LeaseRecord>(leases)
    const prefix = group === undefined ? '' : `${group}-`
    return new Leases(table, pieces, { lease: `${prefix}lease`, holder: `${prefix}holder` }, lifeMs, elapsed)
  }

  /** The pieces that this process holds, those beyond its share included. */
  get held(): readonly string[] {
    return [...this.#held.keys()]
  }

  /**
   * Renews this process's leases, and takes free or dead ones up to its share. Repeat it well within a lease's
   * lifetime.
   */
  async round(): Promise<Shares> {
    const { holder } = this.kinds
    await this.table.put({ id: `holder:${this.#holder}`, kind: holder, holder: this.#holder, beat: randomUUID() })
    const others = (await this.table.find('kind', holder, 1_000)).filter((record) => record.holder !== this.#holder)
    const alive = others.filter((record) => !this.#isDead(record))
    for (const { id } of others.filter((record) => this.#isDead(record))) {
      await this.table.remove(id)
      this.#seen.delete(id)
    }

    const lost = await this.#renew()
    const share = Math.ceil(this.pieces.length / (alive.length + 1))
    const taken = this.#held.size < share ? await this.#take(share) : []
    return { taken, lost, surplus: this.held.slice(share) }
  }

  /** Gives pieces back, so that others can take them at once. */
  async give(pieces: Iterable<string>): Promise<void> {
    for (const piece of pieces) if (this.#held.delete(piece)) await this.table.remove(`lease:${piece}`)
  }

  /** Gives everything back and deregisters this process. */
  async leave(): Promise<void> {
    await this.give(this.held)
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

  /** False when another process took it at the same moment. */
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
    return { id: `lease:${piece}`, kind: this.kinds.lease, holder: this.#holder, beat: randomUUID() }
  }
}
