/**
 * Shares work between processes: each piece is led by the holder of its lease, and all processes have about the same
 * number. One record assigns all pieces to their holders and changes by compare-and-set, so a handover takes a few
 * commands however many pieces there are. A process renews all its leases with one write, the beat of its own record.
 * No clocks are compared between machines: a holder is dead when its beat has not changed for a lifetime, and its
 * leases with it.
 */
import { randomUUID } from 'node:crypto'
import { RecordsFull } from './bounded.ts'
import type { RecordDefinition, RecordTable, Records, Versioned } from './port.ts'

export type LeaseGroup = 'projectors' | 'workers'

/** A process that is alive. */
export interface HolderRecord {
  /** `holder:<its id>` */
  readonly id: string
  readonly kind: LeaseGroup
  readonly holder: string
  /** Changes with each round. */
  readonly beat: string
  /** What it can lead: during an upgrade, processes of two versions know different pieces. */
  readonly pieces: readonly string[]
}

/** The leases of one group. */
export interface AssignmentRecord {
  readonly id: ReturnType<typeof assignmentId>
  /** The table has an index on it. Nothing looks an assignment up by it. */
  readonly kind: 'assignment'
  /** The holder's id, by piece. A piece is free without an entry, and when its holder is dead or has left. */
  readonly holders: Readonly<Record<string, string>>
}

export const assignmentId = (group: LeaseGroup) => `assignment:${group}` as const
export const leases = { table: 'leases', indexed: ['kind'] } as const satisfies RecordDefinition<
  HolderRecord | AssignmentRecord
>
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
  /** The processes that share the same pieces. */
  readonly group: LeaseGroup
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

export interface Shares {
  /** The pieces that this process works on. `leads` is false for them while another one may take it for dead. */
  readonly led: readonly string[]
  /** The pieces that it holds beyond its share: stop them, then give them back. */
  readonly surplus: readonly string[]
}

type Found = Versioned<AssignmentRecord> | null

export class Leases {
  #held: readonly string[] = []
  #led: ReadonlySet<string> = new Set()
  readonly #seen = new Map<string, { readonly beat: string; readonly since: number }>()
  readonly #holder = randomUUID()
  #beatAt = Number.NEGATIVE_INFINITY
  /**
   * The version of the assignment that a write on its way may still replace: one of a process that took this one for
   * dead before a late beat, or our own without an answer. No such write takes effect once the version has changed.
   * `unread` from a late beat until the assignment is read; null when there is no such write.
   */
  #endangered: number | 'unread' | null = null
  /** Whether the last round has ended with no such write, and no beat has been late since. */
  #isSure = false

  private constructor(
    private readonly holders: RecordTable<HolderRecord>,
    private readonly assignments: RecordTable<AssignmentRecord>,
    private readonly pieces: readonly string[],
    private readonly group: LeaseGroup,
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
    return new Leases(holders, assignments, pieces, group, lifeMs, elapsed)
  }

  /** The pieces that this process holds, as far as it knows; those beyond its share included. */
  get held(): readonly string[] {
    return this.#held
  }

  /** Whether this process works on the piece: no other one can have taken it for dead since the last round. */
  leads(piece: string): boolean {
    return this.#isSure && this.elapsed() - this.#beatAt < this.lifeMs && this.#led.has(piece)
  }

  /**
   * Renews this process's leases, and takes free or dead ones up to its share. Repeat it well within a lease's
   * lifetime. After an error, `held` may have shrunk.
   *
   * @throws errors of the records; Error beside a thousand other processes
   */
  async round(): Promise<Shares> {
    await this.#firstBeat()
    let shares = await this.#renewAndTake()
    // After the last try, the next round tries again.
    for (let tries = 1; !shares.isCurrent && tries < maxTries; tries++) shares = await this.#renewAndTake()
    const { led, surplus } = shares
    this.#led = new Set(led)
    this.#isSure = this.#endangered === null
    return { led, surplus }
  }

  /**
   * Gives pieces back, so that others can take them at once. Those that it still holds afterwards are surplus in the
   * next round too.
   */
  async give(pieces: Iterable<string>): Promise<void> {
    const given = new Set(pieces)
    for (let tries = 0; tries < maxTries && this.#held.some((piece) => given.has(piece)); tries++) {
      const found = await this.#read()
      const isLeft = ([piece, holder]: readonly [string, string]) => holder !== this.#holder || !given.has(piece)
      await this.#write(found, entriesOf(found).filter(isLeft))
      await this.#beatIfDue()
    }
  }

  /**
   * Deregisters this process: the leases of a holder without a record are free. The assignment names it until another
   * process changes it.
   */
  async leave(): Promise<void> {
    this.#isSure = false
    await this.holders.remove(`holder:${this.#holder}`)
    this.#held = []
  }

