import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MerkleTree } from './merkle.ts'

const sha = (...parts: readonly (Buffer | string)[]) =>
  parts.reduce<ReturnType<typeof createHash>>((hash, part) => hash.update(part), createHash('sha256')).digest()

/** RFC 6962, section 2.1, implemented literally. */
function defined(leaves: readonly string[]): Buffer {
  const [only] = leaves
  if (only === undefined) return sha()
  if (leaves.length === 1) return sha(Buffer.of(0), only)
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return sha(Buffer.of(1), defined(leaves.slice(0, split)), defined(leaves.slice(split)))
}

const rootOf = (leaves: readonly string[]) => {
  const tree = new MerkleTree()
  for (const leaf of leaves) tree.add(leaf)
  return tree.root()
}

describe('A Merkle tree', () => {
  it('has the root defined by the standard, for any number of leaves', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string(), { maxLength: 70 }),
        (leaves) => void expect(rootOf(leaves)).toBe(defined(leaves).toString('hex')),
      ),
    )
  })
  it('has another root when a leaf is changed, removed, inserted or moved', () => {
    const leaves = ['a', 'b', 'c', 'd', 'e']
    const roots = [leaves, ['a', 'b', 'x', 'd', 'e'], leaves.slice(1), [...leaves, 'f'], ['b', 'a', 'c', 'd', 'e']].map(
      rootOf,
    )
    expect(new Set(roots).size).toBe(roots.length)
  })
})
