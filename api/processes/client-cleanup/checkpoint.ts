/** How far a process has come, only ever moved on: one that was slow, or paused, doesn't set back what another one reached. */
import type { Position } from '../../../domain/core/event.ts'
import type { RecordTable } from '../../records/port.ts'

export interface Checkpoint {
  readonly id: string
  readonly position: Position
}

export async function moveOn(checkpoints: RecordTable<Checkpoint>, reached: Checkpoint): Promise<void> {
  for (;;) {
    const found = await checkpoints.get(reached.id)
    if (found && found.record.position >= reached.position) return
    if (found ? await checkpoints.replace(reached, found.version) : await checkpoints.insert(reached)) return
  }
}
