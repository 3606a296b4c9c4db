/** Converts EventStoreDB's events and positions to ours, and back. */
import type { ResolvedEvent } from '@eventstore/db-client'
import type { Position, StoredEvent } from '../core/event.ts'

interface Place {
  readonly commit: bigint
  readonly prepare: bigint
}

/** The digits of a 64-bit number. */
const digits = 20

export const toPosition = ({ commit, prepare }: Place): Position => `${padded(commit)}-${padded(prepare)}`

/** @throws RangeError for a position of another kind of log */
export function toPlace(position: Position): Place {
  const [, commit, prepare] = /^(\d{20})-(\d{20})$/.exec(position) ?? []
  if (commit === undefined || prepare === undefined) throw new RangeError(`Not a position of EventStoreDB: ${position}`)
  return { commit: BigInt(commit), prepare: BigInt(prepare) }
}

const padded = (number: bigint): string => String(number).padStart(digits, '0')

/** Empty for the server's own events, and for those of a deleted stream. */
export function toEvent({ event }: ResolvedEvent): StoredEvent[] {
  if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) return []
  const { streamId, type, revision, data, metadata, position } = event
  return [
    {
      stream: streamId,
      name: type,
      revision: Number(revision),
      position: toPosition(position ?? { commit: 0n, prepare: 0n }),
      data: data as StoredEvent['data'],
      metadata: metadata as unknown as StoredEvent['metadata'],
    },
  ]
}