  /** Not current when another process has changed the assignment meanwhile. */
  async #renewAndTake(): Promise<Shares & { readonly isCurrent: boolean }> {
    // A late process beats first, and then changes the assignment. Where this one reads the assignment before the
    // beats, it either sees that beat, or its write fails.
    const found = await this.#read()
    const others = await this.#othersAlive()
    const { share, byRarity } = this.#shareBeside(others)
    const alive = new Set(others.map(({ holder }) => holder))
    const assigned = found?.record.holders ?? {}
    const free = byRarity.filter((piece) => assigned[piece] !== this.#holder && !alive.has(assigned[piece] ?? ''))
    const taken = free.slice(0, Math.max(0, share - this.#held.length))
    const isKept = ([piece, holder]: readonly [string, string]) => this.pieces.includes(piece) || alive.has(holder)
    const added = taken.map((piece) => [piece, this.#holder] as const)
    const isCurrent =
      (taken.length === 0 && (this.#endangered === null || this.#held.length === 0)) ||
      (await this.#write(found, [...entriesOf(found).filter(isKept), ...added]))
    await this.#beatIfDue()
    const held = byRarity.filter((piece) => this.#held.includes(piece))
    return { led: held.slice(0, share), surplus: held.slice(share), isCurrent }
  }

  /**
   * This process's share, and its pieces in the order in which it takes and keeps them: first those that few others can
   * lead. A piece counts for each process that can lead it in equal parts, so the shares of all cover all pieces.
   */
  #shareBeside(others: readonly HolderRecord[]): { readonly share: number; readonly byRarity: readonly string[] } {
    const able = new Map(this.pieces.map((piece) => [piece, 1]))
    for (const { pieces } of others)
      for (const piece of pieces) {
        const known = able.get(piece)
        if (known !== undefined) able.set(piece, known + 1)
      }
    const parts = this.pieces.reduce((sum, piece) => sum + 1 / (able.get(piece) ?? 1), 0)
    return {
      // The sum of fractions may be a little above the whole number.
      share: Math.ceil(parts - 1e-6),
      byRarity: this.pieces.toSorted((a, b) => (able.get(a) ?? 1) - (able.get(b) ?? 1)),
    }
  }

  async #firstBeat(): Promise<void> {
    try {
      await this.#beat()
    } catch (error) {
      // Nothing else removes the dead ones that fill the table.
      if (error instanceof RecordsFull) await this.#othersAlive()
      throw error
    }
  }

  async #beat(): Promise<void> {
    const began = this.elapsed()
    const { group: kind, pieces } = this
    await this.holders.put({
      id: `holder:${this.#holder}`,
      kind,
      holder: this.#holder,
      beat: randomUUID(),
      pieces,
    })
    // The others saw the last beat after it began, and this one by now.
    if (this.elapsed() - this.#beatAt > this.lifeMs * latest) {
      this.#endangered = 'unread'
      this.#isSure = false
    }
    this.#beatAt = began
  }

  /** Called after each command of a round: with a slow store, a round may last longer than a lease. */
  async #beatIfDue(): Promise<void> {
    if (this.elapsed() - this.#beatAt > this.lifeMs / 4) await this.#beat()
  }

  /**
   * What the record says is ours, is ours: a failed command may have taken it, or not given it back, and no other
   * process takes it from one that is alive.
   */
  async #read(): Promise<Found> {
    const found = await this.assignments.get(assignmentId(this.group))
    const version = versionOf(found)
    if (this.#endangered === 'unread') this.#endangered = version
    else if (this.#endangered !== version) this.#endangered = null
    this.#know(found?.record.holders ?? {})
    // There was nothing to lose when the assignment was read. A later beat may be late again.
    if (this.#held.length === 0) this.#endangered = null
    await this.#beatIfDue()
    return found
  }

  /** False when the assignment is no longer the one that was found. */
  async #write(found: Found, entries: readonly (readonly [string, string])[]): Promise<boolean> {
    const record: AssignmentRecord = {
      id: assignmentId(this.group),
      kind: 'assignment',
      holders: Object.fromEntries(entries),
    }
    const before = this.#endangered
    // The store may still do what it gave no answer to.
    this.#endangered ??= versionOf(found)
    const isWritten = await (found === null
      ? this.assignments.insert(record)
      : this.assignments.replace(record, found.version))
    // Written, the version has changed since it was found. Refused, another write changed it: perhaps the one that
    // endangered our pieces, so they are ours again only once they are read.
    this.#endangered = isWritten ? null : before
    if (isWritten) this.#know(record.holders)
    return isWritten
  }

  #know(assigned: AssignmentRecord['holders']): void {
    this.#held = this.pieces.filter((piece) => assigned[piece] === this.#holder)
  }

  async #othersAlive(): Promise<readonly HolderRecord[]> {
    // A beat may change while the answer is on its way.
    const asked = this.elapsed()
    const holders = await this.holders.find('kind', this.group, maxHolders)
    for (const { id, beat } of holders)
      if (this.#seen.get(id)?.beat !== beat) this.#seen.set(id, { beat, since: this.elapsed() })
    const ids = new Set(holders.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!ids.has(id)) this.#seen.delete(id)
    const silentFor = ({ id }: HolderRecord) => asked - (this.#seen.get(id)?.since ?? asked)
    const others = holders.filter(({ holder }) => holder !== this.#holder)
    for (const record of others) if (silentFor(record) > lifetimesKept * this.lifeMs) await this.#forget(record)
    await this.#beatIfDue()
    if (holders.length === maxHolders) throw new Error(`More than ${maxHolders} processes share this work`)
    return others.filter((record) => silentFor(record) <= this.lifeMs)
  }

  /** Unless it has woken up. */
  async #forget({ id, beat }: HolderRecord): Promise<void> {
    const found = await this.holders.get(id)
    if (found?.record.beat === beat) await this.holders.remove(id, found.version)
    await this.#beatIfDue()
  }
}

const entriesOf = (found: Found): (readonly [string, string])[] => Object.entries(found?.record.holders ?? {})

/** Zero without a record: no record has this version. */
const versionOf = (found: Found): number => found?.version ?? 0
