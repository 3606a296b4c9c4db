/**
 * Shares work between processes: each piece is led by the holder of its lease, and all processes have about the same
 * number. A process renews all its leases with one write, the beat of its own record. No clocks are compared between
 * machines: a holder is dead when its beat has not changed for a lifetime, and its leases with it.
 */
import { randomUUID } from 'node:crypto'
import type { RecordDefinition, RecordTable, Records } from './port.ts'

export interface LeaseRecord {
  /** `lease:<piece>`, or `holder:<id>` for a process that is alive. */
  readonly id: string
  /** Preceded by the group's name, if it has one. */
  readonly kind: string
  readonly holder: string
  /** A holder's changes with each round, a lease's when it is taken. */
  readonly beat: string
}

export const leases = { table: 'leases', indexed: ['kind'] } as const satisfies RecordDefinition<LeaseRecord>
/** The lifetime of a lease without renewal. */
export const leaseMs = 5_000
/** Holders and leases; both are read in one query each. */
export const maxLeaseRecords = 1_000
/** A dead holder's record is removed after so many lifetimes, long after its leases were taken. */
const lifetimesKept = 10

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
  #renewedAt = Number.NEGATIVE_INFINITY

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
   *
   * @throws Error when another group has a piece of the same name
   */
  async round(): Promise<Shares> {
    const { holder, lease } = this.kinds
    const began = this.elapsed()
    const isLate = began - this.#renewedAt > this.lifeMs / 2
    await this.table.put({ id: `holder:${this.#holder}`, kind: holder, holder: this.#holder, beat: randomUUID() })
    const others = await this.table.find('kind', holder, maxLeaseRecords)
    const alive = new Set(
      others.filter((record) => record.holder !== this.#holder && !this.#isDead(record)).map(({ holder }) => holder),
    )
    await this.#forgetDead(others)
    const found = new Map((await this.table.find('kind', lease, maxLeaseRecords)).map((record) => [record.id, record]))

    const lost = this.held.filter((piece) => found.get(`lease:${piece}`)?.holder !== this.#holder)
    for (const piece of lost) this.#held.delete(piece)
    // Others may be about to take the leases of a process that was paused: each one is renewed for itself then.
    if (isLate) lost.push(...(await this.#renew()))
    this.#renewedAt = began
    const share = Math.ceil(this.pieces.length / (alive.size + 1))
    const free = this.pieces.filter((piece) => !alive.has(found.get(`lease:${piece}`)?.holder ?? ''))
    const taken = this.#held.size < share ? await this.#take(share, free, found) : []
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

  /** @param free the pieces without a living holder, by the records `seen` in this round */
  async #take(share: number, free: readonly string[], seen: ReadonlyMap<string, LeaseRecord>): Promise<string[]> {
    const taken: string[] = []
    for (const piece of free) {
      if (this.#held.size >= share) break
      if (this.#held.has(piece)) continue
      const id = `lease:${piece}`
      const found = await this.table.get(id)
      // Neither group would see the other's holder as alive, and the piece would stay without a leader.
      if (found && found.record.kind !== this.kinds.lease) throw new Error(`Another group has a piece named ${piece}`)
      const isUnchanged = found?.record.beat === seen.get(id)?.beat
      const won =
        isUnchanged &&
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

  async #forgetDead(holders: readonly LeaseRecord[]): Promise<void> {
    for (const record of holders) if (this.#isDead(record, lifetimesKept)) await this.table.remove(record.id)
    const ids = new Set(holders.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
  }

  /** Whether a holder's beat has not changed for so many lifetimes, as far as this process has seen. */
  #isDead({ id, beat }: LeaseRecord, lifetimes = 1): boolean {
    const now = this.elapsed()
    const seen = this.#seen.get(id)
    if (seen?.beat !== beat) {
      this.#seen.set(id, { beat, since: now })
      return false
    }
    return now - seen.since > lifetimes * this.lifeMs
  }

  #lease(piece: string): LeaseRecord {
    return { id: `lease:${piece}`, kind: this.kinds.lease, holder: this.#holder, beat: randomUUID() }
  }
}
