/**
 * Shares work between processes: each piece is led by the holder of its lease, and all processes have about the same
 * number. One record assigns all pieces to their holders and changes by compare-and-set, so a handover takes a few
 * commands however many pieces there are. A process renews all its leases with one write, the beat of its own record.
 * No clocks are compared between machines: a holder is dead when its beat has not changed for a lifetime, and its
 * leases with it.
 */
import { randomUUID } from 'node:crypto'
import type { RecordDefinition, RecordTable, Records, Versioned } from './port.ts'

/** A process that is alive. */
export interface HolderRecord {
  /** `holder:<its id>` */
  readonly id: string
  /** Preceded by the group's name, if it has one. */
  readonly kind: string
  readonly holder: string
  /** Changes with each round. */
  readonly beat: string
}

/** The leases of one group. */
export interface AssignmentRecord {
  /** Preceded by the group's name, if it has one. */
  readonly id: string
  readonly kind: 'assignment'
  /** The holder's id, by piece. A piece without an entry is free. */
  readonly holders: Readonly<Record<string, string>>
}

export const assignmentId = 'assignment'
export const leases = { table: 'leases', indexed: ['kind'] } as const satisfies RecordDefinition<HolderRecord>
/** The lifetime of a lease without renewal. */
export const leaseMs = 5_000
/** Read in one query. */
export const maxHolders = 1_000
/** The part of a lifetime between two beats within which no other process can take this one for dead. */
const latest = 0.9
/** A dead holder's record is removed after so many lifetimes, long after its leases were taken. */
const lifetimesKept = 10
/** Attempts in one round to change an assignment that other processes change too. */
const maxTries = 3

export interface LeaseOptions {
  readonly lifeMs: number
  /** The processes that share the same pieces. Absent for the projectors, which came first. */
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

type Assignment = AssignmentRecord['holders']

export class Leases {
  #held: readonly string[] = []
  #share = 0
  readonly #seen = new Map<string, { readonly beat: string; readonly since: number }>()
  readonly #holder = randomUUID()
  #beatAt = Number.NEGATIVE_INFINITY
  /** Whether others may have taken this process for dead since its leases were renewed. */
  #wasLate = false
  /** False once others may have, until the next round has ended. */
  #isSure = false

  private constructor(
    private readonly holders: RecordTable<HolderRecord>,
    private readonly assignments: RecordTable<AssignmentRecord>,
    private readonly pieces: readonly string[],
    private readonly names: { readonly assignment: string; readonly holder: string },
    private readonly lifeMs: number,
    private readonly elapsed: () => number,
  ) {}

  static async open(
    records: Records,
    pieces: readonly string[],
    { lifeMs, group, elapsed = () => performance.now() }: LeaseOptions,
  ): Promise<Leases> {
    const holders = await records.table<HolderRecord>(leases)
    const assignments = await records.table<AssignmentRecord>(leases)
    const prefix = group === undefined ? '' : `${group}-`
    // Earlier versions kept a record for each lease.
    for (const { id } of await holders.find('kind', `${prefix}lease`, maxHolders)) await holders.remove(id)
    const names = { assignment: `${prefix}${assignmentId}`, holder: `${prefix}holder` }
    return new Leases(holders, assignments, pieces, names, lifeMs, elapsed)
  }

  /** The pieces that this process holds, as far as it knows; those beyond its share included. */
  get held(): readonly string[] {
    return this.#held
  }

  /** Whether what the last round returned still holds: no other process can have taken this one for dead since then. */
  get isSure(): boolean {
    return this.#isSure && this.elapsed() - this.#beatAt < this.lifeMs
  }

