/** A process's checkpoint in the log. It only moves forward: a slow or paused process never sets it back. */
import type { Position } from '../../domain/core/event.ts'
import type { RecordTable } from '../records/port.ts'

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
