/**
 * The Merkle tree over the hashes of all events in the log's order: what a checkpoint of version 2 signs. Of it, only
 * the frontier is kept, so that it takes an event in O(log n) and a log of any length in little memory.
 */
import type { Position } from '../core/event.ts'
import { MerkleTree } from './merkle.ts'

/** An event known only by its place and its stored hash. */
export interface Standing {
  readonly position: Position
  readonly stream: string
  readonly revision: number
  readonly hash: string | null
}

/** The part of the log that a tree covers, and what the tree needs to go on. */
export interface LogTreeState {
  readonly events: number
  readonly frontier: readonly string[]
  readonly last: Standing
}

export class LogTree {
  #tree = new MerkleTree()
  #last: Standing | null = null

  /** Null when the frontier doesn't belong to a tree of that size. */
  static restore({ events, frontier, last }: LogTreeState): LogTree | null {
    const tree = MerkleTree.of(events, frontier)
    if (!tree) return null
    const restored = new LogTree()
    restored.#tree = tree
    restored.#last = last
    return restored
  }

  get events(): number {
    return this.#tree.size
  }
  /** Of the last event; null for an empty log. */
  get position(): Position | null {
    return this.#last?.position ?? null
  }
  /** Null for an empty log. */
  get state(): LogTreeState | null {
    return this.#last && { events: this.events, frontier: this.#tree.frontier, last: this.#last }
  }

  /** Takes the next event in log order. */
  pass({ position, stream, revision, hash }: Standing): void {
    // As text: an event that was tampered with may have anything in place of its hash, and is a leaf all the same.
    this.#tree.add(String(hash ?? ''))
    this.#last = { position, stream, revision, hash }
  }

  root(): string {
    return this.#tree.root()
  }
}
