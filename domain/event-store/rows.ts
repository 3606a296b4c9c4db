/** Converts rows of the log's file to events, and positions to numbers and back. */
import type { Position, StoredEvent } from '../core/event.ts'
import { UnreadableEvent } from './port.ts'
import type { Row } from './sqlite.ts'

/** Less than every SQLite row id. */
const BEFORE_ALL = -1e19

/** @throws UnreadableEvent */
export function toEvent([position, stream, revision, name, data, metadata]: Row): StoredEvent {
  const read = objectIn(data)
  const about = objectIn(metadata)
  // Written out: a spread would create a second object for each event.
  const event = {
    position: toPosition(Number(position)),
    stream: String(stream),
    revision: Number(revision),
    name: String(name),
    data: read as StoredEvent['data'],
    metadata: about as unknown as StoredEvent['metadata'],
  }
  if (!read || !about) throw new UnreadableEvent(event, typeof about?.['hash'] === 'string' ? about['hash'] : null)
  return event
}

/**
 * The events up to the first unreadable one, which throws when its turn comes. @throws UnreadableEvent for the very
 * first
 */
export function readable(rows: readonly Row[]): StoredEvent[] {
  const events: StoredEvent[] = []
  for (const row of rows) {
    try {
      events.push(toEvent(row))
    } catch (error) {
      if (events.length === 0) throw error
      break
    }
  }
  return events
}

function objectIn(text: Row[number] | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(String(text))
    return typeof read === 'object' && !Array.isArray(read) ? (read as Readonly<Record<string, unknown>> | null) : null
  } catch {
    return null
  }
}

/** Only a forged row has a negative position, and it must not stay hidden. */
export function toPosition(position: number): Position {
  return position < 0 ? `-${String(-position).padStart(15, '0')}` : String(position).padStart(16, '0')
}

export function toNumber(position: Position | null): number {
  return position === null ? BEFORE_ALL : Number(position)
}
