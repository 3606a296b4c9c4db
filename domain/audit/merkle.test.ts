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

/** The leaves and roots that the tests of Certificate Transparency, for which RFC 6962 was written, share. */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
)
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const treeOf = (count: number) => {
  const tree = new MerkleTree()
  for (const leaf of leaves.slice(0, count)) tree.add(leaf)
  return tree
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
  it('has the roots that Certificate Transparency publishes for RFC 6962', () => {
    expect(roots.map((_, count) => treeOf(count).root())).toEqual(roots)
  })
  it('continues from its frontier, which grows with the logarithm of its size', () => {
    for (let from = 0; from <= leaves.length; from++) {
      const { size, frontier } = treeOf(from)
      const tree = MerkleTree.of(size, frontier)
      expect(frontier.length).toBeLessThanOrEqual(Math.ceil(Math.log2(from + 1)))
      expect(tree?.root()).toBe(roots[from])
      for (const leaf of leaves.slice(from)) tree?.add(leaf)
      expect(tree?.root()).toBe(roots.at(-1))
    }
  })

  it('refuses a frontier of another size', () => {
    const { frontier } = treeOf(7)
    expect(MerkleTree.of(6, frontier)).toBeNull()
    expect(MerkleTree.of(8, frontier)).toBeNull()
    expect(MerkleTree.of(7, frontier.slice(1))).toBeNull()
    expect(MerkleTree.of(7, ['no hash', ...frontier.slice(1)])).toBeNull()
    expect(MerkleTree.of(0, frontier)).toBeNull()
  })
})
