/** @module-tag long */
import { describe, expect, it } from 'vitest'
import { besideOthersMs, fastestMs } from '../test/fastest.ts'
import { longestBlockMs } from '../test/longest-block.ts'
import { Ledger } from './ledger.ts'
import { LogTree } from './log-tree.ts'

const standing = (at: number, stream: string, revision: number) => ({
  position: String(at + 1).padStart(8, '0'),
  stream,
  revision,
  hash: String(at % 10).repeat(64),
})
const few = ['post-b', 'agency-a', 'post-b', 'client-é', 'post-a', 'agency-a'].map((stream, at) =>
  standing(at, stream, at === 2 || at === 5 ? 1 : 0),
)
const streams = 20_000
const many = Array.from({ length: streams }, (_, at) => standing(at, `post-${(at * 7_919) % streams}`, 0))

describe('The ledger', () => {
  it('has the root and the order that version 1 signed, for ever', async () => {
    const ledger = new Ledger()
    for (const each of few) ledger.pass(each)
    // Computed by the code that signed version 1.
    expect(await ledger.rootOfHeads()).toBe('756c568541920ce3f309c0cd0c7969a4ecc9cffba5ae215ed4168e9488318d0d')
    expect(ledger.order).toBe('acb4d05c3ab1efbc0e5cef5d32e885ac2627679884ad5e26427a93a80a00fb3c')
    expect([ledger.events, ledger.streams]).toEqual([6, 4])
  })

  it('of 20,000 streams computes the root of version 1 without a block of 50 ms', async () => {
    const ledger = new Ledger()
    for (const each of many) ledger.pass(each)
    const maxMs = besideOthersMs(50)
    expect(await longestBlockMs(() => ledger.rootOfHeads(), maxMs, 3)).toBeLessThan(maxMs)
  })
})

describe("The log's tree", () => {
  it('of 20,000 streams has its root at once, and a state of a few hashes', () => {
    const tree = new LogTree()
    for (const each of many) tree.pass(each)
    const maxMs = besideOthersMs(5)
    expect(fastestMs(() => tree.root(), maxMs)).toBeLessThan(maxMs)
    expect(tree.state?.frontier.length).toBeLessThanOrEqual(15)
  })

  it('covers the order of the events, and continues from its state', () => {
    const treeOf = (all: typeof few) => {
      const tree = new LogTree()
      for (const each of all) tree.pass(each)
      return tree
    }
    const whole = treeOf(few)
    expect(treeOf(few.toReversed()).root()).not.toBe(whole.root())
    const { state } = treeOf(few.slice(0, 3))
    const continued = state && LogTree.restore(JSON.parse(JSON.stringify(state)) as typeof state)
    for (const each of few.slice(3)) continued?.pass(each)
    expect(continued?.state).toEqual(whole.state)
    expect(continued?.root()).toBe(whole.root())
  })
})
