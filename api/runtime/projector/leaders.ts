/** Detects shared work without a leader, in a process that may have no part in it. */
import type { RecordTable, Records } from '../../records/port.ts'
import type { StoreHealth } from '../../core/store-health.ts'
import { startLoop } from '../../core/loop.ts'
import {
  assignmentId,
  leaseMs,
  leases,
  maxHolders,
  type AssignmentRecord,
  type HolderRecord,
} from '../../records/leases.ts'

interface Options {
  readonly everyMs?: number
  /** How long a piece may be without a leader: during a handover, or until a killed leader is replaced. */
  readonly vacantMs?: number
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number
}

export class Leaders {
  /** The last beat of each piece's leader. */
  readonly #signs: Map<string, { readonly beat: string | null; readonly at: number }>

  private constructor(
    private readonly holders: RecordTable<HolderRecord>,
    private readonly assignments: RecordTable<AssignmentRecord>,
    private readonly vacantMs: number,
    private readonly elapsed: () => number,
    pieces: readonly string[],
  ) {
    this.#signs = new Map(pieces.map((piece) => [piece, { beat: null, at: elapsed() }]))
  }

  static async open(
    records: Records,
    pieces: readonly string[],
    { vacantMs = 2 * leaseMs, elapsed = () => performance.now() }: Options = {},
  ): Promise<Leaders> {
    const holders = await records.table<HolderRecord>(leases)
    return new Leaders(holders, await records.table<AssignmentRecord>(leases), vacantMs, elapsed, pieces)
  }

  async look(): Promise<void> {
    const read = async () => {
      const holders = await this.holders.find('kind', 'projectors', maxHolders)
      return { holders, assigned: (await this.assignments.get(assignmentId('projectors')))?.record.holders ?? {} }
    }
    const { holders, assigned } = await read().catch((error: unknown) => {
      // While the leases can't be read, a missing beat proves nothing.
      for (const [piece, { beat }] of this.#signs) this.#signs.set(piece, { beat, at: this.elapsed() })
      throw error
    })
    const beats = new Map(holders.map(({ holder, beat }) => [holder, beat]))
    for (const [piece, known] of this.#signs) {
      const beat = beats.get(assigned[piece] ?? '')
      if (beat !== undefined && known.beat !== beat) this.#signs.set(piece, { beat, at: this.elapsed() })
    }
  }

  notReady(): readonly string[] {
    const led = [...this.#signs].filter(([, { at }]) => this.elapsed() - at <= this.vacantMs).map(([piece]) => piece)
    const vacant = [...this.#signs.keys()].filter((piece) => !led.includes(piece))
    return vacant.length === 0 ? [] : [`No projector builds ${vacant.join(', ')}`]
  }
}

export async function watchLeaders(
  records: Records,
  pieces: readonly string[],
  { everyMs = 2_000, ...options }: Options = {},
): Promise<StoreHealth> {
  const leaders = await Leaders.open(records, pieces, options)
  const loop = startLoop({ everyMs, round: () => leaders.look(), onError: () => {} })
  return { notReady: () => leaders.notReady(), stop: () => void loop.stop() }
}
