/** The limit on one append, the same in every event store. */
import { AppendTooLarge } from './port.ts'

/**
 * EventStoreDB's default (`MaxAppendSize`, 23.10: ClusterVNodeOptions.cs), in all events of an append together. It
 * counts data, metadata and twice the name's length (`Event.SizeOnDisk`); earlier versions counted the data alone.
 */
export const maxAppendBytes = 1024 * 1024

/** An event as JSON texts. */
interface Encoded {
  readonly name: string
  readonly data: string
  readonly metadata: string
}

export const appendBytes = (events: readonly Encoded[]): number =>
  events.reduce(
    (sum, { name, data, metadata }) => sum + 2 * name.length + Buffer.byteLength(data) + Buffer.byteLength(metadata),
    0,
  )

/** @throws AppendTooLarge */
export function mustFit(stream: string, events: readonly Encoded[]): void {
  const bytes = appendBytes(events)
  if (bytes > maxAppendBytes) throw new AppendTooLarge(stream, bytes, maxAppendBytes)
}
