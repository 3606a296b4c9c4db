/**
 * Signed statements of the log's position and content. A copy kept elsewhere reveals any later change to earlier
 * events.
 */
import { z } from 'zod'
import { LogTree, type LogTreeState } from '../../../domain/audit/log-tree.ts'
import type { Instant } from '../../../domain/core/event.ts'
import type { RecordTable, Records } from '../../records/port.ts'
import { SignatureProblem, type Signer } from './signing.ts'

const covered = {
  /** Position of the last covered event. */
  position: z.string(),
  at: z.string(),
  events: z.int(),
}

/** Signed by earlier versions of the product; `npm run audit -- verify` verifies them for ever. */
const version1 = z.object({
  version: z.literal(1).default(1),
  ...covered,
  streams: z.int(),
  /** Merkle root over the last hashes of all streams, by name. */
  root: z.string(),
  /** The ledger's digest over all events in the log's order. Absent in the oldest checkpoints. */
  order: z.string().optional(),
})

const version2 = z.object({
  version: z.literal(2),
  ...covered,
  /** RFC 6962 Merkle root over the hashes of all events (as hexadecimal text), in the log's order. */
  root: z.string(),
})

export const checkpointSchema = z.union([version2, version1])
export type Checkpoint = z.output<typeof checkpointSchema>

export interface KeptCheckpoint {
  readonly position: string
  readonly at: Instant
  readonly events: number
  readonly root: string
  readonly signed: string
}

interface CheckpointRecord extends KeptCheckpoint {
  readonly id: string
  readonly kind: 'checkpoint' | 'latest'
  /** Of the latest checkpoint: how its tree goes on. */
  readonly tree?: LogTreeState
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
   * The tree of the latest checkpoint, to be continued. Null without one of version 2, and when its record is not what
   * was signed.
   */
  async latestTree(): Promise<LogTree | null> {
    const latest = (await this.table.get('latest'))?.record
    if (!latest?.tree) return null
    const checkpoint = await this.#trusted(latest.signed)
    const tree = LogTree.restore(latest.tree)
    return checkpoint?.version === 2 && tree?.events === checkpoint.events && tree.root() === checkpoint.root
      ? tree
      : null
  }

  /**
   * The checkpoint that covers most events, read from its signature: the unsigned columns beside it could have been
   * altered.
   */
  async newestTrusted(): Promise<Checkpoint | null> {
    let newest: Checkpoint | null = null
    for (const { signed } of [(await this.latest()) ?? [], await this.all()].flat()) {
      const checkpoint = await this.#trusted(signed)
      if (checkpoint && checkpoint.events > (newest?.events ?? 0)) newest = checkpoint
    }
    return newest
  }

  /** Newest first. */
  async all(): Promise<readonly KeptCheckpoint[]> {
    const found = await this.table.find('kind', 'checkpoint', maxListed)
    return found.map(({ id: _, kind: __, ...checkpoint }) => checkpoint)
  }

  /** Signs the tree's current state and stores it. Null when the tree is still empty. */
  async sign(tree: LogTree, at: Instant): Promise<KeptCheckpoint | null> {
    const { state } = tree
    if (state === null) return null
    const { events, last } = state
    const checkpoint = { version: 2, position: last.position, at, events, root: tree.root() } satisfies Checkpoint
    const kept = { ...checkpoint, signed: await this.signer.sign('checkpoint', checkpoint) }
    // Two processes that sign the same log overwrite the same record: its id is derived from the event count.
    await this.table.put({ ...kept, id: idOf(events), kind: 'checkpoint' })
    await this.table.put({ ...kept, id: 'latest', kind: 'latest', tree: state })
    return kept
  }

  async #trusted(signed: string): Promise<Checkpoint | null> {
    const payload = await this.signer.verify('checkpoint', signed).catch(nothingOfOurs)
    return checkpointSchema.safeParse(payload).data ?? null
  }
}

function nothingOfOurs(error: unknown): null {
  if (error instanceof SignatureProblem) return null
  throw error
}
