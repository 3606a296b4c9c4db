/**
 * Claims on slots, so that two planners don't pay for the same text twice. They are only an optimization: the post ids
 * guarantee that no slot gets two posts.
 */
import type { RecordTable, Records } from '../../records/port.ts'
import { later, type Clock } from '../../core/clock.ts'

interface Claim {
  /** The post's id. */
  readonly id: string
  readonly until: string
}

export class Claims {
  private constructor(
    private readonly table: RecordTable<Claim>,
    private readonly clock: Clock,
    private readonly lifeMs: number,
  ) {}

  /** @param lifeMs longer than writing a text takes: an older claim belongs to a planner that died */
  static async open(records: Records, clock: Clock, lifeMs: number): Promise<Claims> {
    return new Claims(await records.table<Claim>({ table: 'planned_texts', indexed: ['until'] }), clock, lifeMs)
  }

  /** False while another planner holds the claim. */
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

  /** Deletes expired claims of planners that died. */
  async sweep(): Promise<void> {
    await this.table.removeBefore('until', later(this.clock.now(), -24 * 3_600_000))
  }
}
