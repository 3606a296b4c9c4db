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
/** The part of a lifetime between two beats within which no other process can take this one for dead. */
const latest = 0.9
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
  /** The pieces that this process works on. */
  readonly led: readonly string[]
  /** The pieces that it holds beyond its share: stop them, then give them back. */
  readonly surplus: readonly string[]
}

export class Leases {
  readonly #held = new Map<string, number>()
  readonly #seen = new Map<string, { readonly beat: string; readonly since: number }>()
  readonly #holder = randomUUID()
  #beatAt = Number.NEGATIVE_INFINITY
  /** Whether others may have taken this process for dead. */
  #wasLate = false
  /** False once others may have, until the next round has ended. */
  #isSure = false

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

  /** The pieces that this process holds, as far as it knows; those beyond its share included. */
  get held(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** Whether what the last round returned still holds: no other process can have taken this one for dead since then. */
  get isSure(): boolean {
    return this.#isSure && this.elapsed() - this.#beatAt < this.lifeMs
  }

  /**
   * Renews this process's leases, and takes free or dead ones up to its share. Repeat it well within a lease's
   * lifetime. After an error, `held` may have shrunk.
   *
   * @throws Error when another group has a piece of the same name; errors of the records
   */
  async round(): Promise<Shares> {
    const { holder, lease } = this.kinds
    await this.#beat()
    const others = await this.table.find('kind', holder, maxLeaseRecords)
    const alive = new Set(
      others.filter((record) => record.holder !== this.#holder && !this.#isDead(record)).map(({ holder }) => holder),
    )
    await this.#forgetDead(others)
    const found = new Map((await this.table.find('kind', lease, maxLeaseRecords)).map((record) => [record.id, record]))
    await this.#beatIfDue()

    const isOurs = (piece: string) => found.get(`lease:${piece}`)?.holder === this.#holder
    for (const piece of this.held) if (!isOurs(piece)) this.#held.delete(piece)
    // A failed command may have taken it, or not given it back. No other process takes it from one that is alive.
    for (const piece of this.pieces) if (isOurs(piece) && !this.#held.has(piece)) await this.#remember(piece)
    await this.#renewIfLate()
    const share = Math.ceil(this.pieces.length / (alive.size + 1))
    const free = this.pieces.filter((piece) => !alive.has(found.get(`lease:${piece}`)?.holder ?? ''))
    await this.#take(share, free, found)
    this.#isSure = !this.#wasLate
    return { led: this.held.slice(0, share), surplus: this.held.slice(share) }
  }

  /** Gives pieces back, so that others can take them at once. */
  async give(pieces: Iterable<string>): Promise<void> {
    for (const piece of pieces) {
      const version = this.#held.get(piece)
      if (version === undefined) continue
      await this.table.remove(`lease:${piece}`, version)
      this.#held.delete(piece)
      await this.#beatIfDue()
    }
  }

  /** Gives everything back and deregisters this process. */
  async leave(): Promise<void> {
    await this.give(this.held)
    await this.table.remove(`holder:${this.#holder}`)
  }

  async #beat(): Promise<void> {
    const began = this.elapsed()
    const id = `holder:${this.#holder}`
    await this.table.put({ id, kind: this.kinds.holder, holder: this.#holder, beat: randomUUID() })
    // The others saw the last beat after it began, and this one by now.
    if (this.elapsed() - this.#beatAt > this.lifeMs * latest) {
      this.#wasLate = true
      this.#isSure = false
    }
    this.#beatAt = began
  }

  /** Called after each command of a round: with a slow store, a round may last longer than a lease. */
  async #beatIfDue(): Promise<void> {
    if (this.elapsed() - this.#beatAt > this.lifeMs / 4) await this.#beat()
  }

  /** Others may be about to take the leases of a process that was paused: each one is renewed for itself then. */
  async #renewIfLate(): Promise<void> {
    if (!this.#wasLate) return
    this.#wasLate = false
    try {
      for (const [piece, version] of this.#held) {
        if (await this.table.replace(this.#lease(piece), version)) await this.#remember(piece)
        else this.#held.delete(piece)
        await this.#beatIfDue()
      }
    } catch (error) {
      this.#wasLate = true
      throw error
    }
  }

  /** @param free the pieces without a living holder, by the records `seen` in this round */
  async #take(share: number, free: readonly string[], seen: ReadonlyMap<string, LeaseRecord>): Promise<void> {
    for (const piece of free) {
      if (this.#held.size >= share) return
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
      if (won) await this.#remember(piece)
      await this.#beatIfDue()
    }
  }

  async #remember(piece: string): Promise<void> {
    const found = await this.table.get(`lease:${piece}`)
    // Another process may have taken it since.
    if (found?.record.holder === this.#holder) this.#held.set(piece, found.version)
    else this.#held.delete(piece)
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
