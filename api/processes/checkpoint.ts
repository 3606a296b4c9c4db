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

/**
 * A checkpoint that is written once for all events of an interval: a durable write for each event would cost the
 * command that appended it as much as the append itself. For a process that may handle an event again after a crash.
 */
export class DelayedCheckpoint {
  #reached: Position | null = null
  #timer: NodeJS.Timeout | null = null

  /**
   * @param delayMs from the first unwritten event to the write
   * @param onError called when the delayed write fails; the next event starts another one
   */
  constructor(
    private readonly checkpoints: RecordTable<Checkpoint>,
    private readonly id: string,
    private readonly delayMs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The events up to here are handled. */
  moveTo(position: Position): void {
    this.#reached = position
    this.#timer ??= setTimeout(() => void this.write().catch(this.onError), this.delayMs).unref()
  }

  /** Writes it now, if it moved. @throws StoreUnavailable */
  async write(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const position = this.#reached
    this.#reached = null
    if (position !== null) await moveOn(this.checkpoints, { id: this.id, position })
  }
}
