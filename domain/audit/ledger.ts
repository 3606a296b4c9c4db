/**
 * Verifies the log for an auditor: checks each event against the previous one of its stream, and tracks every stream's
 * end.
 */
import { createHash } from 'node:crypto'
import type { Position, StoredEvent } from '../core/event.ts'
import { flawOf, type FlawKind } from '../event-store/chain.ts'
import { MerkleTree } from './merkle.ts'

export interface Head {
  readonly revision: number
  readonly hash: string
}

/** An event known only by its place and its stored hash. */
export interface Standing {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly hash: string | null
}

/** A flaw in an event, with its place in its stream. */
export interface LedgerFlaw {
  readonly stream: string
  readonly revision: number
  readonly problem: FlawKind
}

/** A stream's leaf in the Merkle tree of stream heads. */
export const leafOf = (stream: string, { revision, hash }: Head): string => JSON.stringify([stream, revision, hash])

export class Ledger {
  readonly #heads = new Map<string, Head>()
  #events = 0
  #position: Position | null = null
  #order = ''

  get events(): number {
    return this.#events
  }
  get streams(): number {
    return this.#heads.size
  }
  get position(): Position | null {
    return this.#position
  }
  /** A digest over all events in the log's order, which the streams' hash chains don't cover; '' for an empty log. */
  get order(): string {
    return this.#order
  }
  /** Each stream's name and end. */
  *heads(): Generator<readonly [string, Head]> {
    for (const stream of [...this.#heads.keys()].sort()) {
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
  pass({ stream, revision, position, hash }: Standing): void {
    this.#events += 1
    this.#position = position
    this.#heads.set(stream, { revision, hash: hash ?? '' })
    this.#order = createHash('sha256')
      .update(this.#order)
      .update(String(hash ?? ''))
      .digest('hex')
  }

  /** The Merkle root over all streams' ends, ordered by stream name. */
  root(): string {
    const tree = new MerkleTree()
    for (const [stream, head] of this.heads()) tree.add(leafOf(stream, head))
    return tree.root()
  }
}
