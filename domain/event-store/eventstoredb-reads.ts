/** Reads that have everything appended before: a follower may be behind. */
import { setTimeout } from 'node:timers/promises'
import { NotLeaderError, StreamNotFoundError } from '@eventstore/db-client'
import type { Through } from './eventstoredb-append.ts'
import { batchesOf, type Bounds, type Source } from './eventstoredb-batches.ts'
import { ClientReplaced, isLate, type ClientInUse } from './eventstoredb-client.ts'
import type { Right } from './eventstoredb-trouble.ts'

const maxLeaderTries = 5

export type Opened = (use: ClientInUse) => Source

interface Read<Item, Batch> {
  readonly right: Right
  /** Requires the leader. */
  readonly open: Opened
  readonly from: (items: Item[]) => Batch
}

/** Nothing for an unknown stream. Tried again where a node is no leader, or no longer. */
export async function* ofLeader<Item, Batch>(
  through: Through,
  signal: AbortSignal,
  { right, open, from }: Read<Item, Batch>,
): AsyncIterable<Batch> {
  const { clients, troubles, timeouts } = through
  for (let attempt = 1; ; attempt++) {
    let isBegun = false
    const use = clients.current
    try {
      for await (const batch of batchesOf<Item>(open(use), { ...boundsOf(through, use), signal })) {
        isBegun = true
        yield from(batch)
      }
      return
    } catch (error) {
      if (error instanceof StreamNotFoundError) return
      if (isLate(error)) clients.replaceIfSilent(use)
      const isElsewhere = error instanceof NotLeaderError || error instanceof ClientReplaced
      if (!isElsewhere || isBegun || attempt === maxLeaderTries) throw await troubles.of(error, right)
    }
    await setTimeout(timeouts.betweenTriesMs)
  }
}

/** Without the signal that ends the read. */
export const boundsOf = ({ clients, timeouts }: Through, use: ClientInUse): Omit<Bounds, 'signal'> => ({
  pauseMs: timeouts.answerMs,
  replaced: use.replaced,
  onSlow: () => clients.lookForLeader(use),
})
