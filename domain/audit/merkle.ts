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

  /** The tree of a size with this frontier. Null when no tree of that size has so many complete subtrees. */
  static of(size: number, frontier: readonly string[]): MerkleTree | null {
    const tree = new MerkleTree()
    tree.#size = size
    let left = size
    for (const hash of frontier) {
      let largest = 1
      while (largest * 2 <= left) largest *= 2
      tree.#subtrees.push({ size: largest, hash: Buffer.from(hash, 'hex') })
      left -= largest
    }
    return left === 0 && frontier.every((hash) => /^[0-9a-f]{64}$/.test(hash)) ? tree : null
  }

  get size(): number {
    return this.#size
  }

  /** The hashes of the complete subtrees, the largest first: all that is needed to add further leaves. */
  get frontier(): readonly string[] {
    return this.#subtrees.map(({ hash }) => Buffer.from(hash).toString('hex'))
  }

  /** Takes as many steps as there are subtrees, at most. */
  add(leaf: string | Uint8Array): void {
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
