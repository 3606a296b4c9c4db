/** The log as an auditor goes through it: each event checked against the one before it in its stream, and where every stream ends. */
import { createHash } from 'node:crypto'
import type { Position, StoredEvent } from '../core/event.ts'
import { flawOf, type FlawKind } from '../event-store/chain.ts'
import { MerkleTree } from './merkle.ts'

export interface Head {
  readonly revision: number
  readonly hash: string
}

/** An event of which nothing is known but where it stands, and what hash stands there with it. */
export interface Standing {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly hash: string | null
}

/** What is wrong with an event, by its place in its stream. */
export interface LedgerFlaw {
  readonly stream: string
  readonly revision: number
  readonly problem: FlawKind
}

/** The leaf that a stream is in a tree of heads. */
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
  /** A digest over all events in the log's order, which the chains of the streams say nothing about; '' for none. */
  get order(): string {
    return this.#order
  }
  /** Where each stream ends, by name. */
  *heads(): Generator<readonly [string, Head]> {
    for (const stream of [...this.#heads.keys()].sort()) {
      const head = this.#heads.get(stream)
      if (head) yield [stream, head]
    }
  }
  headOf(stream: string): Head | null {
    return this.#heads.get(stream) ?? null
  }

  /** Goes on by one event, in log order. Answers what is wrong with it, and goes on behind it all the same. */
  take(event: StoredEvent): LedgerFlaw | null {
    const { stream, revision, position } = event
    const flaw = flawOf(event, this.#heads.get(stream) ?? null)
    this.pass({ stream, revision, position, hash: event.metadata.hash })
    return flaw && { stream, revision, problem: flaw }
  }

  /** Goes on by one that can't be checked. */
  pass({ stream, revision, position, hash }: Standing): void {
    this.#events += 1
    this.#position = position
    this.#heads.set(stream, { revision, hash: hash ?? '' })
    this.#order = createHash('sha256')
      .update(this.#order)
      .update(String(hash ?? ''))
      .digest('hex')
  }

  /** The Merkle root over all streams' ends, by the streams' names. */
  root(): string {
    const tree = new MerkleTree()
    for (const [stream, head] of this.heads()) tree.add(leafOf(stream, head))
    return tree.root()
  }
}