  /**
   * Renews this process's leases, and takes free or dead ones up to its share. Repeat it well within a lease's
   * lifetime. After an error, `held` may have shrunk.
   *
   * @throws errors of the records
   */
  async round(): Promise<Shares> {
    await this.#beat()
    for (let tries = 0; tries < maxTries; tries++) if (await this.#renewAndTake()) break
    this.#isSure = !this.#wasLate
    return { led: this.#held.slice(0, this.#share), surplus: this.#held.slice(this.#share) }
  }

  /**
   * Gives pieces back, so that others can take them at once. Those that it still holds afterwards are surplus in the
   * next round too.
   */
  async give(pieces: Iterable<string>): Promise<void> {
    const given = new Set(pieces)
    for (let tries = 0; tries < maxTries && this.#held.some((piece) => given.has(piece)); tries++) {
      const found = await this.#read()
      await this.#write(
        found,
        this.#entries(found).filter(([piece, holder]) => holder !== this.#holder || !given.has(piece)),
      )
      await this.#beatIfDue()
    }
  }

  /** Gives everything back and deregisters this process: the leases of a holder without a record are free. */
  async leave(): Promise<void> {
    await this.holders.remove(`holder:${this.#holder}`)
    this.#held = []
  }

  /** False when another process has changed the assignment meanwhile. */
  async #renewAndTake(): Promise<boolean> {
    // A process that was late beats before it renews. So the assignment is read before the beats: either its beat is
    // seen here, or the write fails.
    const found = await this.#read()
    const alive = await this.#alive()
    this.#share = Math.ceil(this.pieces.length / (alive.size + 1))
    const assigned = found?.record.holders ?? {}
    const free = this.pieces.filter((piece) => assigned[piece] !== this.#holder && !alive.has(assigned[piece] ?? ''))
    const taken = free.slice(0, Math.max(0, this.#share - this.#held.length))
    const isRenewing = this.#wasLate && this.#held.length > 0
    if (taken.length > 0 || isRenewing) {
      // Pieces of another version of this program are kept while their holders live.
      const kept = this.#entries(found).filter(
        ([piece, holder]) => this.pieces.includes(piece) || alive.has(holder) || holder === this.#holder,
      )
      const written = await this.#write(found, [...kept, ...taken.map((piece) => [piece, this.#holder] as const)])
      if (!written) return false
    }
    // Before the next beat, which may be late again.
    this.#wasLate = false
    await this.#beatIfDue()
    return true
  }

  async #beat(): Promise<void> {
    const began = this.elapsed()
    const id = `holder:${this.#holder}`
    await this.holders.put({ id, kind: this.names.holder, holder: this.#holder, beat: randomUUID() })
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

  /**
   * What the records say is ours, is ours: a failed command may have taken it, or not given it back, and no other
   * process takes it from one that is alive.
   */
  async #read(): Promise<Versioned<AssignmentRecord> | null> {
    const found = await this.assignments.get(this.names.assignment)
    this.#know(found?.record.holders ?? {})
    await this.#beatIfDue()
    return found
  }

  /** False when the assignment is no longer the one that was found. */
  async #write(
    found: Versioned<AssignmentRecord> | null,
    entries: readonly (readonly [string, string])[],
  ): Promise<boolean> {
    const record: AssignmentRecord = {
      id: this.names.assignment,
      kind: 'assignment',
      holders: Object.fromEntries(entries),
    }
    const isWritten = await (found === null
      ? this.assignments.insert(record)
      : this.assignments.replace(record, found.version))
    if (isWritten) this.#know(record.holders)
    return isWritten
  }

  #know(assigned: Assignment): void {
    this.#held = this.pieces.filter((piece) => assigned[piece] === this.#holder)
  }

  #entries(found: Versioned<AssignmentRecord> | null): (readonly [string, string])[] {
    return Object.entries(found?.record.holders ?? {})
  }

  /** The other processes that are alive. */
  async #alive(): Promise<ReadonlySet<string>> {
    const holders = await this.holders.find('kind', this.names.holder, maxHolders)
    const others = holders.filter(({ holder }) => holder !== this.#holder)
    const alive = others.filter((record) => !this.#isDead(record)).map(({ holder }) => holder)
    const ids = new Set(holders.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
    await this.#beatIfDue()
    for (const record of others.filter((each) => this.#isDead(each, lifetimesKept))) {
      await this.holders.remove(record.id)
      await this.#beatIfDue()
    }
    return new Set(alive)
  }

  /** Whether a holder's beat has not changed for so many lifetimes, as far as this process has seen. */
  #isDead({ id, beat }: HolderRecord, lifetimes = 1): boolean {
    const now = this.elapsed()
    const seen = this.#seen.get(id)
    if (seen?.beat !== beat) {
      this.#seen.set(id, { beat, since: now })
      return false
    }
    return now - seen.since > lifetimes * this.lifeMs
  }
}
