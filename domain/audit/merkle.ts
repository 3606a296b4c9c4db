/** Merkle tree hashes as RFC 6962 (section 2.1) defines them, over leaves added one at a time, with little memory. */
import { createHash } from 'node:crypto'

const leafPrefix = Uint8Array.of(0)
const nodePrefix = Uint8Array.of(1)

const node = (left: Uint8Array, right: Uint8Array) =>
  createHash('sha256').update(nodePrefix).update(left).update(right).digest()

export class MerkleTree {
  /** Complete subtrees, the largest first; no two of the same size. */
  readonly #subtrees: { readonly size: number; readonly hash: Uint8Array }[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  add(leaf: string): void {
    this.#size += 1
    let grown: { readonly size: number; readonly hash: Uint8Array } = {
      size: 1,
      hash: createHash('sha256').update(leafPrefix).update(leaf).digest(),
    }
    for (let last = this.#subtrees.at(-1); last?.size === grown.size; last = this.#subtrees.at(-1)) {
      this.#subtrees.pop()
      grown = { size: last.size * 2, hash: node(last.hash, grown.hash) }
    }
    this.#subtrees.push(grown)
  }

  /** SHA-256 in hexadecimal; without leaves, the hash of the empty string. */
  root(): string {
    const [smallest, ...larger] = this.#subtrees.toReversed()
    if (!smallest) return createHash('sha256').digest('hex')
    const root = larger.reduce<Uint8Array>((right, { hash }) => node(hash, right), smallest.hash)
    return Buffer.from(root).toString('hex')
  }
}
