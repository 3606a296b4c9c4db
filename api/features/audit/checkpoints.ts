/** Signed statements of how far the log is and what it holds: whoever keeps one outside can tell if anything before it changes. */
import { z } from 'zod'
import type { Ledger } from '../../../domain/audit/ledger.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { RecordTable, Records } from '../../records/port.ts'
import { SignatureProblem, type Signer } from './signing.ts'

export const checkpointSchema = z.object({
  /** Of the log's last event that it covers. */
  position: z.string(),
  at: z.string(),
  streams: z.int(),
  events: z.int(),
  /** Merkle root over all streams' ends, by name. */
  root: z.string(),
  /** The ledger's digest over all events in the log's order. Earlier checkpoints have none. */
  order: z.string().optional(),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

export interface KeptCheckpoint extends Checkpoint {
  readonly signed: string
}

interface CheckpointRecord extends KeptCheckpoint {
  readonly id: string
  readonly kind: 'checkpoint' | 'latest'
}

const maxListed = 1_000
/** Records are found by ascending id: what covers most comes first. */
const idOf = (events: number) => String(1e15 - events).padStart(16, '0')

export class Checkpoints {
  private constructor(
    private readonly table: RecordTable<CheckpointRecord>,
    private readonly signer: Signer,
  ) {}

  static async open(records: Records, signer: Signer): Promise<Checkpoints> {
    return new Checkpoints(
      await records.table<CheckpointRecord>({ table: 'audit_checkpoints', indexed: ['kind', 'at'] }),
      signer,
    )
  }

  async latest(): Promise<KeptCheckpoint | null> {
    return (await this.table.get('latest'))?.record ?? null
  }

  /** The one that covers most, as it was signed: what stands beside the signature could have been changed by anybody. */
  async newestTrusted(): Promise<Checkpoint | null> {
    let newest: Checkpoint | null = null
    for (const { signed } of [(await this.latest()) ?? [], await this.all()].flat()) {
      const { data: checkpoint } = checkpointSchema.safeParse(
        await this.signer.verify('checkpoint', signed).catch(nothingOfOurs),
      )
      if (checkpoint && checkpoint.events > (newest?.events ?? 0)) newest = checkpoint
    }
    return newest
  }

  /** The newest first. */
  async all(): Promise<readonly KeptCheckpoint[]> {
    const found = await this.table.find('kind', 'checkpoint', maxListed)
    return found.map(({ id: _, kind: __, ...checkpoint }) => checkpoint)
  }

  /** Signs where the ledger is and keeps it. Null when it has seen nothing yet. */
  async sign(ledger: Ledger, at: Instant): Promise<KeptCheckpoint | null> {
    const { position, streams, events, order } = ledger
    if (position === null) return null
    const checkpoint: Checkpoint = { position, at, streams, events, root: ledger.root(), order }
    const kept = { ...checkpoint, signed: await this.signer.sign('checkpoint', checkpoint) }
    // Two that sign the same log sign the same thing.
    await this.table.put({ ...kept, id: idOf(events), kind: 'checkpoint' })
    await this.table.put({ ...kept, id: 'latest', kind: 'latest' })
    return kept
  }
}

function nothingOfOurs(error: unknown): null {
  if (error instanceof SignatureProblem) return null
  throw error
}
