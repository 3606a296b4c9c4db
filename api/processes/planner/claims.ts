/**
 * Tells other planners what this one is about to have written, so that no text is paid for twice. A courtesy: that no slot
 * has two posts follows from their ids.
 */
import type { RecordTable, Records } from '../../records/port.ts'
import { later, type Clock } from '../../core/clock.ts'

interface Claim {
  /** The post's. */
  readonly id: string
  readonly until: string
}

export class Claims {
  private constructor(
    private readonly table: RecordTable<Claim>,
    private readonly clock: Clock,
    private readonly lifeMs: number,
  ) {}

  /** @param lifeMs longer than a text takes: after it, whoever claimed is taken for dead */
  static async open(records: Records, clock: Clock, lifeMs: number): Promise<Claims> {
    return new Claims(await records.table<Claim>({ table: 'planned_texts', indexed: ['until'] }), clock, lifeMs)
  }

  /** False while another planner has it. */
  async take(postId: string): Promise<boolean> {
    const now = this.clock.now()
    const claim = { id: postId, until: later(now, this.lifeMs) }
    const found = await this.table.get(postId)
    if (!found) return this.table.insert(claim)
    return found.record.until <= now && this.table.replace(claim, found.version)
  }

  async give(postId: string): Promise<void> {
    await this.table.remove(postId)
  }

  /** Forgets those of planners that died and that nobody took over. */
  async sweep(): Promise<void> {
    await this.table.removeBefore('until', later(this.clock.now(), -24 * 3_600_000))
  }
}
