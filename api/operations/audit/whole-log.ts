/** The log from its beginning to its end, whatever was done to it. */
import type { Position, StoredEvent } from '../../../domain/core/event.ts'
import { UnreadableEvent, type EventStore } from '../../../domain/event-store/port.ts'

/** An event that can't be read comes as the error that it is, and reading goes on behind it. */
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
