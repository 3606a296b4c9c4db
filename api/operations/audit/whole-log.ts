/** Reads the log from beginning to end, even if it was tampered with. */
import type { Position, StoredEvent } from '../../../domain/core/event.ts'
import { UnreadableEvent, type EventStore } from '../../../domain/event-store/port.ts'

/** An unreadable event is yielded as its error, and reading continues after it. */
export async function* wholeLog(
  events: Pick<EventStore, 'readAll'>,
): AsyncGenerator<readonly (StoredEvent | UnreadableEvent)[]> {
  let after: Position | null = null
  for (;;) {
    try {
      yield* events.readAll(after)
      return
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error
      yield [error]
      after = error.place.position
    }
  }
}
