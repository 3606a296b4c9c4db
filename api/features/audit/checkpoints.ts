/**
 * Signed statements of the log's position and content. A copy kept elsewhere reveals any later change to earlier
 * events.
 */
import { z } from 'zod'
import type { Ledger } from '../../../domain/audit/ledger.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { RecordTable, Records } from '../../records/port.ts'
import { SignatureProblem, type Signer } from './signing.ts'

export const checkpointSchema = z.object({
  /** Position of the last covered event. */
  position: z.string(),
  at: z.string(),
  streams: z.int(),
  events: z.int(),
  /** Merkle root over the last hashes of all streams, by name. */
  root: z.string(),
  /** The ledger's digest over all events in the log's order. Absent in checkpoints of earlier versions. */
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
/** Records are found by ascending id, so the checkpoint that covers most events comes first. */
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

  /**
   * The checkpoint that covers most events, read from its signature: the unsigned columns beside it could have been
   * altered.
   */
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

  /** Newest first. */
  async all(): Promise<readonly KeptCheckpoint[]> {
    const found = await this.table.find('kind', 'checkpoint', maxListed)
    return found.map(({ id: _, kind: __, ...checkpoint }) => checkpoint)
  }

  /** Signs the ledger's current state and stores it. Null when the ledger is still empty. */
  async sign(ledger: Ledger, at: Instant): Promise<KeptCheckpoint | null> {
    const { position, streams, events, order } = ledger
    if (position === null) return null
    const checkpoint: Checkpoint = { position, at, streams, events, root: ledger.root(), order }
    const kept = { ...checkpoint, signed: await this.signer.sign('checkpoint', checkpoint) }
    // Two processes that sign the same log overwrite the same record: its id is derived from the event count.
    await this.table.put({ ...kept, id: idOf(events), kind: 'checkpoint' })
    await this.table.put({ ...kept, id: 'latest', kind: 'latest' })
    return kept
  }
}

function nothingOfOurs(error: unknown): null {
  if (error instanceof SignatureProblem) return null
  throw error
}
