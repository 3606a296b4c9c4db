/**
 * Verifies the log for an auditor: checks each event against the previous one of its stream, and tracks what
 * checkpoints of both versions sign. Its memory grows with the number of streams, so it is for commands, not for a
 * server's own work.
 */
import { createHash } from 'node:crypto'
import type { Position, StoredEvent } from '../core/event.ts'
import { flawOf, type FlawKind } from '../event-store/chain.ts'
import { yieldToEventLoop } from '../event-store/yield-to-event-loop.ts'
import { LogTree, type Standing } from './log-tree.ts'
import { MerkleTree } from './merkle.ts'
import { sorted } from './sorted.ts'

export interface Head {
  readonly revision: number
  readonly hash: string
}

/** A flaw in an event, with its place in its stream. */
export interface LedgerFlaw {
  readonly stream: string
  readonly revision: number
  readonly problem: FlawKind
}

/** A stream's leaf in the Merkle tree of stream heads. */
export const leafOf = (stream: string, { revision, hash }: Head): string => JSON.stringify([stream, revision, hash])

const headsBetweenYields = 2_000

export class Ledger {
  readonly #heads = new Map<string, Head>()
  readonly tree = new LogTree()
  #order = ''

  get events(): number {
    return this.tree.events
  }
  get streams(): number {
    return this.#heads.size
  }
  get position(): Position | null {
    return this.tree.position
  }
  /** Version 1: a digest over all events in the log's order, which its root doesn't cover; '' for an empty log. */
  get order(): string {
    return this.#order
  }
  /** Each stream's name and end, by name. */
  async *heads(): AsyncGenerator<readonly [string, Head]> {
    let read = 0
    for (const stream of await sorted(this.#heads.keys())) {
      if (++read % headsBetweenYields === 0) await yieldToEventLoop()
      const head = this.#heads.get(stream)
      if (head) yield [stream, head]
    }
  }
  headOf(stream: string): Head | null {
    return this.#heads.get(stream) ?? null
  }

  /** Takes the next event in log order. Returns its flaw, if any, and continues after it in any case. */
  take(event: StoredEvent): LedgerFlaw | null {
    const { stream, revision, position } = event
    const flaw = flawOf(event, this.#heads.get(stream) ?? null)
    this.pass({ stream, revision, position, hash: event.metadata.hash })
    return flaw && { stream, revision, problem: flaw }
  }

  /** Takes the next event without checking it. */
  pass(standing: Standing): void {
    const { stream, revision, hash } = standing
    this.tree.pass(standing)
    this.#heads.set(stream, { revision, hash: hash ?? '' })
    this.#order = createHash('sha256')
      .update(this.#order)
      .update(String(hash ?? ''))
      .digest('hex')
  }

  /** Version 1: the Merkle root over all streams' ends, ordered by stream name. */
  async rootOfHeads(): Promise<string> {
    const tree = new MerkleTree()
    for await (const [stream, head] of this.heads()) tree.add(leafOf(stream, head))
    return tree.root()
  }
}
